import type { Json } from '#kernel';
import { readShape } from '#models';
import type { AgentTask } from '../agent.port.js';

/** The output of a task, from a value or from the text of a last message; or what is wrong with it. */
export function checkedOutput(
  wanted: AgentTask['output'],
  given: Json,
): { readonly output: Json } | { readonly problem: string } {
  if (!wanted) return { output: typeof given === 'string' ? null : given };
  const reading = readShape(wanted, given);
  return 'value' in reading ? { output: reading.value } : reading;
}
