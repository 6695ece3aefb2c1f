import type { TeamMember } from '#contracts';
import { LONGEST } from '../bounds.js';
import type { Health } from '../health.js';
import type { Review } from '../review/read-review.js';
import { findingLines } from './finding-lines.js';
import { block, inline, pageOf, simulatedNote } from './page-text.js';

const MOST_OF_BODY = 1_000;

/** agent-outputs/<agent>.md: what one reviewer handed in. */
export function agentPage(member: TeamMember, review: Review, health: Health, isSimulated = false): string {
  const summary = block(review.summary, LONGEST.summary);
  return pageOf([
    `# ${inline(member.agent)}`,
    '',
    ...simulatedNote(isSimulated),
    `- teammate: ${inline(member.teammate)}`,
    `- tier: ${member.tier}`,
    `- critical: ${member.isCritical ? 'yes' : 'no'}`,
    `- health: ${health}`,
    ...review.notes.slice(0, 20).map((note) => `- note: ${inline(note)}`),
    '',
    '## Summary',
    '',
    ...(summary.length === 0 ? ['Nothing.'] : summary),
    '',
    '## Findings',
    ...findingLines(review.findings, MOST_OF_BODY),
  ]);
}
