import type { Finding, Priority, Team } from '#contracts';
import { findingCounts } from '../findings/merge-findings.js';
import type { HandedIn } from '../handed-in.js';
import type { Health } from '../health.js';
import type { Review } from '../review/read-review.js';
import { findingLines } from './finding-lines.js';
import { block, inline, MOST_NOTES, pageOf, shortNumber, simulatedNote } from './page-text.js';

/** What one reviewer handed in, and whether it counts. */
export interface AgentReview extends Review {
  readonly agent: string;
  readonly health: Health;
  /** Why it was lost or skipped, where that says more than its health. */
  readonly why?: string | null;
  readonly status?: HandedIn['status'];
}

export interface Synthesis {
  readonly request: string;
  readonly team: Team;
  readonly skillsByAgent: Readonly<Record<string, readonly string[]>>;
  readonly reviews: readonly AgentReview[];
  readonly findings: readonly Finding[];
  /** How many more there were, less urgent than these. */
  readonly leftOut?: number;
  readonly isSimulated?: boolean;
}

const MOST = { request: 20_000, summary: 2_000, body: 500, names: 50 } as const;

/** SYNTHESIS.md: what the whole team found, and what is to become of it. */
export function synthesisPage(synthesis: Synthesis): string {
  const { request, team, skillsByAgent, reviews, findings, leftOut = 0, isSimulated } = synthesis;
  return pageOf([
    '# Synthesis',
    '',
    ...simulatedNote(isSimulated ?? false),
    '## Request',
    '',
    ...block(request, MOST.request),
    ...section('Team', teamLines(team)),
    ...section('Skills used', skillLines(skillsByAgent)),
    ...section('What each agent says', reviews.flatMap(reviewLines)),
    ...section('Consolidated findings', [
      `${countsOf(findings)}${leftOutOf(leftOut)}`,
      ...findingLines(findings, MOST.body),
    ]),
    ...section('Recommended actions', [
      'As the reviewers relate their findings to the request. The planner may decide otherwise: PLAN.md has the steps.',
      '',
      ...ACTIONS.map(([words, isMeant]) => actionOf(words, findings.filter(isMeant))),
    ]),
  ]);
}

const isUrgent = ({ priority }: Finding): boolean => priority !== 'P2';

/** What becomes of findings, by how they relate to the request. Each finding is in one line. */
const ACTIONS: readonly (readonly [words: string, isMeant: (finding: Finding) => boolean])[] = [
  ['block (fixed first: the request waits for them)', (one) => one.relation === 'before' && isUrgent(one)],
  ['fix (part of the request)', ({ relation }) => relation === 'is-request'],
  ['fix (after the request, on its result)', (one) => one.relation === 'after' && isUrgent(one)],
  [
    'fix last (about something else: only if `asides` allows it, at most five, and they never hold up the request)',
    (one) => one.relation === 'aside' && isUrgent(one),
  ],
  ['consider (left to people)', (one) => one.relation !== 'is-request' && !isUrgent(one)],
];

const section = (title: string, lines: readonly string[]): readonly string[] => [
  '',
  `## ${title}`,
  '',
  ...(lines.length === 0 ? ['None.'] : lines),
];

const teamLines = ({ name, domains, members }: Team): readonly string[] => [
  `${inline(name)}${domains.length === 0 ? '' : `: ${listed(domains)}`}`,
  '',
  '| agent | tier | critical | score | why |',
  '| --- | --- | --- | --- | --- |',
  ...members.map(({ agent, tier, isCritical, score, reasons }) => {
    const cells = [inline(agent), tier, isCritical ? 'yes' : 'no', shortNumber(score), inline(reasons.join('; '), 300)];
    return `| ${cells.join(' | ')} |`;
  }),
];

const skillLines = (skillsByAgent: Synthesis['skillsByAgent']): readonly string[] =>
  Object.entries(skillsByAgent)
    .filter(([, skills]) => skills.length > 0)
    .map(([agent, skills]) => `- ${inline(agent)}: ${listed(skills)}`);

function reviewLines(review: AgentReview, index: number): readonly string[] {
  const said = block(review.summary, MOST.summary);
  const facts = [factsOf(review), ...review.notes.slice(0, MOST_NOTES).map((note) => `- note: ${inline(note)}`)];
  const title = `### ${inline(review.agent)}`;
  return [...(index === 0 ? [] : ['']), title, '', ...facts, ...(said.length === 0 ? [] : ['', ...said])];
}

/** Numbers only of a review that counts: none of what was lost would read as if all were well. */
function factsOf({ health, status, why = null, findings }: AgentReview): string {
  if (status === 'partial') return `Partial output only (${inline(why ?? health, 300)}). ${countsOf(findings)}`;
  return health === 'good' && why === null
    ? countsOf(findings)
    : `It handed in nothing that counts (${inline(why ?? health, 300)}).`;
}

function countsOf(findings: readonly { readonly priority: Priority }[]): string {
  const { P0, P1, P2 } = findingCounts(findings);
  return `P0: ${String(P0)}, P1: ${String(P1)}, P2: ${String(P2)}`;
}

const leftOutOf = (count: number): string =>
  count === 0 ? '' : `; ${String(count)} more, less urgent, are in the pages of their agents alone`;

const actionOf = (words: string, findings: readonly Finding[]): string =>
  `- ${words}: ${findings.length === 0 ? 'none' : findings.map(({ id }) => id).join(', ')}`;

function listed(names: readonly string[]): string {
  const shown = names.slice(0, MOST.names).map((name) => inline(name));
  const more = names.length - shown.length;
  return [...shown, ...(more > 0 ? [`and ${String(more)} more`] : [])].join(', ');
}
