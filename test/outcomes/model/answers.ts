import type { Change } from '../targets/change.js';
import type { Part, Scenario, Step, Task } from '../targets/target.js';
import type { Conversation } from './conversation.js';
import type { WorkFiles } from './work-files.js';
import { idNear, listedName, numberBefore, numberedLines } from './read-text.js';

/** What an engineer who knows a task says in each role. The values are fitted to the schema afterwards. */

export const stepsOf = ({ steps, parts, request }: Task): readonly Step[] =>
  steps ?? [
    {
      title: (request.split(/[.:](?=\s+[A-Z"]|\s*$)|\n/)[0] ?? request).slice(0, 80),
      detail: request,
      parts: parts.map((_, index) => index),
      check: parts.map(({ title }) => title).join('; '),
    },
  ];

/** What a step costs at most, and how long it takes. */
const ESTIMATES = { costUsd: { low: 0.05, expected: 0.2, high: 2 }, minutes: { low: 1, expected: 3, high: 10 } };

/** A plan for a person to approve. An agent reads whether a step is done, unless a command is given for the first one. */
export const stepPlanOf = (task: Task, command: string | null): object => ({
  summary: task.request,
  steps: stepsOf(task).map((step, index) => ({ ...step, ...ESTIMATES, command: index === 0 ? command : null })),
  risks: [],
});

/** What the step has to change that the text speaks of first; the whole change if it names no step. */
export function askedChange({ steps = [], right }: Task, { text }: Conversation): Change {
  const named = steps
    .map(({ title, change }) => ({ change, at: text.indexOf(title) }))
    .filter(({ at }) => at >= 0)
    .toSorted((a, b) => a.at - b.at);
  return named[0]?.change ?? right;
}

export const reviewOf = (task: Task, read: readonly string[]): unknown => ({
  summary: `I read ${read.join(', ')} and the files around it with the request in mind. ${
    (task.findings ?? []).length === 0 ? 'Nothing stands in its way.' : 'What I found is listed.'
  }`,
  findings: (task.findings ?? []).map((finding) => ({ ...finding, confidence: 0.9 })),
});

/** Parts are counted from the first number that the text gives them, else from 1. */
const partNumber = ({ text }: Conversation, { title }: Part, index: number): number =>
  numberBefore(text, title) ?? index + 1;

/** For each failing test that the text lists under a number: whether a part of the request is about it. */
export const scopeRulingsOf = ({ parts }: Task, { text }: Conversation): unknown => ({
  rulings: numberedLines(text).map(({ number, line }) => ({
    test: number,
    isInScope: parts.some(({ failingTests = [] }) => failingTests.some((title) => line.includes(title))),
    why: 'I compared the test with the request.',
  })),
});

export function planOf(task: Task, talk: Conversation): object {
  const known = task.findings ?? [];
  const ids = known.map((finding) => ({ id: idNear(talk.text, finding.title), relation: finding.relation }));
  const seen = ids.filter(({ id }) => id !== null);
  const covered = seen.filter(({ relation }) => relation !== 'aside').map(({ id }) => id);
  return {
    class: task.class,
    summary: task.request,
    parts: task.parts.map((part) => ({
      ...part,
      failingTests: (part.failingTests ?? []).map((title) => listedName(talk.text, title)),
    })),
    steps: stepsOf(task).map((step, index) => ({
      ...step,
      parts: step.parts.map((nth) => nth + 1),
      findings: index === 0 ? covered : [],
    })),
    findings: seen,
    failuresInScope: [...task.parts.flatMap(({ failingTests = [] }) => failingTests), ...(task.alsoInScope ?? [])].map(
      (title) => listedName(talk.text, title),
    ),
    risks: [],
  };
}

/** The parts that the text names; all of them if it names none. */
export function askedParts({ parts }: Task, { text }: Conversation): readonly Part[] {
  const named = parts.filter(({ title }) => text.includes(title));
  return named.length > 0 ? named : parts;
}

export const checksOf = (task: Task, talk: Conversation, parts: readonly Part[]): object => ({
  checks: parts.map((part) => ({
    part: partNumber(talk, part, task.parts.indexOf(part)),
    title: part.title,
    files: part.check ? [part.check.file] : [],
    command: part.check?.command ?? null,
    why: `It fails until this holds: ${part.title}.`,
  })),
});

/** Whether the files show a change. */
type Shows = (change: Change) => boolean;

/** Reads the result against each part, and says no if the files do not show it. */
export function inspectionOf(task: Task, talk: Conversation, shows: Shows): unknown {
  const isDone = shows(task.right);
  const why = isDone ? 'The files show it.' : 'The files do not show it.';
  const steps = askedSteps(task, talk, shows);
  return {
    parts:
      steps.length > 0
        ? steps
        : task.parts
            .map((part, index) => ({
              part: partNumber(talk, part, index),
              isDone: partIsDone(task, index, shows),
              why,
            }))
            .concat(filesAmongParts(task, talk, shows)),
    findings: (task.findings ?? []).flatMap((finding) => {
      const id = idNear(talk.text, finding.title);
      return id === null ? [] : [{ id, isFixed: shows(finding.fix ?? task.right), why }];
    }),
    tests: (task.contradicted ?? [])
      .filter(({ test }) => talk.text.includes(test))
      .map(({ test, quote }) => ({ test: listedName(talk.text, test), quote, why: 'The request says so.' })),
    demands: (task.demands ?? [])
      .filter(({ change }) => !shows(change))
      .map(({ quote }) => ({ quote, why: 'The files do not show it.' })),
  };
}

/** Steps that the text asks about in words of its own, as it asks about parts. A plan lists them by their titles alone. */
const askedSteps = ({ steps = [], right }: Task, { text }: Conversation, shows: Shows) =>
  steps.flatMap(({ title, check, change = right }) => {
    const part = text.split('\n').flatMap((line) => {
      const [, number, words = ''] = /^(\d{1,3})\. (.+)$/.exec(line) ?? [];
      return number !== undefined && words !== title && words.endsWith(title) ? [Number(number)] : [];
    })[0];
    return part === undefined ? [] : [{ part, isDone: shows(change), why: `I looked for: ${check}.` }];
  });

const FILE_NAME = /\b[\w-]+\.[a-z]{1,5}\b/i;

/** Changed files may stand among the parts, without a title of the task. They are right if they are as the task wants. */
function filesAmongParts({ right, parts, steps = [] }: Task, { text }: Conversation, shows: Shows) {
  const titles = [...parts, ...steps].map(({ title }) => title);
  return numberedLines(text)
    .filter(({ line }) => FILE_NAME.test(line) && !titles.some((title) => line.includes(title)))
    .map(({ number }) => ({ part: number, isDone: shows(right), why: 'I read the files.' }));
}

/** Reads the fix of the finding that the text names. Whether the request allows it is a question for the inspector. */
export function fixReviewOf({ findings = [], right }: Task, { text }: Conversation, files: WorkFiles): unknown {
  const finding = findings.find(({ title }) => text.includes(title));
  const isFixed = finding !== undefined && files.shows(finding.fix ?? right);
  return { isFixed, why: isFixed ? 'The files show the fix.' : 'The files do not show a fix.' };
}

function partIsDone(task: Task, index: number, shows: Shows): boolean {
  const own = (task.steps ?? []).flatMap(({ parts, change }): Change[] =>
    parts.includes(index) && change ? [change] : [],
  );
  return (own.length > 0 ? own : [task.right]).every(shows);
}

/** The scenarios of a plan. `needless` are some that the request does not ask for. */
export const scenariosOf = (
  { scenarios }: Task,
  broken: string | null,
  needless: readonly Scenario[] = [],
): unknown => ({
  scenarios: [...scenarios, ...needless].map(({ title, command }, index) => ({
    title,
    steps: `Run the command. It succeeds if this holds: ${title}.`,
    command: index === 0 && broken !== null ? broken : command,
  })),
});

/** The scenario that a tester is asked to try; the first one if none is named. */
export const askedScenario = (scenarios: readonly Scenario[], { text }: Conversation): string => {
  const found = scenarios.find(({ title }) => text.includes(title)) ?? scenarios[0];
  return found?.command ?? found?.trial ?? 'npm test';
};
