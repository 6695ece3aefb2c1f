import { type Activity, type ActivityContext, type Guards, report } from '#engine';
import type { Json, JsonObject } from '#kernel';
import { codingMachine, type Mode } from '#modes';
import type { Scratch } from '#workspace';
import type { Random } from './random.js';

/** How a rehearsed project goes. */
interface Course {
  readonly tasks: number;
  /** The task that meets a problem; none if it is 0. */
  readonly hardTask: number;
  /** The attempt that fixes it. */
  readonly fixedBy: number;
  /** How often acceptance fails. */
  readonly failedRounds: number;
  readonly hasExecuteGate: boolean;
  readonly hasCompleteGate: boolean;
}

/** What a rehearsed project knows between two steps. */
interface Progress {
  readonly course: Course;
  readonly isPlanned: boolean;
  readonly done: number;
  readonly attempts: number;
  readonly isHealed: boolean;
  readonly rounds: number;
  readonly tried: number;
  readonly isAccepted: boolean;
}

type Context = Readonly<Record<string, Json>>;
const progressOf = (context: Context): Progress => context as unknown as Progress;

/** More than the ladder has: then a person sends the problem back. */
const MOST_ATTEMPTS = 7;
const SCENARIOS = 2;
const PROBLEM = { problem: 'P-001' };

/** Chosen at the start, so that a history replays. */
export function beginRehearsal(random: Random): JsonObject {
  const tasks = random.between(1, 3);
  const course: Course = {
    tasks,
    hardTask: random.chance(0.5) ? random.between(1, tasks) : 0,
    fixedBy: random.between(1, MOST_ATTEMPTS),
    failedRounds: random.chance(0.3) ? 1 : 0,
    hasExecuteGate: random.chance(0.2),
    hasCompleteGate: random.chance(0.2),
  };
  const none: Progress = {
    course,
    isPlanned: false,
    done: 0,
    attempts: 0,
    isHealed: false,
    rounds: 0,
    tried: 0,
    isAccepted: false,
  };
  return none as unknown as JsonObject;
}

const guards: Guards = {
  'delivery-gate-is-on': () => false,
  'is-planning-variant': () => false,
  'execute-gate-is-on': (context) => progressOf(context).course.hasExecuteGate,
  'complete-gate-is-on': (context) => progressOf(context).course.hasCompleteGate,
  'cause-is-the-budget': () => false,
  'cause-is-not-the-budget': () => true,
  'reviews-remain': () => false,
  'more-work-remains': (context) => progressOf(context).done < progressOf(context).course.tasks,
  'work-awaits-acceptance': (context) => progressOf(context).done > 0 && !progressOf(context).isAccepted,
  'is-complete': (context) => progressOf(context).isAccepted,
};

/**
 * The table of coding mode with activities that only rehearse: their effects are those of the scratch repository. So the
 * way from SCOPING over steps, heal attempts and the proof to the end is simulated too.
 */
export const rehearsedCoding = (scratch: Scratch): Mode => ({
  name: 'coding',
  machine: codingMachine,
  guards,
  activities: activitiesOf(scratch),
  childMachines: [],
  needsRepo: false,
  options: [],
  optionalGates: [],
  roles: [],
  begin: (parameters) => parameters,
});

function activitiesOf(scratch: Scratch): Readonly<Record<string, Activity>> {
  const look = ({ project, effect }: ActivityContext, step: string): Promise<number> =>
    effect({ step, settle: { kind: 'repeat' }, run: (run) => scratch.countFiles(project.id, run) });
  const commit = ({ project, effect, checkpoint }: ActivityContext, message: string): Promise<string> =>
    effect({
      step: 'commit',
      settle: { kind: 'query', find: (run) => scratch.findCommit(project.id, run) },
      run: (run) => scratch.commit(project.id, message, checkpoint, run),
    });
  const plain =
    (step: string, event: string): Activity =>
    async (activity) => {
      await look(activity, step);
      return report(event);
    };
  return {
    'create-project': plain('look', 'project:created'),
    discover: plain('discover', 'team:composed'),
    review: plain('baseline', 'reviews:synthesised'),
    scope: async (activity) => {
      if (!progressOf(activity.context).isPlanned) {
        await look(activity, 'plan');
        return report('plan:drafted', { isPlanned: true });
      }
      await look(activity, 'check-author');
      await Promise.all([look(activity, 'on-base'), look(activity, 'put-back')]);
      return report('plan:ready');
    },
    execute: async (activity) => {
      const { course, done, isHealed } = progressOf(activity.context);
      if (done >= course.tasks) {
        await Promise.all([look(activity, 'base'), look(activity, 'result')]);
        return report('work:verified');
      }
      await look(activity, 'verify');
      if (done + 1 === course.hardTask && !isHealed) return report('problem:found', PROBLEM, PROBLEM);
      await commit(activity, `Task ${String(done + 1)}`);
      return report('task:finished', { done: done + 1 });
    },
    heal: async (activity) => {
      const { course, attempts } = progressOf(activity.context);
      await look(activity, 'healer');
      if (attempts + 1 >= course.fixedBy) return report('problem:fixed', { isHealed: true }, PROBLEM);
      await look(activity, 'take-back');
      return report('attempt:failed', { attempts: attempts + 1 }, PROBLEM);
    },
    'defer-item': async (activity) => {
      const { course, done } = progressOf(activity.context);
      await look(activity, 'defer');
      return report('item:deferred', { done: Math.min(course.tasks, done + 1), isHealed: true });
    },
    accept: async (activity) => {
      const { course, tried, rounds } = progressOf(activity.context);
      await look(activity, 'scenario');
      if (tried < SCENARIOS) return report('uat:continues', { tried: tried + 1 });
      if (rounds < course.failedRounds) return report('uat:failed', { rounds: rounds + 1, tried: 0 });
      return report('uat:passed', { isAccepted: true });
    },
    finalise: async (activity) => {
      await commit(activity, 'The last commit');
      return report('project:finalised');
    },
    'shut-down-team': async ({ project, effect }) => {
      await effect({ step: 'remove', settle: { kind: 'repeat' }, run: (run) => scratch.scrap(project.id, run) });
      return report('team:shut-down');
    },
  };
}
