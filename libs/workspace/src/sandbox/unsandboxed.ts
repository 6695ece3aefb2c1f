import { homedir } from 'node:os';
import type { CommandResult, CommandRunner } from '#process-monitor';
import { limitsOf } from './inner-command.js';
import type { Sandbox, SandboxedCommand } from './sandbox.port.js';

/** As the service itself, but for limits: whatever the service may do, the command may. */
export class Unsandboxed implements Sandbox {
  readonly kind = 'none';
  readonly guarantees = { hidesFiles: false, cutsNetwork: false, ownsProcesses: false };

  constructor(private readonly commands: Pick<CommandRunner, 'run'>) {}

  run(command: SandboxedCommand): Promise<CommandResult> {
    return this.commands.run({ ...command, limits: limitsOf(command), env: { HOME: homedir(), ...command.env } });
  }
}
