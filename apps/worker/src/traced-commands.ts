import type { Trace } from '#kernel';
import type { CommandRunner } from '#process-monitor';

type Runs = Pick<CommandRunner, 'run'>;

/** Commands of worktrees as spans of their project: what was verified, how long it took and how it ended. */
export const tracedCommands = (commands: Runs, trace: Trace): Runs => ({
  run: (command) => {
    const [kind = ''] = command.purpose.split(':', 1);
    return trace.within('command', kind, { about: command.purpose }, async (note) => {
      const result = await commands.run(command);
      note({ exitCode: result.exitCode, endedBy: result.endedBy });
      return result;
    });
  },
});
