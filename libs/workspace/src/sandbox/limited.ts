import { mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type CommandResult, type CommandRunner, startTimeOf } from '#process-monitor';
import { coversFor } from './covers.js';
import { SANDBOX_USER } from './etc-files.js';
import { exitCodeOf, innerCommand } from './inner-command.js';
import { keeper, type Namespaces } from './namespaces.js';
import { removeFolder } from './remove-folder.js';
import type { Sandbox, SandboxedCommand } from './sandbox.port.js';
import type { StagedFiles } from './staged-files.js';
import type { Toolchains } from './toolchains.js';

export interface LimitedParts {
  readonly commands: Pick<CommandRunner, 'run'>;
  readonly can: Namespaces;
  readonly toolchains: Toolchains;
  readonly hidden: readonly string[];
  readonly staged: StagedFiles;
  /** Where each run gets a HOME and a TMPDIR of its own. */
  readonly folder: string;
}

/** Tells whose runs are left over when this process is gone. */
const SELF = `${String(process.pid)}-${(startTimeOf(process.pid) ?? '').replace(':', '-')}`;

/** First process of the namespace: waits for the command, and buries what it leaves. */
const INIT = 'umask 022; "$@"; exit $?';

/**
 * Limits of the kernel, an environment of its own, and as far as the machine allows it namespaces, in which nobody has
 * the rights of root: they end as a whole, cover the folders that hold secrets, and cut the network. Other files of the
 * machine stay visible, and it says so.
 */
export class LimitedSandbox implements Sandbox {
  readonly kind = 'limited';
  readonly guarantees;

  constructor(private readonly parts: LimitedParts) {
    this.guarantees = { hidesFiles: false, ...parts.can };
  }

  async run(command: SandboxedCommand): Promise<CommandResult> {
    const { folder, can, toolchains, commands } = this.parts;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const own = mkdtempSync(join(folder, `run-${SELF}-`));
    try {
      const [home, temp, stash] = ['home', 'tmp', 'host'].map((name) => join(own, name)) as [string, string, string];
      for (const one of [home, temp, stash]) mkdirSync(one);
      const { name } = SANDBOX_USER;
      const env = { ...toolchains.env, PATH: toolchains.path, HOME: home, TMPDIR: temp, USER: name, LOGNAME: name };
      const tasksBefore = can.ownsProcesses ? 0 : tasksOf(process.getuid?.() ?? 0);
      const inner = innerCommand(command, { env, tasksBefore });
      const kept = this.kept(command, stash, [home, temp]);
      const [file, ...args] = [...kept, 'sh', '-c', INIT, 'init', ...inner.argv] as [string, ...string[]];
      const cwd = can.hidesSecrets ? '/' : command.cwd;
      const result = await commands.run({ ...command, cwd, file, args, env: inner.env, limits: inner.limits });
      return { ...result, exitCode: exitCodeOf(result.exitCode, result.endedBy) };
    } finally {
      removeFolder(own);
    }
  }

  private kept(command: SandboxedCommand, stash: string, own: readonly string[]): string[] {
    const { can, toolchains, hidden, staged } = this.parts;
    const all = { ...command, writable: [...command.writable, ...own] };
    const changes = can.hidesSecrets ? coversFor(all, { hidden, toolchains: toolchains.folders, staged }) : [];
    return keeper(can, { cwd: command.cwd, network: command.network, stash, changes });
  }
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
