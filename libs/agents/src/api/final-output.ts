import type { Json } from '#kernel';
import { readShape } from '#models';
import type { AgentTask } from '../agent.port.js';
import { isDeeperThan } from '../json-depth.js';

const DEEPEST = 200;

/** The output of a task, from a value or from the text of a last message; or what is wrong with it. */
export function checkedOutput(
  wanted: AgentTask['output'],
  given: Json,
): { readonly output: Json } | { readonly problem: string } {
  if (!wanted) return { output: typeof given === 'string' ? null : given };
  const reading = readShape(wanted, given);
  if (!('value' in reading)) return reading;
  // A shape may leave a part open: what cannot be written down is no outcome.
  return isDeeperThan(DEEPEST, reading.value)
    ? { problem: 'the output is nested too deeply' }
    : { output: reading.value };
}
