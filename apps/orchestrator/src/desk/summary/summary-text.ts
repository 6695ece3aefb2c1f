import type { ProjectSummary } from '#contracts';
import { STATUS_UNKNOWN } from '#modes';
import { inline } from '#team';

/** Longer than anything in a summary. */
const LINE = 4_000;
const line = (text: string): string => inline(text, LINE);

/** The same as markdown. The first three lines say how it stands, who is waited for and what to do. */
export function summaryText(summary: ProjectSummary): string {
  const { project, waitingFor: waiting, plan, uncommitted, findings, problems, log, unknown, next } = summary;
  const { seq } = project.checkpoint;
  const sections: readonly (readonly [string, readonly string[]])[] = [
    [
      'Waits for',
      waiting === null
        ? []
        : [
            ...(waiting.why === null ? [] : [`- why: ${line(waiting.why)}`]),
            ...(waiting.answer === null ? [] : [`- answer: \`${waiting.answer.replaceAll('`', '')}\``]),
          ],
    ],
    ['Next', next.slice(1).map((one) => `- ${line(one)}`)],
    ['Unknown', [...unknown.items.map(({ what, then }) => `- ${STATUS_UNKNOWN}: ${line(what)}. Then: ${line(then)}.`), ...moreOf(unknown.more)]], // prettier-ignore
    ['Current step', summary.current.map((one) => `- ${line(one)}`)],
    [`Plan, ${String(plan.done)} of ${String(plan.total)} done`, [...plan.items.map(({ box, text }) => `- [${box}] ${line(text)}`), ...moreOf(plan.more)]], // prettier-ignore
    ['Uncommitted work', uncommittedLines(uncommitted)],
    ['Budget', budgetLines(summary.budget)],
    [`Findings: P0 ${String(findings.counts.P0)}, P1 ${String(findings.counts.P1)}, P2 ${String(findings.counts.P2)}`, [...findings.open.map((one) => `- open: ${line(one)}`), ...moreOf(findings.more)]], // prettier-ignore
    ['Problems', [...problems.items.map((one) => `- ${line(one)}`), ...moreOf(problems.more)]],
    ['Log', [...log.rows.map((one) => `- ${line(one)}`), ...moreOf(log.more)]],
    [
      'Project',
      [
        `- id: ${project.id}`,
        `- request: ${line(project.request)}`,
        ...(project.repo === null ? [] : [`- repository: ${line(project.repo)}`]),
        ...(project.branch === null ? [] : [`- branch: ${line(project.branch)}`]),
        `- checkpoint: ${String(seq)}, ${project.updatedAt}`,
      ],
    ],
  ];
  const body = sections.flatMap(([title, lines]) => (lines.length === 0 ? [] : ['', `## ${title}`, '', ...lines]));
  return `${[...summary.headline.map((one) => line(one)), ...body].join('\n')}\n`;
}

const moreOf = (more: number): readonly string[] => (more > 0 ? [`- and ${String(more)} more`] : []);

function uncommittedLines({ isKnown, files, more }: ProjectSummary['uncommitted']): readonly string[] {
  const said = [...files.map((one) => `- ${line(one)}`), ...moreOf(more)];
  if (!isKnown) return [...said, `- ${STATUS_UNKNOWN}: git could not say all of it`];
  return said;
}

function budgetLines(budget: ProjectSummary['budget']): readonly string[] {
  if (budget === null) return [];
  const { usd, tokens } = budget;
  return [
    `- USD: ${usd.used} used, ${usd.reserved ?? '0'} reserved, cap ${usd.cap ?? 'none'}`,
    `- tokens: ${String(tokens.used)} used, ${String(tokens.reserved ?? 0)} reserved, cap ${tokens.cap === null ? 'none' : String(tokens.cap)}`,
  ];
}
