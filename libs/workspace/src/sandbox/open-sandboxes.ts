import { execFile } from 'node:child_process';
import { accessSync, constants, mkdirSync, realpathSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { promisify } from 'node:util';
import { assertNever, UserError } from '#kernel';
import type { CommandRunner } from '#process-monitor';
import { type Bubblewrap, bubblewrapWalls } from './bubblewrap.js';
import { LimitedSandbox } from './limited.js';
import { realPathOf } from './sandbox-paths.js';
import type { Sandbox, Sandboxes, SandboxWish } from './sandbox.port.js';
import { StagedFiles } from './staged-files.js';
import { toolchainsOn } from './toolchains.js';
import { Unsandboxed } from './unsandboxed.js';
import { processWalls, type Unshare, unshareWalls } from './unshare.js';
import { viewOf } from './view.js';
import { type Room, WalledSandbox, type WalledParts, type Walls } from './walled.js';

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
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const hidden = [...new Set(options.hidden.flatMap((one) => [one, realPathOf(one) ?? one]))];
  const found = toolchainsOn(path, hidden);
  const toolchains = { ...found, folders: [...found.folders, ...(options.toolchains ?? [])] };
  const walled = { commands, toolchains, hidden, staged: new StagedFiles(join(folder, 'staged')) };
  const works = async (walls: Walls): Promise<boolean> => canRun(walls(emptyRoom(walled)), path);
  const bubblewrap = await bubblewrapOn(path, works);
  const openLimited = async (): Promise<Sandbox> => {
    const unshare = await unshareOn(join(folder, 'root'), works);
    if (unshare) return new WalledSandbox('limited', unshareWalls(unshare), walled, unshare);
    const walls = await wallsOfProcesses(path);
    return LimitedSandbox.open({ commands, toolchains, folder: join(folder, 'runs'), walls });
  };
  if (!bubblewrap) {
    const limited = await openLimited();
    return choiceOf({ best: limited, limited, none: allowUnsandboxed ? new Unsandboxed(commands) : null });
  }
  const best = new WalledSandbox('bubblewrap', bubblewrapWalls(bubblewrap), walled);
  // A weaker one than this machine can is the server's to allow, not a caller's to choose; trying it takes a while.
  if (!allowUnsandboxed) return choiceOf({ best, limited: null, none: null });
  return choiceOf({ best, limited: await openLimited(), none: new Unsandboxed(commands) });
}

interface Choice {
  readonly best: Sandbox;
  /** Null: not to be had here. */
  readonly limited: Sandbox | null;
  readonly none: Sandbox | null;
}

const choiceOf = (choice: Choice): Sandboxes => ({ pick: (wish) => pick(wish, choice) });

function pick(wish: SandboxWish, { best, limited, none }: Choice): Sandbox {
  switch (wish) {
    case 'auto':
      return best;
    case 'limited':
      if (limited) return limited;
      throw new UserError(
        'SANDBOX_NOT_ALLOWED',
        'This server can do better than `limited`: ask for `auto`, or start it with QRALPH_ALLOW_UNSANDBOXED=on.',
      );
    case 'none':
      if (none) return none;
      throw new UserError(
        'SANDBOX_NOT_ALLOWED',
        `This server does not run commands without a sandbox: ask for ${best === limited ? '`auto` or `limited`' : '`auto`'}, or start it with QRALPH_ALLOW_UNSANDBOXED=on.`,
      );
    default:
      return assertNever(wish);
  }
}

type Works = (walls: Walls) => Promise<boolean>;

function emptyRoom({ toolchains, hidden, staged }: WalledParts): Room {
  const nothing = { cwd: '/usr', writable: [], readable: ['/usr'], network: 'none' } as const;
  return { ...nothing, steps: viewOf(nothing, { toolchains: toolchains.folders, hidden, staged }) };
}

/** Null where bubblewrap is missing, or may not make its namespaces. */
async function bubblewrapOn(path: string, works: Works): Promise<Bubblewrap | null> {
  const program = path.split(delimiter).filter(isAbsolute).map((one) => join(one, 'bwrap')).find(isProgram); // prettier-ignore
  if (program === undefined) return null;
  for (const canForbidUserns of [true, false]) {
    const bubblewrap = { program, canForbidUserns };
    if (await works(bubblewrapWalls(bubblewrap))) return bubblewrap;
  }
  return null;
}

/** Null where this machine allows no such namespaces. */
async function unshareOn(folder: string, works: Works): Promise<Unshare | null> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const root = realpathSync(folder);
  for (const cutsNetwork of [true, false]) {
    for (const canForbidUserns of [true, false]) {
      const unshare = { cutsNetwork, canForbidUserns, root };
      if (await works(unshareWalls(unshare))) return unshare;
    }
  }
  return null;
}

const wallsOfProcesses = async (path: string): Promise<string[]> =>
  (await canRun(processWalls(), path)) ? processWalls() : [];

async function canRun(walls: readonly string[], path: string): Promise<boolean> {
  const [file = '', ...args] = [...walls, 'true'];
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
