import { z } from 'zod';
import type { AgentTask } from '../../agent.port.js';
import { checkedOutput } from '../final-output.js';
import { defineTool, type Tool } from './tool.js';

const input = z.object({
  summary: z.string().max(100_000).describe('What you did and what you found, in a few sentences'),
  output: z.json().optional().describe('The result, if the task asks for one of a given shape'),
});

export type FinishInput = z.infer<typeof input>;

export const FINISH = 'finish';

/** Ends the task. Where the task wants an output of a shape, one of another shape is refused with what is wrong. */
export const finishFor = ({ output }: Pick<AgentTask, 'output'>): Tool =>
  defineTool({
    name: FINISH,
    description:
      'Ends the task. Call it alone, as the last call, when everything is done.' +
      (output ? ' The output must be JSON of the shape that the task asks for.' : ''),
    input,
    kind: 'ends',
    about: () => '',
    use: async (given) => {
      const result = checkedOutput(output, given.output ?? given.summary);
      return 'problem' in result ? { text: result.problem, isError: true } : { text: 'the task has ended' };
    },
  });

/** What a valid call of it says; for one that was not refused. */
export const readFinish = (given: unknown): FinishInput | null => {
  const read = input.safeParse(given);
  return read.success ? read.data : null;
};
