import { z } from 'zod';
import type { Finding, ProjectTask } from '#contracts';
import type { ActivityContext } from '#engine';
import { findingsOf } from './coding-context.js';
import { contextOf } from './context.js';

/** What an agent reports at the end of a task. The service verifies the result itself. */
export const TaskOutput = z.object({
  outcome: z
    .enum(['done', 'not-applicable'])
    .describe('not-applicable: what the task says does not hold, or no longer holds, in this code; say why'),
  summary: z.string().describe('What was changed and why, or why nothing had to be'),
  wrongCheck: z
    .string()
    .nullable()
    .optional()
    .describe('If a check or scenario that you were given contradicts the request or cannot work: why; otherwise null'),
});
export type TaskOutput = z.infer<typeof TaskOutput>;

/** Takes the text of an agent that ended without the output it was asked for. */
export const readTaskOutput = (output: unknown, text: string): TaskOutput => {
  const read = TaskOutput.safeParse(output);
  return read.success ? read.data : { outcome: 'done', summary: text };
};

/** What was done for a task in all: the change that failed its tests is still in it, unless it was rolled back. */
export function doneInAll({ context }: Pick<ActivityContext, 'context'>, mended: string): string {
  const { isRolledBack, pending } = contextOf({ context });
  const said = isRolledBack === true ? null : pending;
  return said?.summary ? `${said.summary.slice(0, 2_000)}\n\nAfter its tests failed: ${mended}` : mended;
}

export const findingOf = (scene: Pick<ActivityContext, 'context'>, task: ProjectTask): Finding | null =>
  findingsOf(scene).find(({ id }) => id === task.finding) ?? null;

export const withOutcome = (
  findings: readonly Finding[],
  id: string | null,
  outcome: Finding['outcome'],
): readonly Finding[] => findings.map((finding) => (finding.id === id ? { ...finding, outcome } : finding));

const LONGEST_SUBJECT = 72;

/** A commit that names its task. */
export function commitMessage(task: ProjectTask, summary: string, isSimulated: boolean): string {
  const whole = `${task.finding ?? task.id}: ${task.title}`.replaceAll(/\s+/g, ' ').trim();
  const subject = whole.length <= LONGEST_SUBJECT ? whole : `${whole.slice(0, LONGEST_SUBJECT).replace(/ \S*$/, '')} …`;
  const note = isSimulated ? 'Made by a simulated model.' : '';
  return [subject, summary.slice(0, 4_000), note].filter(Boolean).join('\n\n');
}
