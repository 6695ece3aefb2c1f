import type { Finding, FindingRelation, ProjectTask } from '#contracts';
import { asksOnlyForFailures, failuresInScope, isAboutFailures, namesFailure, speaksOfFailures } from '#proof';
import { planTasks } from '#team';
import { type ApprovedStep, arrangeAroundSteps } from './approved-steps.js';
import { findListedName } from './listed-name.js';
import { acceptedKind, withUsableKinds } from './kinds-of-parts.js';
import type { PlannerOutput } from './plan.prompt.js';
import type { RequestPart, RequestPlan } from './request-plan.js';

/** Which findings beside the request are fixed too. */
export type Asides = 'P1' | 'P0' | 'none';

export interface PlanGiven {
  readonly request: string;
  /** The planner's answer, or why there is none. */
  readonly planned: PlannerOutput | { readonly failed: string };
  readonly findings: readonly Finding[];
  /** Failing tests of the baseline, with the end of the output that names them. */
  readonly failures: readonly { readonly name: string; readonly output: string }[];
  /** Steps of a plan that a person approved. Each becomes a step, whatever the planner says. */
  readonly approvedSteps: readonly ApprovedStep[];
  readonly asides: Asides;
  readonly goal: 'green' | null;
  readonly tasks: readonly ProjectTask[];
  /** A flaky test covers no part. */
  readonly flaky?: readonly string[];
}

export interface BuiltPlan {
  readonly plan: RequestPlan;
  readonly findings: readonly Finding[];
  /** All tasks: those known before, then those of the plan. */
  readonly tasks: readonly ProjectTask[];
}

const MOST_PARTS = 8;
const MOST_STEPS = 12;
const MOST_ASIDES = 5;
const LONGEST_TITLE = 300;
const LONGEST_TEXT = 8_000;

interface NewStep {
  readonly title: string;
  readonly detail: string;
  readonly parts: readonly number[];
  readonly findings: readonly string[];
  readonly check: string;
}

/** One ordered plan from request, findings and baseline. Without a usable planner answer the request is one step. */
export function buildPlan(given: PlanGiven): BuiltPlan {
  const { request, planned, tasks: known, asides } = given;
  const answer = 'failed' in planned ? null : planned;
  const findings = given.findings.map((finding) => ({ ...finding, relation: relationOf(finding, answer) }));
  const parts = partsOf(answer, given);
  const steps = stepsOf(answer, given, findings, parts.length);
  const covered = new Set(steps.flatMap((step) => step.findings));
  const open = findings.filter(({ id, outcome }) => outcome.kind === 'open' && !covered.has(id));
  const urgent = (relation: FindingRelation): readonly Finding[] => byUrgency(open, relation, ['P0', 'P1']);
  const taskIds = given.approvedSteps.flatMap(({ task }) => task ?? []);
  const around = {
    // Only if no step is left that covers it, a finding that is the request needs a task of its own.
    before: [...urgent('before'), ...(taskIds.length > 0 ? urgent('is-request') : [])],
    after: urgent('after'),
    asides: selectAsides(open, asides),
  };
  const made = taskIds.length > 0 ? [] : planTasks({ ...around, steps }, known);
  const tasks = taskIds.length > 0 ? arrangeAroundSteps(known, around) : [...known, ...made];
  const ids = taskIds.length > 0 ? taskIds : made.filter(({ kind }) => kind === 'request').map(({ id }) => id);
  const linked = (answer?.parts ?? []).flatMap(({ failingTests }) => failingTests);
  const proposed = matchNames(
    [...(answer?.failuresInScope ?? []), ...linked],
    given.failures.map(({ name }) => name),
  );
  const scope = failuresInScope({ request, steps, failures: given.failures, proposed, goal: given.goal });
  const requestClass = answer?.class ?? 'behaviour';
  const covering = new Set(parts.flatMap(({ failingTests }) => failingTests));
  // The planner may be wrong about a test that is about no part: an independent agent may take it out of the scope.
  const isCertain = (name: string): boolean => given.goal === 'green' || covering.has(name);
  const plan: RequestPlan = {
    class: requestClass,
    parts: [...parts],
    steps: steps.map(({ title, parts: numbers, findings: fixed, check }, index) => ({
      task: ids[index] ?? '',
      title,
      parts: [...numbers],
      findings: [...fixed],
      check,
    })),
    scope: [...scope].map(([name, reason]) => ({
      name,
      reason,
      ...(!isCertain(name) && { isGuess: true }),
    })),
    fallback: 'failed' in planned ? planned.failed : null,
  };
  return { plan, findings, tasks };
}

