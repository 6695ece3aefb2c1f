import { provenOf, type UnheardNote } from '#contracts';
import type { VerifyReport } from '#workspace';
import type { Spending } from '../../history.js';
import {
  changeLines,
  type Changes,
  costLines,
  countWords,
  fenced,
  nameLines,
  oneLine,
  section,
  unheardLines,
} from '../../shared/page-parts.js';
import { judgedAgainst } from '../../shared/judged-against.js';
import { baselineOf } from '../../shared/work-parts.js';
import { contextOf } from '../context.js';
import { deferredOf, findingsOf, problemsOf, reviewsOf, scenariosOf, tasksOf } from '../coding-context.js';
import { deliverablesOf, isEscalated, resultsOf } from '../../work/work-context.js';
import { firstLine } from '../screen-lines.js';
import { leftToPeople } from './left-to-people.js';
import { adviceLines, mergeLines, openPointLines, proofSections } from './proof-sections.js';
import type { Shown } from './seed-state.js';

/** Of failing tests in one line. */
const MOST_NAMES = 20;

export interface Outcome {
  /** Null until the project has ended. */
  readonly end: 'completed' | 'aborted' | null;
  /** What differs from the base commit; null if that is not known. */
  readonly files: Changes | null;
  /** Names of the files on the branch, if only those are known. */
  readonly names: readonly string[];
  readonly unheard: readonly UnheardNote[];
}

/** SUMMARY.md: what changed, what became of each finding, tests before and after, what it cost, what was put off. */
export function summaryPage(scene: Shown, spending: Spending, { end, files, names, unheard }: Outcome): string {
  const { project, context, state } = scene;
  const isSimulated = contextOf(scene).simulated === true || spending.total.simulatedCalls > 0;
  const changed = files ? changeLines(files) : nameLines(names);
  const lines = [
    `# ${project.name}`,
    '',
    ...(isSimulated ? ['**Done by a simulated model.**', ''] : []),
    describeResult(scene, { isSimulated, end, count: files ? files.shown.length + files.more : names.length }),
    '',
    `- request: ${oneLine(project.request)}`,
    `- state: ${state}${end === null ? '' : `, ${end}`}`,
    `- proven: ${provenWords(scene, isSimulated, end === 'completed')}`,
    `- branch: ${oneLine(textOf(context['branch']))}`,
    `- commit: ${textOf(context['commit'])}`,
    `- sandbox: ${textOf(context['sandbox'])}`,
    `- tests before: ${countWords(baselineOf(scene))}`,
    `- tests after: ${countWords(verificationOf(scene))}`,
    ...oldFailureLines(scene),
    ...(typeof context['doubt'] === 'string' ? [`- doubt: ${oneLine(context['doubt'])}`] : []),
    ...(contextOf(scene).notes ?? []).map((note) => `- note: ${oneLine(note)}`),
    ...section('Why it stopped', whyNot(scene)),
    ...section('What changed', changed.length > 0 ? changed : ['Nothing.']),
    ...section('What was done', taskLines(scene)),
    ...proofSections(scene),
    ...section('Open points', openPointLines(scene)),
    ...section('How to merge it', end === 'aborted' ? [] : mergeLines(scene)),
    ...section('Deliverables', deliverableLines(scene)),
    ...section('Checks', checkLines(scene)),
    ...section('Why it escalated', escalationLines(scene)),
    ...section('What the reviewers advised', adviceLines(scene)),
    ...section('Findings', findingLines(scene)),
    ...section('Reviews that are missing', missingLines(scene)),
    ...section('Acceptance', scenarioLines(scene)),
    ...section('Problems on the way', problemLines(scene)),
    ...section('Changes by a person while it waited', leftLines(scene)),
    ...section('Notes that no agent read', unheardLines(unheard)),
    ...section('Assumptions', fenced(textOrNull(context['assumptions']))),
    ...section('Deferred', deferredLines(scene)),
    ...section('What it cost', costLines(spending)),
  ];
  return `${lines.join('\n')}\n`;
}

interface Ending {
  readonly isSimulated: boolean;
  readonly end: Outcome['end'];
  /** Of changed files. */
  readonly count: number;
}

/** The result in one line, for a reader who reads no further. */
function describeResult(scene: Shown, { isSimulated, end, count }: Ending): string {
  const files = `${String(count)} ${count === 1 ? 'file' : 'files'} changed`;
  if (contextOf(scene).order?.variant === 'planning') return '**Planned.** Nothing was changed.';
  if (end === 'aborted') return `**Stopped before the end.** ${files} on the branch.`;
  const isProven = /^yes\b/.test(provenWords(scene, isSimulated, end === 'completed'));
  return isProven ? `**Done and proven.** ${files}.` : `**Not proven.** ${files}.`;
}

function deferredLines(scene: Shown): string[] {
  const left = leftToPeople(findingsOf(scene)).length;
  return [
    ...deferredOf(scene).map(({ title, reason }) =>
      title === reason ? `- ${oneLine(reason)}` : `- ${oneLine(title, 200)}: ${oneLine(firstLine(reason))}`,
    ),
    ...(left > 0 ? [`- ${String(left)} of the findings above: no task fixed them; DEFERRED.md has the options`] : []),
  ];
}

const PUT_OFF = 'not fully: a person put some steps off';

