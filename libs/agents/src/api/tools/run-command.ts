import { z } from 'zod';
import type { CommandResult } from '#process-monitor';
import { commandText } from '../bounded-text.js';
import { ToolRefusal } from './refusal.js';
import { defineTool, type Tool } from './tool.js';

const LONGEST_COMMAND = 32 * 1_024;

const input = z.object({
  command: z.string().min(1).max(LONGEST_COMMAND).describe('A command line for sh, run at the root of the repository'),
  timeoutSeconds: z
    .number()
    .int()
    .min(1)
    .max(3_600)
    .optional()
    .describe('The command is ended after this time; 120 if unset'),
});

/** The tool's name, as a model calls it. */
export const RUN = 'run';

const USUAL_TIMEOUT_MS = 120_000;

export const runCommand = defineTool({
  name: RUN,
  description:
    'Runs a shell command at the root of the repository, in a sandbox without network, and shows its exit code and ' +
    'output. Each call is a new shell, without input. Long output is cut in the middle: print only what you need. ' +
    'Processes that the command leaves running are ended.',
  input,
  kind: 'runs',
  about: ({ command }) => command,
  use: async ({ command, timeoutSeconds }, { limits, redactor, shell, signal }) => {
    if (command.includes('\0')) throw new ToolRefusal('the command contains the character U+0000');
    const wantedMs = timeoutSeconds === undefined ? USUAL_TIMEOUT_MS : timeoutSeconds * 1_000;
    const result = await shell(command, Math.min(wantedMs, limits.commandMs));
    // Ended from outside, not by itself: nobody may take its result for one.
    signal.throwIfAborted();
    const half = Math.floor((limits.resultChars - 300) / 2);
    const parts = [
      endOf(result),
      ...(result.stdout === '' ? [] : [`stdout:\n${commandText(result.stdout, half, redactor)}`]),
      ...(result.stderr === '' ? [] : [`stderr:\n${commandText(result.stderr, half, redactor)}`]),
    ];
    return {
      text: parts.join('\n'),
      isError: result.exitCode !== 0 || result.endedBy !== 'itself',
      mayHaveChanged: true,
    };
  },
});

/** The same for an agent that only reads. */
export const runReadOnlyCommand: Tool = {
  ...runCommand,
  description: `${runCommand.description} The repository is read-only: a command that writes there fails. It may write to /tmp, which is gone after the call.`,
};

const ENDED_BY: Readonly<Record<CommandResult['endedBy'], string>> = {
  itself: 'a signal ended it',
  'time-out': 'it took too long and was ended',
  interruption: 'it was interrupted',
  output: 'it wrote too much and was ended',
  memory: 'it took too much memory and was ended',
  processes: 'it started too many processes and was ended',
  disk: 'it filled too much of the disk, or next to nothing was left of it, and was ended',
};

const endOf = ({ exitCode, endedBy }: CommandResult): string =>
  endedBy === 'itself' && exitCode !== null ? `exit code ${String(exitCode)}` : ENDED_BY[endedBy];
