import type { UnheardNote } from '#contracts';
import type { ActivityContext } from '#engine';
import { provenOf } from '#kernel';
import type { VerifyReport } from '#workspace';
import type { Spending } from '../history.js';
import {
  changeLines,
  type Changes,
  costLines,
  countWords,
  fenced,
  oneLine,
  section,
  unheardLines,
} from '../shared/page-parts.js';
import { contextOf } from '../coding/context.js';
import { firstLine } from '../coding/screen-lines.js';
import { mergeLines, proofSections } from '../coding/readable/proof-sections.js';
import { baselineOf } from '../shared/work-parts.js';

type Scene = Pick<ActivityContext, 'project' | 'context' | 'state'>;

/** SUMMARY.md: what became of the errand, for whoever opens the repository. */
export function summaryPage(scene: Scene, spending: Spending, unheard: readonly UnheardNote[]): string {
  const { project, context, state } = scene;
  const recorded = context['recorded'] as string | undefined;
  const lines = [
    `# ${project.name}`,
    '',
    `${simulatedNote(scene, spending)}${describeResult(scene, isSimulated(scene, spending))}`,
    '',
    `- request: ${oneLine(project.request)}`,
    `- end: ${state}${recorded === undefined ? ', nothing committed' : ''}`,
    ...provenLines(scene, isSimulated(scene, spending)),
    `- branch: ${textOf(context['branch'])}`,
    `- commit: ${recorded ?? 'none'}`,
    `- sandbox: ${textOf(context['sandbox'])}`,
    `- tests before: ${countWords(baselineOf(scene))}`,
    `- tests after: ${countWords((context['verification'] as unknown as VerifyReport | undefined) ?? null)}`,
    ...(typeof context['doubt'] === 'string' ? [`- doubt: ${oneLine(context['doubt'])}`] : []),
    ...notesOf(scene).map((note) => `- note: ${oneLine(note)}`),
    ...section('Why it stopped', recorded === undefined ? fenced(blockOf(scene)) : []),
    ...section('What changed', changesOf(scene)),
    ...section('What the agent said', [saidBy(scene)]),
    ...proofSections(scene),
    ...section('How to merge it', recorded === undefined ? [] : mergeLines(scene)),
    ...section('Notes that no agent read', unheardLines(unheard)),
    ...section('What it cost', costLines(spending)),
  ];
  return `${lines.join('\n')}\n`;
}

/** The agent's own page. */
export const saidPage = (scene: Scene, spending: Spending): string =>
  `# ${scene.project.name}\n\n${simulatedNote(scene, spending)}${saidBy(scene)}\n`;

const saidBy = ({ context }: Scene): string => (typeof context['said'] === 'string' ? context['said'] : 'Nothing.');

const simulatedNote = (scene: Scene, spending: Spending): string =>
  isSimulated(scene, spending) ? '**Done by a simulated model.**\n\n' : '';

const isSimulated = ({ context }: Scene, { total }: Spending): boolean =>
  context['simulated'] === true || total.simulatedCalls > 0;

/** The result in one line, for a reader who reads no further. */
function describeResult(scene: Scene, simulated: boolean): string {
  const { context } = scene;
  if (typeof context['recorded'] !== 'string') return '**Stopped before the end.** Nothing is committed.';
  const { shown, more } = changesIn(scene);
  const count = shown.length + more;
  const files = `${String(count)} ${count === 1 ? 'file' : 'files'} changed in one commit.`;
  return `${context['isProven'] === true && !simulated ? '**Done and proven.**' : '**Not proven.**'} ${files}`;
}

function provenLines({ context }: Scene, simulated: boolean): string[] {
  const isCompleted = typeof context['recorded'] === 'string';
  const proven = provenOf({ isProven: context['isProven'], isSimulated: simulated, isCompleted });
  return proven === null ? [] : [`- proven: ${proven}`];
}

const notesOf = ({ context }: Scene): readonly string[] => (context['notes'] as readonly string[] | undefined) ?? [];

/** What stood in its way last; null where nothing did. */
function blockOf({ context }: Scene): string | null {
  const { block } = contextOf({ context });
  return block ? firstLine(block.message) : null;
}

const changesIn = ({ context }: Scene): Changes =>
  (context['files'] as unknown as Changes | undefined) ?? { shown: [], more: 0 };

const changesOf = (scene: Scene): string[] => changeLines(changesIn(scene));

const textOf = (value: unknown): string => (typeof value === 'string' ? value : 'none');