function provenWords({ context }: Shown, isSimulated: boolean, isCompleted: boolean): string {
  if (contextOf({ context }).order?.variant === 'planning')
    return 'nothing was changed: this project only reviews and plans';
  if (provenOf({ isProven: context['isProven'], isSimulated, isCompleted }) === 'simulated') {
    return 'simulated: a simulated model did the work, so it proves nothing about a real one';
  }
  if (context['isAccepted'] !== true) return 'no';
  if (context['isProven'] !== true) {
    // The judge found nothing against what is left.
    const isPutOff = contextOf({ context }).proof?.proven === 'yes';
    return isPutOff ? PUT_OFF : 'no: a person accepted it without proof';
  }
  if (context['isWhollyAccepted'] === true) return 'yes';
  const hasAcceptance = resultsOf({ context }).length === 0 || isEscalated({ context });
  return hasAcceptance ? 'not fully: a person skipped or waived some scenarios' : PUT_OFF;
}

function whyNot({ context }: Shown): readonly string[] {
  const decided = (context['decision'] as Partial<Record<string, unknown>> | null | undefined) ?? {};
  if (decided['decision'] === 'reject') {
    const said = textOrNull(decided['feedback']);
    return [`A person rejected it at the gate ${oneLine(textOf(decided['gate']))}.`, ...(said === null ? [] : ['', ...fenced(said)])]; // prettier-ignore
  }
  if (context['isAccepted'] === true) return [];
  const { block } = contextOf({ context });
  return fenced(block ? firstLine(block.message) : textOrNull(context['why']));
}

const taskLines = (scene: Shown): string[] =>
  tasksOf(scene)
    .filter(({ kind }) => kind !== 'review')
    .map(({ id, title, status, commit, note }) => {
      const where = commit === null ? id : `${id}, commit ${commit.slice(0, 12)}`;
      return `- ${oneLine(title, 200)} (${where}): ${status}${note === null || status === 'deferred' ? '' : `. ${oneLine(note, 300)}`}`;
    });

/** Documents that the project was to write, by where they are. */
const deliverableLines = (scene: Shown): string[] =>
  deliverablesOf(scene).map(({ path, commit, task }) => `- ${oneLine(path)} in ${commit.slice(0, 12)} (${task})`);

const checkLines = (scene: Shown): string[] =>
  resultsOf(scene).map(({ task, evidence: { by, because, quotes } }) => {
    const named = (isDeleted: boolean, words: string): string => {
      const all = quotes.filter((one) => (one.isDeleted ?? false) === isDeleted).map(({ file }) => oneLine(file, 200));
      return all.length === 0 ? '' : `; ${words} ${[...new Set(all)].join(', ')}`;
    };
    const places = `${named(false, 'quoted from')}${named(true, 'deleted:')}`;
    return `- ${task}: held, by ${oneLine(by)}: ${oneLine(because, 600)}${places}`;
  });

const escalationLines = ({ context }: Shown): string[] =>
  ((context['escalatedBecause'] as readonly string[] | undefined) ?? []).map((why) => `- ${oneLine(why, 300)}`);

/** The reason of a finding that was put off stands below, under "Deferred". */
function findingLines(scene: Shown): string[] {
  const putOff = new Set(deferredOf(scene).map(({ reason }) => reason));
  return findingsOf(scene).map(({ id, priority, title, agents, outcome, file }) => {
    const became =
      outcome.kind === 'fixed' ? `fixed in commit ${outcome.commit?.slice(0, 12) ?? 'unknown'}` : outcome.kind;
    const why = outcome.reason === null || putOff.has(outcome.reason) ? '' : `: ${oneLine(outcome.reason, 300)}`;
    return `- ${priority} ${id} ${oneLine(title, 200)}${file === null ? '' : ` (${oneLine(file, 200)})`} [${oneLine(agents.join(', '))}]: ${became}${why}`;
  });
}

const missingLines = (scene: Shown): string[] =>
  reviewsOf(scene)
    .filter(({ status }) => status !== 'done')
    .map(({ agent, status, why }) => {
      const note = status === 'partial' ? 'only its partial output is used: ' : '';
      return `- ${oneLine(agent)}: ${note}${oneLine(why ?? status, 300)}`;
    });

const scenarioLines = (scene: Shown): string[] =>
  scenariosOf(scene).map(({ id, title, verdict }) => `- ${oneLine(title, 200)} (${id}): ${verdict}`);

const problemLines = (scene: Shown): string[] =>
  problemsOf(scene).map(({ title, status, attempts }) => {
    const tried = attempts.map(({ number, tier, outcome }) => `${String(number)} ${tier} model ${outcome}`).join(', ');
    return `- ${oneLine(title, 200)}: ${status}${tried === '' ? '' : `. Attempts: ${tried}`}`;
  });

/** Failures from before the first change, unless the proof lists them. */
function oldFailureLines(scene: Shown): string[] {
  if (contextOf(scene).proof) return [];
  const [before, after] = [baselineOf(scene), verificationOf(scene)];
  const { oldFailures } = after ? judgedAgainst(before, after) : { oldFailures: [] };
  const more = oldFailures.length > MOST_NAMES ? [`and ${String(oldFailures.length - MOST_NAMES)} more`] : [];
  const names = [...oldFailures.slice(0, MOST_NAMES).map((name) => oneLine(name, 200)), ...more];
  return names.length === 0 ? [] : [`- failed before the change and still fail: ${names.join('; ')}`];
}

const verificationOf = ({ context }: Shown): VerifyReport | null => contextOf({ context }).verification ?? null;

/** Whether it became part of the branch or was taken back: it is still there to be looked at. */
const leftLines = ({ context }: Shown): string[] =>
  (contextOf({ context }).leftByPerson ?? []).map((commit) => `- git show ${commit}`);

const textOf = (value: unknown): string => (typeof value === 'string' ? value : 'none');
const textOrNull = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
