import type { Redactor } from '#kernel';
import type { LastCommand } from '../agent.port.js';
import { brief, cleanText, headAndTail } from './bounded-text.js';
import type { KeptCall } from './kept-answer.js';
import type { KeptResult } from './tool-calls.js';
import { RUN } from './tools/run-command.js';

const LONGEST_COMMAND = 500;
const LONGEST_RESULT = 2_000;

/** The last command among the calls of a turn, with its result; null if the turn ran none. */
export function lastCommandOf(
  calls: readonly KeptCall[],
  results: readonly KeptResult[],
  redactor: Redactor,
): LastCommand | null {
  const nth = calls.findLastIndex((call) => call.name === RUN && commandIn(call) !== null);
  const [call, result] = [calls[nth], results[nth]];
  if (!call || !result) return null;
  return {
    command: brief(cleanText(commandIn(call) ?? '', redactor), LONGEST_COMMAND),
    // The exit code stands at the beginning, the reason of a failure mostly at the end.
    result: headAndTail(result.text, LONGEST_RESULT),
  };
}

function commandIn({ input }: KeptCall): string | null {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return null;
  const { command } = input as { readonly command?: unknown };
  return typeof command === 'string' ? command : null;
}
