import type { UnheardNote } from '#contracts';
import type { ActivityContext } from '#engine';
import { provenOf } from '#kernel';
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
import { firstLine } from '../coding/screen-lines.js';
import { mergeLines, proofSections } from '../coding/readable/proof-sections.js';
import { baselineOf } from '../shared/work-parts.js';
import { errandContextOf } from './context.js';

type Scene = Pick<ActivityContext, 'project' | 'context' | 'state'>;

/** SUMMARY.md: what became of the errand, for whoever opens the repository. */
export function summaryPage(scene: Scene, spending: Spending, unheard: readonly UnheardNote[]): string {
  const { project, state } = scene;
  const { recorded, branch, sandbox, verification, doubt, notes = [] } = errandContextOf(scene);
  const lines = [
    `# ${project.name}`,
    '',
    `${simulatedNote(scene, spending)}${describeResult(scene, isSimulated(scene, spending))}`,
    '',
    `- request: ${oneLine(project.request)}`,
    `- end: ${state}${recorded === undefined ? ', nothing committed' : ''}`,
    ...provenLines(scene, isSimulated(scene, spending)),
    `- branch: ${branch ?? 'none'}`,
    `- commit: ${recorded ?? 'none'}`,
    `- sandbox: ${sandbox ?? 'none'}`,
    `- tests before: ${countWords(baselineOf(scene))}`,
    `- tests after: ${countWords(verification ?? null)}`,
    ...(typeof doubt === 'string' ? [`- doubt: ${oneLine(doubt)}`] : []),
    ...notes.map((note) => `- note: ${oneLine(note)}`),
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

const saidBy = (scene: Scene): string => errandContextOf(scene).said ?? 'Nothing.';

const simulatedNote = (scene: Scene, spending: Spending): string =>
  isSimulated(scene, spending) ? '**Done by a simulated model.**\n\n' : '';

const isSimulated = (scene: Scene, { total }: Spending): boolean =>
  errandContextOf(scene).simulated === true || total.simulatedCalls > 0;

/** The result in one line, for a reader who reads no further. */
function describeResult(scene: Scene, simulated: boolean): string {
  const { recorded, isProven } = errandContextOf(scene);
  if (recorded === undefined) return '**Stopped before the end.** Nothing is committed.';
  const { shown, more } = changesIn(scene);
  const count = shown.length + more;
  const files = `${String(count)} ${count === 1 ? 'file' : 'files'} changed in one commit.`;
  return `${isProven === true && !simulated ? '**Done and proven.**' : '**Not proven.**'} ${files}`;
}

function provenLines(scene: Scene, simulated: boolean): string[] {
  const { recorded, isProven } = errandContextOf(scene);
  const proven = provenOf({ isProven, isSimulated: simulated, isCompleted: recorded !== undefined });
  return proven === null ? [] : [`- proven: ${proven}`];
}

/** What stood in its way last; null where nothing did. */
function blockOf(scene: Scene): string | null {
  const { block } = errandContextOf(scene);
  return block ? firstLine(block.message) : null;
}

const changesIn = (scene: Scene): Changes => errandContextOf(scene).files ?? { shown: [], more: 0 };

const changesOf = (scene: Scene): string[] => changeLines(changesIn(scene));
