import type { ActivityContext } from '#engine';
import type { VerifyReport } from '#workspace';
import { baselineOf } from './errand-context.js';

/** SUMMARY.md: what became of the errand, for whoever opens the repository. */
export function summaryPage(activity: ActivityContext): string {
  const { project, context, state } = activity;
  const recorded = context['recorded'] as string | undefined;
  const lines = [
    `# ${project.name}\n\n${simulatedNote(activity)}- request: ${oneLine(project.request)}`,
    `- end: ${state}${recorded === undefined ? ', nothing committed' : ''}`,
    `- branch: ${textOf(context['branch'])}`,
    `- commit: ${recorded ?? 'none'}`,
    `- sandbox: ${textOf(context['sandbox'])}`,
    `- tests before: ${countsOf(baselineOf(activity))}`,
    `- tests after: ${countsOf((context['verification'] as unknown as VerifyReport | undefined) ?? null)}`,
    ...(typeof context['doubt'] === 'string' ? [`- doubt: ${context['doubt']}`] : []),
    '',
    '## What the agent said',
    '',
    saidBy(activity),
    '',
  ];
  return lines.join('\n');
}

/** The agent's own page. */
export const saidPage = (activity: ActivityContext): string =>
  `# ${activity.project.name}\n\n${simulatedNote(activity)}${saidBy(activity)}\n`;

const saidBy = ({ context }: ActivityContext): string =>
  typeof context['said'] === 'string' ? context['said'] : 'nothing';
const simulatedNote = ({ context }: ActivityContext): string =>
  context['simulated'] === true ? '**Done by a simulated model.**\n\n' : '';

const textOf = (value: unknown): string => (typeof value === 'string' ? value : 'none');
const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').slice(0, 500);

function countsOf(report: VerifyReport | null): string {
  if (!report) return 'not run';
  const counts = report.commands.flatMap((command) => command.counts ?? []);
  const sum = (of: 'passed' | 'failed'): string => String(counts.reduce((total, one) => total + one[of], 0));
  return counts.length === 0 ? report.verdict : `${report.verdict}, ${sum('passed')} passed, ${sum('failed')} failed`;
}