/** The planner has seen all findings together, so its word counts more than one reviewer's. */
const relationOf = ({ id, relation }: Finding, answer: PlannerOutput | null): FindingRelation =>
  answer?.findings.find((one) => one.id === id)?.relation ?? relation;

function partsOf(answer: PlannerOutput | null, given: PlanGiven): readonly RequestPart[] {
  const { request, failures } = given;
  const names = failures.map(({ name }) => name);
  const all = (answer?.parts ?? []).map(({ title, interface: seen, failingTests, kind }, index): RequestPart => {
    const part = {
      title: title.slice(0, LONGEST_TITLE),
      interface: seen.slice(0, LONGEST_TEXT),
      failingTests: matchNames(failingTests, names).filter((name) => isCheckOf(answer, index, given, name)),
    };
    return { ...part, ...acceptedKind(kind, part) };
  });
  const parts = foldSurplus(withUsableKinds(answer?.class ?? 'behaviour', all), MOST_PARTS, (last, more) => ({
    title: [last, ...more].map(({ title }) => title).join('; '),
    interface: [last, ...more]
      .map((part) => part.interface)
      .join('\n')
      .slice(0, LONGEST_TEXT),
    // A test of one of them would prove all of them: a check is written for the whole.
    failingTests: [],
  }));
  return parts.length > 0 ? parts : [{ title: request.slice(0, LONGEST_TITLE), interface: '', failingTests: [] }];
}

/** What is beyond a bound becomes a part of the last one: nothing that was asked for may get lost. */
function foldSurplus<T>(all: readonly T[], most: number, join: (last: T, more: readonly T[]) => T): readonly T[] {
  const [last, ...more] = all.slice(most - 1);
  return last === undefined || more.length === 0 ? all : [...all.slice(0, most - 1), join(last, more)];
}

/**
 * Whether a failing test may be the check of a part: the part, or a step that works on it, names what the test is
 * about. Otherwise an unrelated test would prove the part, and an author writes a check instead.
 */
function isCheckOf(answer: PlannerOutput | null, index: number, given: PlanGiven, test: string): boolean {
  const { request, failures, flaky = [] } = given;
  const failure = failures.find(({ name }) => name === test);
  if (!failure || flaky.includes(test)) return false;
  const { parts = [], steps = [] } = answer ?? {};
  const part = parts[index];
  const works = steps.filter((step) => step.parts.includes(index + 1));
  const own = works.filter((step) => step.parts.length === 1).map(({ title }) => title);
  const titles = [...(part ? [part.title, part.interface] : []), ...own];
  if (asksOnlyForFailures(request)) return true;
  // Of several parts, only some may be about them.
  if (isAboutAll(given) && (parts.length === 1 || titles.some(isAboutFailures))) return true;
  const texts = [
    ...(part ? [part.title, part.interface] : []),
    ...works.flatMap(({ title, detail }) => [title, detail]),
    ...(parts.length === 1 ? [request] : []),
  ];
  return namesFailure(texts.join('\n'), failure);
}

/** Whether failing tests in general have to pass. */
const isAboutAll = ({ goal, request }: PlanGiven): boolean => goal === 'green' || speaksOfFailures(request);

const matchNames = (said: readonly string[], listed: readonly string[]): string[] => [
  ...new Set(said.flatMap((name) => findListedName(name, listed) ?? [])),
];

