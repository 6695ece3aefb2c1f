import type { CommandResult, CommandRunner } from '#process-monitor';
import { bubblewrapArguments, HOME_INSIDE } from './bubblewrap-arguments.js';
import { SANDBOX_USER } from './etc-files.js';
import { gitViewOf, ownRepositoryOf } from './git-view.js';
import { exitCodeOf, innerCommand } from './inner-command.js';
import { givenPaths } from './sandbox-paths.js';
import type { Sandbox, SandboxedCommand } from './sandbox.port.js';
import type { StagedFiles } from './staged-files.js';
import type { Toolchains } from './toolchains.js';

type Outer = Pick<SandboxedCommand, 'cwd' | 'writable' | 'readable' | 'readOnly' | 'sockets' | 'network'>;

export interface BubblewrapParts {
  readonly commands: Pick<CommandRunner, 'run'>;
  readonly program: string;
  readonly canForbidUserns: boolean;
  readonly toolchains: Toolchains;
  readonly hidden: readonly string[];
  readonly staged: StagedFiles;
}

/**
 * The process that is registered is bubblewrap's own. It ignores SIGTERM, so that the command inside gets its grace,
 * and with it dies, by the kernel's hand, everything in its pid namespace.
 */
export class BubblewrapSandbox implements Sandbox {
  readonly kind = 'bubblewrap';
  readonly guarantees = { hidesFiles: true, hidesSecrets: true, cutsNetwork: true, ownsProcesses: true };

  constructor(private readonly parts: BubblewrapParts) {}

  async run(command: SandboxedCommand): Promise<CommandResult> {
    const { env, argv, limits } = this.inner(command);
    const [file, ...args] = [...this.outer(command), ...argv] as [string, ...string[]];
    const { cwd: _inside, ...rest } = command;
    const result = await this.parts.commands.run({ ...rest, file, args, env, limits, cwd: '/' });
    return { ...result, exitCode: exitCodeOf(result.exitCode, result.endedBy) };
  }

  /** How bubblewrap is called, up to the command. */
  outer(command: Outer): string[] {
    const { program, canForbidUserns, toolchains, hidden, staged } = this.parts;
    const given = givenPaths(command, hidden);
    const writable = given.filter(({ isWritable }) => isWritable).map(({ path }) => path);
    const git = writable.flatMap((folder) => gitViewOf(folder, writable) ?? []);
    const repositories = writable.flatMap(ownRepositoryOf);
    const inside = { toolchains: toolchains.folders, hidden, given, git, repositories, staged, canForbidUserns };
    return ['/usr/bin/env', '--ignore-signal=TERM', program, ...bubblewrapArguments(command, inside), '--'];
  }

  private inner(command: SandboxedCommand): ReturnType<typeof innerCommand> {
    const { path, env } = this.parts.toolchains;
    const { name } = SANDBOX_USER;
    const own = { HOME: HOME_INSIDE, TMPDIR: '/tmp', USER: name, LOGNAME: name, GIT_OPTIONAL_LOCKS: '0' };
    return innerCommand(command, { env: { ...env, ...own, PATH: path } });
  }
}
