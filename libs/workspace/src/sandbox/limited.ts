import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { CommandResult, CommandRunner } from '#process-monitor';
import { newMarkedFolder, sweepLeftFolders } from '../left-folders.js';
import { removeTree } from '../remove-tree.js';
import { SANDBOX_USER } from './etc-files.js';
import { exitCodeOf, innerCommand } from './inner-command.js';
import type { Sandbox, SandboxedCommand, SandboxGuarantees } from './sandbox.port.js';
import type { Toolchains } from './toolchains.js';

export interface LimitedParts {
  readonly commands: Pick<CommandRunner, 'run'>;
  readonly toolchains: Toolchains;
  /** Where each run gets a HOME and a TMPDIR of its own. */
  readonly folder: string;
  /** What keeps the processes of a command together; nothing where the machine does not allow it. */
  readonly walls: readonly string[];
}

const RUN = 'run-';

/** Limits of the kernel and an environment of its own, no more: the machine does not let us put up walls. */
export class LimitedSandbox implements Sandbox {
  readonly kind = 'limited';
  readonly guarantees: SandboxGuarantees;

  private constructor(private readonly parts: LimitedParts) {
    this.guarantees = { hidesFiles: false, cutsNetwork: false, ownsProcesses: parts.walls.length > 0 };
  }

  static async open(parts: LimitedParts): Promise<LimitedSandbox> {
    mkdirSync(parts.folder, { recursive: true, mode: 0o700 });
    await sweepLeftFolders(parts.folder, RUN);
    return new LimitedSandbox(parts);
  }

  async run(command: SandboxedCommand): Promise<CommandResult> {
    const { folder, toolchains, commands, walls } = this.parts;
    const own = await newMarkedFolder(folder, RUN);
    try {
      const [home, temp] = ['home', 'tmp'].map((name) => join(own, name)) as [string, string];
      for (const one of [home, temp]) mkdirSync(one);
      const { name } = SANDBOX_USER;
      const env = { ...toolchains.env, PATH: toolchains.path, HOME: home, TMPDIR: temp, USER: name, LOGNAME: name };
      const tasksBefore = this.guarantees.ownsProcesses ? 0 : tasksOf(process.getuid?.() ?? 0);
      const inner = innerCommand({ ...command, writable: [...command.writable, own] }, { env, tasksBefore });
      const [file, ...args] = [...walls, ...inner.argv] as [string, ...string[]];
      const result = await commands.run({ ...command, file, args, env: inner.env, limits: inner.limits });
      return { ...result, exitCode: exitCodeOf(result.exitCode, result.endedBy) };
    } finally {
      await removeTree(own);
    }
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
