import { execFile } from 'node:child_process';
import { accessSync, constants, mkdirSync, readdirSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { promisify } from 'node:util';
import { assertNever, UserError } from '#kernel';
import { type CommandRunner, isAlive } from '#process-monitor';
import { BubblewrapSandbox, type BubblewrapParts } from './bubblewrap.js';
import { LimitedSandbox } from './limited.js';
import { keeper, type Namespaces, NO_NAMESPACES, POSSIBLE_NAMESPACES } from './namespaces.js';
import { removeFolder } from './remove-folder.js';
import { realPathOf } from './sandbox-paths.js';
import type { Sandbox, Sandboxes, SandboxWish } from './sandbox.port.js';
import { StagedFiles } from './staged-files.js';
import { toolchainsOn } from './toolchains.js';
import { Unsandboxed } from './unsandboxed.js';

export interface SandboxOptions {
  readonly commands: Pick<CommandRunner, 'run'>;
  readonly allowUnsandboxed: boolean;
  /** PATH of the service's commands: what toolchains are on it can be seen inside. */
  readonly path: string;
  /** What no command may see as a whole: the data folder, other places of ours. */
  readonly hidden: readonly string[];
  /** A folder of our own, below a hidden one. */
  readonly folder: string;
  /** Further folders of toolchains to show. */
  readonly toolchains?: readonly string[];
}

const run = promisify(execFile);
const PROBE_MS = 10_000;

/** Finds out what this machine can do, by trying it once. */
export async function openSandboxes(options: SandboxOptions): Promise<Sandboxes> {
  const { commands, allowUnsandboxed, path, folder } = options;
  const runs = join(folder, 'runs');
  mkdirSync(runs, { recursive: true, mode: 0o700 });
  clearRuns(runs);
  const hidden = [...new Set(options.hidden.flatMap((one) => [one, realPathOf(one) ?? one]))];
  const found = toolchainsOn(path, hidden);
  const toolchains = { ...found, folders: [...found.folders, ...(options.toolchains ?? [])] };
  const staged = new StagedFiles(join(folder, 'staged'));
  const bubblewrap = await workingBubblewrap({ commands, toolchains, hidden, staged }, path);
  const can = await possibleNamespaces(folder, path);
  const limited = new LimitedSandbox({ commands, can, toolchains, hidden, staged, folder: runs });
  return {
    pick: (wish) => pick(wish, bubblewrap ?? limited, limited, allowUnsandboxed ? new Unsandboxed(commands) : null),
  };
}

function pick(wish: SandboxWish, best: Sandbox, limited: Sandbox, none: Sandbox | null): Sandbox {
  switch (wish) {
    case 'auto':
      return best;
    case 'limited':
      // A weaker one than this machine can is the server's to allow, not a caller's to choose.
      if (best === limited || none) return limited;
      throw new UserError(
        'SANDBOX_NOT_ALLOWED',
        'This server can do better than `limited`: ask for `auto`, or start it with QRALPH_ALLOW_UNSANDBOXED=on.',
      );
    case 'none':
      if (none) return none;
      throw new UserError(
        'SANDBOX_NOT_ALLOWED',
        'This server does not run commands without a sandbox: ask for `auto` or `limited`, or start it with QRALPH_ALLOW_UNSANDBOXED=on.',
      );
    default:
      return assertNever(wish);
  }
}

type Rest = Omit<BubblewrapParts, 'program' | 'canForbidUserns'>;

/** Null where bubblewrap is missing, or may not make its namespaces. */
async function workingBubblewrap(rest: Rest, path: string): Promise<BubblewrapSandbox | null> {
  const program = path.split(delimiter).filter(isAbsolute).map((one) => join(one, 'bwrap')).find(isProgram); // prettier-ignore
  if (program === undefined) return null;
  for (const canForbidUserns of [true, false]) {
    const sandbox = new BubblewrapSandbox({ ...rest, program, canForbidUserns });
    const outer = sandbox.outer({ cwd: '/usr', writable: [], readable: ['/usr'], network: 'none' });
    if (await works([...outer, 'true'], path)) return sandbox;
  }
  return null;
}

/** Tried on folders of our own. */
async function possibleNamespaces(folder: string, path: string): Promise<Namespaces> {
  const [stash, covered] = ['stash', 'covered'].map((name) => join(folder, 'probe', name)) as [string, string];
  for (const one of [stash, covered]) mkdirSync(one, { recursive: true, mode: 0o700 });
  const changes = [['cover', covered], ['show', '/usr', join(covered, 'usr')], ['seal', covered]] as const; // prettier-ignore
  for (const can of POSSIBLE_NAMESPACES) {
    if (await works([...keeper(can, { cwd: '/', stash, network: 'none', changes }), 'true'], path)) return can;
  }
  return NO_NAMESPACES;
}

async function works([file = '', ...args]: readonly string[], path: string): Promise<boolean> {
  try {
    await run(file, args, { timeout: PROBE_MS, killSignal: 'SIGKILL', cwd: '/', env: { PATH: path } });
    return true;
  } catch {
    return false;
  }
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** What runs of a process that is gone left here. */
function clearRuns(folder: string): void {
  for (const name of readdirSync(folder)) {
    const [, pid, boot, ticks] = /^run-(\d+)-(\w+)-(\d+)-/.exec(name) ?? [];
    if (!isAlive(Number(pid), `${boot ?? ''}:${ticks ?? ''}`)) removeFolder(join(folder, name));
  }
}
