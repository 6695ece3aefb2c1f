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

export const SILENT = { code: 'AGENT_SILENT', message: 'it ended without a word about its work, and changed nothing' };

/** Neither a word nor a change: that is no end of a task. One with an output of its own is judged by that. */
export function isSilent(
  { access, output }: Pick<AgentTask, 'access' | 'output'>,
  said: { readonly text: string; readonly output: Json },
  hasChanged: boolean,
): boolean {
  if (output || said.output !== null || said.text.trim() !== '') return false;
  return access === 'read' || !hasChanged;
}
