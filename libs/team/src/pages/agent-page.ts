import type { TeamMember } from '#contracts';
import { LONGEST } from '../bounds.js';
import type { HandedIn } from '../handed-in.js';
import type { Health } from '../health.js';
import type { Review } from '../review/read-review.js';
import { findingLines } from './finding-lines.js';
import { block, inline, MOST_NOTES, pageOf, simulatedNote } from './page-text.js';

const MOST_OF_BODY = 1_000;
const MOST_OF_PARTIAL = 20_000;

/** What one reviewer handed in, or why it did not, and what it had said by then. */
export interface HandedOver extends Review {
  readonly why?: string | null;
  readonly status?: HandedIn['status'];
  readonly partial?: string;
}

/** agent-outputs/<agent>.md */
export function agentPage(member: TeamMember, review: HandedOver, health: Health, isSimulated = false): string {
  const summary = block(review.summary, LONGEST.summary);
  const partial = block(review.partial ?? '', MOST_OF_PARTIAL);
  return pageOf([
    `# ${inline(member.agent)}`,
    '',
    ...simulatedNote(isSimulated),
    `- teammate: ${inline(member.teammate)}`,
    `- tier: ${member.tier}`,
    `- critical: ${member.isCritical ? 'yes' : 'no'}`,
    `- health: ${health}`,
    ...(review.why
      ? [`- ${review.status === 'partial' ? 'partial output' : 'left out'}: ${inline(review.why, 300)}`]
      : []),
    ...review.notes.slice(0, MOST_NOTES).map((note) => `- note: ${inline(note)}`),
    '',
    '## Summary',
    '',
    ...(summary.length === 0 ? ['Nothing.'] : summary),
    '',
    '## Findings',
    ...findingLines(review.findings, MOST_OF_BODY),
    ...(partial.length === 0 ? [] : ['', '## What it had said by then', '', ...partial]),
  ]);
}