function stepsOf(
  answer: PlannerOutput | null,
  { request, approvedSteps, tasks }: PlanGiven,
  findings: readonly Finding[],
  partCount: number,
): readonly NewStep[] {
  const all = Array.from({ length: partCount }, (_, index) => index + 1);
  const requested = findings.filter(({ relation }) => relation === 'is-request').map(({ id }) => id);
  // An aside is a task of its own, which is taken back if it does harm.
  const known = new Set(findings.filter(({ relation }) => relation !== 'aside').map(({ id }) => id));
  const each = (answer?.steps ?? []).map((step): NewStep => ({
    title: step.title.slice(0, LONGEST_TITLE),
    detail: step.detail.slice(0, LONGEST_TEXT),
    parts: [...new Set(step.parts.map((part) => Math.min(part, partCount)))].filter((part) => all.includes(part)),
    findings: step.findings.filter((id) => known.has(id)),
    check: step.check.slice(0, LONGEST_TITLE),
  }));
  // If steps were approved, each of the planner's belongs to one of them.
  const planned = approvedSteps.length > 0 ? each : foldSurplus(each, MOST_STEPS, joinSteps);
  const steps = approvedSteps.length > 0 ? mergeApproved(approvedSteps, planned, all) : planned;
  const whole = steps.length > 0 ? steps : [{ ...WHOLE_REQUEST, title: request.slice(0, LONGEST_TITLE), parts: all }];
  // Of the steps of work mode some may be done already. They cover no finding.
  const done = new Set(tasks.filter(({ kind, status }) => kind === 'step' && !isOpen(status)).map(({ id }) => id));
  const covers = whole.map((_, index) => !done.has(approvedSteps[index]?.task ?? ''));
  const named = new Set(whole.flatMap((step, index) => (covers[index] === true ? step.findings : [])));
  // A finding that is the request is fixed by the request, whether the planner says by which step or not.
  const left = requested.filter((id) => !named.has(id));
  const last = covers.lastIndexOf(true);
  return whole.map((step, index) => ({
    ...step,
    findings: [...(covers[index] === true ? step.findings : []), ...(index === last ? left : [])],
  }));
}

const isOpen = (status: ProjectTask['status']): boolean => status === 'pending' || status === 'in_progress';

const joinSteps = (last: NewStep, more: readonly NewStep[]): NewStep => ({
  title: last.title,
  detail: [last, ...more]
    .map(({ title, detail }) => `${title}\n${detail}`.trim())
    .join('\n\n')
    .slice(0, 2 * LONGEST_TEXT),
  parts: [...new Set([last, ...more].flatMap(({ parts }) => parts))],
  findings: [...new Set([last, ...more].flatMap(({ findings }) => findings))],
  check: [last, ...more].map(({ check }) => check).join('; '),
});

const WHOLE_REQUEST = { detail: '', findings: [], check: 'the request is fulfilled' } as const;

/** Each approved step stays a step of its own. The planner's details are added if it planned the same number. */
function mergeApproved(
  approved: PlanGiven['approvedSteps'],
  planned: readonly NewStep[],
  parts: readonly number[],
): readonly NewStep[] {
  const isSame = planned.length === approved.length;
  return approved.map(({ title, detail, check }, index) => {
    const match = isSame ? planned[index] : undefined;
    const isLast = index === approved.length - 1;
    return {
      title: title.slice(0, LONGEST_TITLE),
      detail: [detail, match?.detail ?? ''].filter((text) => text !== '').join('\n\n'),
      parts: match?.parts ?? (isLast ? parts : []),
      findings: match?.findings ?? (isLast ? planned.flatMap((step) => step.findings) : []),
      check: check === '' ? (match?.check ?? '') : check,
    };
  });
}

const ASIDE_LEVELS: Readonly<Record<Asides, readonly Finding['priority'][]>> = {
  P1: ['P0', 'P1'],
  P0: ['P0'],
  none: [],
};

/** The findings beside the request that are fixed too. `taken` of them are tasks already. */
export const selectAsides = (findings: readonly Finding[], asides: Asides, taken = 0): readonly Finding[] =>
  byUrgency(findings, 'aside', ASIDE_LEVELS[asides]).slice(0, Math.max(0, MOST_ASIDES - taken));

function byUrgency(
  findings: readonly Finding[],
  relation: FindingRelation,
  levels: readonly Finding['priority'][],
): readonly Finding[] {
  const related = findings.filter((finding) => finding.relation === relation);
  return levels.flatMap((level) => related.filter(({ priority }) => priority === level));
}
