import type { CommandResult, CommandRunner } from '#process-monitor';
import { SANDBOX_USER } from './etc-files.js';
import { exitCodeOf, innerCommand } from './inner-command.js';
import type { Sandbox, SandboxedCommand, SandboxGuarantees, SandboxKind } from './sandbox.port.js';
import type { StagedFiles } from './staged-files.js';
import type { Toolchains } from './toolchains.js';
import { HOME_INSIDE, type Step, viewOf } from './view.js';

export interface Room {
  readonly steps: readonly Step[];
  readonly network: 'none' | 'host';
  readonly cwd: string;
}

/** What puts up the walls of a room, as a command line that goes on with the command that is to be inside. */
export type Walls = (room: Room) => string[];

export interface WalledParts {
  readonly commands: Pick<CommandRunner, 'run'>;
  readonly toolchains: Toolchains;
  readonly hidden: readonly string[];
  readonly staged: StagedFiles;
}

/**
 * A command sees what is named, and nothing else. The process that is registered is the one that keeps the walls up. It
 * ignores SIGTERM, so that the command inside gets its grace, and with it dies, by the kernel's hand, everything inside.
 */
export class WalledSandbox implements Sandbox {
  readonly guarantees: SandboxGuarantees;
  readonly canMount = true;

  constructor(
    readonly kind: SandboxKind,
    private readonly walls: Walls,
    private readonly parts: WalledParts,
    { cutsNetwork = true } = {},
  ) {
    this.guarantees = { hidesFiles: true, cutsNetwork, ownsProcesses: true };
  }

  async run(command: SandboxedCommand): Promise<CommandResult> {
    const { commands, toolchains, hidden, staged } = this.parts;
    const { cwd, network } = command;
    const steps = viewOf(command, { toolchains: toolchains.folders, hidden, staged });
    const { env, argv, limits } = innerCommand(command, { env: this.environment() });
    const [file, ...args] = [...this.walls({ steps, network, cwd }), ...argv] as [string, ...string[]];
    const result = await commands.run({ ...command, cwd: '/', file, args, env, limits });
    return { ...result, exitCode: exitCodeOf(result.exitCode, result.endedBy) };
  }

  private environment(): Record<string, string> {
    const { path, env } = this.parts.toolchains;
    const { name } = SANDBOX_USER;
    return {
      ...env,
      PATH: path,
      HOME: HOME_INSIDE,
      TMPDIR: '/tmp',
      USER: name,
      LOGNAME: name,
      GIT_OPTIONAL_LOCKS: '0',
    };
  }
}
