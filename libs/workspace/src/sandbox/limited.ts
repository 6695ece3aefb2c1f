import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type CommandResult, type CommandRunner, startTimeOf } from '#process-monitor';
import { SANDBOX_USER } from './etc-files.js';
import { exitCodeOf, innerCommand } from './inner-command.js';
import type { Sandbox, SandboxedCommand } from './sandbox.port.js';
import type { Toolchains } from './toolchains.js';

export interface LimitedParts {
  readonly commands: Pick<CommandRunner, 'run'>;
  /** Whether the machine lets us make a pid namespace. */
  readonly hasNamespaces: boolean;
  readonly toolchains: Pick<Toolchains, 'path'>;
  /** Where each run gets a HOME and a TMPDIR of its own. */
  readonly folder: string;
}

/** Tells whose runs are left over when this process is gone. */
const SELF = `${String(process.pid)}-${(startTimeOf(process.pid) ?? '').replace(':', '-')}`;

/** First process of the namespace: waits for the command, and buries what it leaves. */
const INIT = 'umask 022; "$@"; exit $?';

/**
 * Limits of the kernel, an environment of its own, and where the machine allows it a pid namespace, in which nobody has
 * the rights of root, and which ends as a whole. It hides no file and cuts no network, and says so.
 */
export class LimitedSandbox implements Sandbox {
  readonly kind = 'limited';
  readonly guarantees;

  constructor(private readonly parts: LimitedParts) {
    this.guarantees = { hidesFiles: false, cutsNetwork: false, ownsProcesses: parts.hasNamespaces };
  }

  async run(command: SandboxedCommand): Promise<CommandResult> {
    const { folder, hasNamespaces, toolchains, commands } = this.parts;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const own = mkdtempSync(join(folder, `run-${SELF}-`));
    try {
      const [home, temp] = ['home', 'tmp'].map((name) => join(own, name)) as [string, string];
      for (const one of [home, temp]) mkdirSync(one);
      const { name } = SANDBOX_USER;
      const env = { PATH: toolchains.path, HOME: home, TMPDIR: temp, USER: name, LOGNAME: name };
      const tasksBefore = hasNamespaces ? 0 : tasksOf(process.getuid?.() ?? 0);
      const inner = innerCommand(command, { env, tasksBefore });
      const [file, ...args] = [...keeper(hasNamespaces), 'sh', '-c', INIT, 'init', ...inner.argv] as [
        string,
        ...string[],
      ];
      const result = await commands.run({ ...command, file, args, env: inner.env, limits: inner.limits });
      return { ...result, exitCode: exitCodeOf(result.exitCode, result.endedBy) };
    } finally {
      removeFolder(own);
    }
  }
}

/** What opens the namespaces; with it dies everything in them. */
export function keeper(hasNamespaces: boolean): string[] {
  const id = String(SANDBOX_USER.id);
  return hasNamespaces
    ? [
        ...['/usr/bin/env', '--ignore-signal=TERM', 'unshare', '--user', `--map-user=${id}`, `--map-group=${id}`],
        ...['--pid', '--fork', '--kill-child=KILL', '--mount-proc', '--ipc', '--'],
      ]
    : [];
}

/** Without a namespace the kernel counts all tasks of the user against the limit. */
function tasksOf(uid: number): number {
  let tasks = 0;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      if (statSync(`/proc/${pid}`).uid !== uid) continue;
      const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
      tasks += Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[17]);
    } catch {
      // It has ended meanwhile.
    }
  }
  return tasks;
}

/** Commands may leave folders that even their owner cannot enter. */
export function removeFolder(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    openUp(folder);
    rmSync(folder, { recursive: true, force: true });
  }
}

function openUp(folder: string): void {
  chmodSync(folder, 0o700);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) openUp(join(folder, entry.name));
  }
}
