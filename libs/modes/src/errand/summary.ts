import type { CostGroup } from '#contracts';
import type { ActivityContext } from '#engine';
import type { DiffFile, VerifyReport } from '#workspace';
import type { Spending } from '../history.js';
import { baselineOf } from './errand-context.js';

type Scene = Pick<ActivityContext, 'project' | 'context' | 'state'>;

/** Files in one list; the rest is counted, and every checkpoint stays small. */
export const MOST_FILES = 200;

interface Changes {
  readonly shown: readonly DiffFile[];
  readonly more: number;
}

/** SUMMARY.md: what became of the errand, for whoever opens the repository. */
export function summaryPage(scene: Scene, spending: Spending): string {
  const { project, context, state } = scene;
  const recorded = context['recorded'] as string | undefined;
  const lines = [
    `# ${project.name}\n\n${simulatedNote(scene, spending)}- request: ${oneLine(project.request)}`,
    `- end: ${state}${recorded === undefined ? ', nothing committed' : ''}`,
    `- branch: ${textOf(context['branch'])}`,
    `- commit: ${recorded ?? 'none'}`,
    `- sandbox: ${textOf(context['sandbox'])}`,
    `- tests before: ${countsOf(baselineOf(scene))}`,
    `- tests after: ${countsOf((context['verification'] as unknown as VerifyReport | undefined) ?? null)}`,
    ...(typeof context['doubt'] === 'string' ? [`- doubt: ${oneLine(context['doubt'])}`] : []),
    ...notesOf(scene).map((note) => `- note: ${oneLine(note)}`),
    ...section('Why it did not go on', recorded === undefined ? fenced(blockOf(scene)) : []),
    ...section('What changed', changesOf(scene)),
    ...section('What it cost', costsOf(spending)),
    ...section('What the agent said', [saidBy(scene)]),
  ];
  return `${lines.join('\n')}\n`;
}

/** The agent's own page. */
export const saidPage = (scene: Scene, spending: Spending): string =>
  `# ${scene.project.name}\n\n${simulatedNote(scene, spending)}${saidBy(scene)}\n`;

const section = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : ['', `## ${title}`, '', ...lines];

const saidBy = ({ context }: Scene): string => (typeof context['said'] === 'string' ? context['said'] : 'nothing');

const simulatedNote = ({ context }: Scene, { total }: Spending): string =>
  context['simulated'] === true || total.simulatedCalls > 0 ? '**Done by a simulated model.**\n\n' : '';

const notesOf = ({ context }: Scene): readonly string[] => (context['notes'] as readonly string[] | undefined) ?? [];

/** What stood in its way last; null where nothing did. */
function blockOf({ context }: Scene): string | null {
  const block = context['block'] as { readonly cause?: string } | null | undefined;
  return block && typeof context['why'] === 'string' ? `${block.cause ?? ''}: ${context['why']}` : null;
}

/** Indented, so that nothing in it is taken for a part of the page. */
const fenced = (text: string | null): string[] => (text === null ? [] : text.split('\n').map((line) => `    ${line}`));

function changesOf({ context }: Scene): string[] {
  const { shown: files, more } = (context['files'] as unknown as Changes | undefined) ?? { shown: [], more: 0 };
  const shown = files.map(({ path, status, insertions, deletions }) => {
    return `- ${status} \`${oneLine(path)}\`, +${String(insertions)} −${String(deletions)}`;
  });
  return more > 0 ? [...shown, `- and ${String(more)} more`] : shown;
}

function costsOf({ total, byAgent, byModel }: Spending): string[] {
  if (total.calls === 0) return ['Nothing: no model was called.'];
  const line = (title: string, { key, calls, costUsd, unknownCalls }: CostGroup): string =>
    `| ${title} ${key} | ${String(calls)} | ${costUsd ?? 'unknown'} | ${unknownCalls === 0 ? '' : String(unknownCalls)} |`;
  return [
    '| | calls | USD | of unknown cost |',
    '| --- | --- | --- | --- |',
    ...byAgent.map((group) => line('agent', group)),
    ...byModel.map((group) => line('model', group)),
    line('all', { key: '', ...total }),
  ];
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : 'none');
const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').slice(0, 500);

function countsOf(report: VerifyReport | null): string {
  if (!report) return 'not run';
  const counts = report.commands.flatMap((command) => command.counts ?? []);
  const sum = (of: 'passed' | 'failed'): string => String(counts.reduce((total, one) => total + one[of], 0));
  return counts.length === 0 ? report.verdict : `${report.verdict}, ${sum('passed')} passed, ${sum('failed')} failed`;
}
