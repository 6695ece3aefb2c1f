import { errorMessage, type Json, parseJsonStrict } from '#kernel';
import type { AgentTask } from '../agent.port.js';

const LIMITS = { maxDepth: 64, maxBytes: 4 * 1_024 * 1_024 };
const FENCED = /^```[a-z]*\s*\n([\s\S]*?)\n?```$/i;

/** The output of a task, from a value or from the text of a last message; or what is wrong with it. */
export function checkedOutput(
  wanted: AgentTask['output'],
  given: Json,
): { readonly output: Json } | { readonly problem: string } {
  if (!wanted) return { output: typeof given === 'string' ? null : given };
  let output = given;
  if (typeof given === 'string') {
    try {
      output = parseJsonStrict(bareJson(given), LIMITS);
    } catch (error) {
      return { problem: `the output "${wanted.name}" has to be JSON, and nothing else: ${errorMessage(error)}` };
    }
  }
  const problem = wanted.check(output);
  return problem === null ? { output } : { problem: `the output "${wanted.name}" is not as asked for: ${problem}` };
}

/** Models like to put JSON between fences. */
const bareJson = (text: string): string => FENCED.exec(text.trim())?.[1] ?? text.trim();
