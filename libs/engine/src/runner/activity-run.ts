import type { Clock } from '#kernel';
import type { Snapshot } from '../machine/snapshot.js';
import type { Activity, ActivityContext, Child, ChildResult, ProjectFacts, Report } from '../ports/activity.js';
import type { EffectJournal } from './effects.js';
import { AsksPerson, Interrupted, type Interruption, LeaseLost } from './interruption.js';

export type ActivityEnd =
  | { readonly kind: 'reported'; readonly report: Report }
  | { readonly kind: 'interrupted' }
  | { readonly kind: 'asks'; readonly asked: AsksPerson }
  | { readonly kind: 'failed'; readonly error: unknown };

export interface ActivityScene {
  readonly facts: ProjectFacts;
  readonly snapshot: Snapshot;
  readonly checkpoint: () => ActivityContext['checkpoint'];
  readonly effects: EffectJournal;
  readonly interruption: Interruption;
  readonly childResults: (visit: number) => Promise<readonly ChildResult[]>;
  readonly clock: Clock;
  readonly abortDeadlineMs: number;
}

/**
 * Runs one activity to its end, or until it is interrupted. A hard interruption gives it a deadline; an activity that
 * does not end by then is left behind: its effects are refused from then on, and its report is not heard.
 */
export async function runActivity(activity: Activity, scene: ActivityScene): Promise<ActivityEnd> {
  const { interruption } = scene;
  const work = begun(activity, new SceneContext(scene)).then(
    (report): ActivityEnd => ({ kind: 'reported', report }),
    (error: unknown): ActivityEnd => endedBy(error),
  );
  work.catch(() => undefined);
  try {
    const end = await Promise.race([work, deadline(scene)]);
    return interruption.isHard ? { kind: 'interrupted' } : end;
  } finally {
    interruption.abandon();
  }
}

/** How a run ends that goes on for too long after a hard interruption. */
function deadline({ interruption, clock, abortDeadlineMs }: ActivityScene): Promise<ActivityEnd> {
  return new Promise((resolve, reject) => {
    interruption.whenHardened(() => {
      clock.sleep(abortDeadlineMs).then(() => resolve({ kind: 'interrupted' }), reject);
    });
  });
}

/** An activity that throws before its first await fails like any other. */
async function begun(activity: Activity, context: ActivityContext): Promise<Report> {
  return activity(context);
}

function endedBy(error: unknown): ActivityEnd {
  if (error instanceof LeaseLost) throw error;
  if (error instanceof Interrupted) return { kind: 'interrupted' };
  if (error instanceof AsksPerson) return { kind: 'asks', asked: error };
  return { kind: 'failed', error };
}

/** A class, because an object literal with getters has a hidden class of its own each time: they pile up until a full GC. */
class SceneContext implements ActivityContext {
  readonly project: ProjectFacts;
  readonly state: string;
  readonly visit: number;
  readonly incarnation: number;
  readonly context: Snapshot['context'];
  readonly counters: Snapshot['counters'];

  constructor(private readonly scene: ActivityScene) {
    const { state, visit, incarnation, context, counters } = scene.snapshot;
    this.project = scene.facts;
    this.state = state;
    this.visit = visit;
    this.incarnation = incarnation;
    this.context = context;
    this.counters = counters;
  }

  get signal(): AbortSignal {
    return this.scene.interruption.signal;
  }

  get checkpoint(): ActivityContext['checkpoint'] {
    return this.scene.checkpoint();
  }

  readonly effect: ActivityContext['effect'] = (effect) => this.scene.effects.perform(effect);

  readonly joined: ActivityContext['joined'] = async (children) =>
    allResults(children, await this.scene.childResults(this.visit));

  readonly endedChildren: ActivityContext['endedChildren'] = (visit) => this.scene.childResults(visit);
}

/** One that has no result is on its way, or will be when the activity asks for its children. */
function allResults(children: readonly Child[], results: readonly ChildResult[]): readonly ChildResult[] | null {
  const byKey = new Map(results.map((result) => [result.key, result]));
  const found = children.flatMap((child) => byKey.get(child.key) ?? []);
  return found.length === children.length ? found : null;
}
