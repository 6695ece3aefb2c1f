import type { Proven, UnheardNote } from '#contracts';
import { provenOf } from '#kernel';
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
import { describeVerdict } from '../scenario.js';
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
  const { project, state } = scene;
  const known = contextOf(scene);
  const isSimulated = known.simulated === true || spending.total.simulatedCalls > 0;
  const { isProven, isWhollyAccepted } = known;
  const proven = provenOf({ isProven, isWhollyAccepted, isSimulated, isCompleted: end === 'completed' });
  const changed = files ? changeLines(files) : nameLines(names);
  const lines = [
    `# ${project.name}`,
    '',
    ...(isSimulated ? ['**Done by a simulated model.**', ''] : []),
    describeResult(scene, { proven, end, count: files ? files.shown.length + files.more : names.length }),
    '',
    `- request: ${oneLine(project.request)}`,
    `- state: ${state}${end === null ? '' : `, ${end}`}`,
    `- proven: ${provenWords(scene, proven)}`,
    `- branch: ${oneLine(textOf(known.branch))}`,
    `- commit: ${textOf(known.commit)}`,
    `- sandbox: ${textOf(known.sandbox)}`,
    `- tests before: ${countWords(baselineOf(scene))}`,
    `- tests after: ${countWords(verificationOf(scene))}`,
    ...oldFailureLines(scene),
    ...(typeof known.doubt === 'string' ? [`- doubt: ${oneLine(known.doubt)}`] : []),
    ...(known.notes ?? []).map((note) => `- note: ${oneLine(note)}`),
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
    ...section('Assumptions', fenced(textOrNull(known.assumptions))),
    ...section('Deferred', deferredLines(scene)),
    ...section('What it cost', costLines(spending)),
  ];
  return `${lines.join('\n')}\n`;
}

interface Ending {
  readonly proven: Proven | null;
  readonly end: Outcome['end'];
  /** Of changed files. */
  readonly count: number;
}

/** The result in one line, for a reader who reads no further. */
function describeResult(scene: Shown, { proven, end, count }: Ending): string {
  const files = `${String(count)} ${count === 1 ? 'file' : 'files'} changed`;
  if (contextOf(scene).order?.variant === 'planning') return '**Planned.** Nothing was changed.';
  if (end === 'aborted') return `**Stopped before the end.** ${files} on the branch.`;
  return proven === 'yes' ? `**Done and proven.** ${files}.` : `**Not proven.** ${files}.`;
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

/** The same verdict as that of the API, with its reason. */
function provenWords({ context }: Shown, proven: Proven | null): string {
  const { order, isProven, isAccepted, proof } = contextOf({ context });
  const isOfSteps = resultsOf({ context }).length > 0 && !isEscalated({ context });
  if (order?.variant === 'planning') return 'nothing was changed: this project only reviews and plans';
  switch (proven) {
    case 'simulated':
      return 'simulated: a simulated model did the work, so it proves nothing about a real one';
    case 'yes':
      if (isAccepted !== true) return 'yes, but the project stopped before the result was accepted';
      return 'yes';
    case 'no':
    case null:
      if (isAccepted !== true) return 'no';
      // Steps that a person put off are not judged, and the rest may be proven.
      if (isProven !== true && proof?.proven !== 'yes') return 'no: a person accepted it without proof';
      return `no: it is not fully proven, because a person ${isOfSteps || isProven !== true ? 'put some steps off' : 'skipped or waived some scenarios'}`;
  }
}

function whyNot({ context }: Shown): readonly string[] {
  const { decision, isAccepted, block, why } = contextOf({ context });
  if (decision?.decision === 'reject') {
    const said = textOrNull(decision.feedback);
    const rejected = `A person rejected it at the gate ${oneLine(textOf(decision.gate))}.`;
    return [rejected, ...(said === null ? [] : ['', ...fenced(said)])];
  }
  if (isAccepted === true) return [];
  return fenced(block ? firstLine(block.message) : textOrNull(why));
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
  (contextOf({ context }).escalatedBecause ?? []).map((why) => `- ${oneLine(why, 300)}`);

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
  scenariosOf(scene).map((one) => `- ${oneLine(one.title, 200)} (${one.id}): ${describeVerdict(one)}`);

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
