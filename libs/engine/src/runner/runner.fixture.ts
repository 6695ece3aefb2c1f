import {
  type Activity, type ActivityContext, defineMachine, initialSnapshot, isRunnable, type Machine, type MachineRegistry,
  ProjectRunner, report, type RunnableMachine, type RunnerPolicy, type SignalBody, silentProbe, statusOf,
} from '../index.js'; // prettier-ignore
import { type Clock, type Json, newId, systemClock } from '#kernel';
import { MemoryStore } from '#testing';

export const POLICY: RunnerPolicy = {
  abortDeadlineMs: 50,
  stepRetries: 1,
  stepBackoffMs: 1,
  checkpointEveryMs: 60_000,
};

/** One project on a store in memory, driven by hand: no loops, no timers, no luck. */
export class Bench {
  readonly store = new MemoryStore(() => this.now);
  readonly id = newId();
  now = 0;
  private readonly registry: MachineRegistry;

  constructor(
    readonly runnable: RunnableMachine,
    others: readonly RunnableMachine[] = [],
    private readonly policy: RunnerPolicy = POLICY,
    private readonly clock: Clock = systemClock,
  ) {
    const all = [runnable, ...others];
    this.registry = {
      resolve: async (name) => ({ kind: 'runnable', runnable: all.find((one) => one.machine.name === name)! }),
      newest: (name) => all.find((one) => one.machine.name === name),
    };
    this.create(this.id, runnable.machine);
  }

  create(id: string, machine: Machine, context: Record<string, Json> = {}): void {
    const snapshot = initialSnapshot(machine, context);
    this.store.create({
      facts: {
        id, name: `p-${id}`, machine: machine.name, machineVersion: 1, request: 'r', parameters: {}, repo: null,
        parent: null, startedBy: 'human', traceparent: null,
      },
      snapshot,
      status: statusOf(machine, snapshot),
      runnable: isRunnable(machine, snapshot),
    }); // prettier-ignore
  }

  /** A runner that holds the project, as a worker would make one; null when there is nothing to do. */
  async claim(id = this.id, worker = 'w1'): Promise<ProjectRunner | null> {
    await this.store.heartbeat(worker, 1_000);
    const claim = await this.store.claim(id, worker);
    if (claim.kind !== 'claimed') return null;
    const resolved = await this.registry.resolve(claim.project.facts.machine, 1);
    if (resolved.kind !== 'runnable') return null;
    const parts = {
      store: this.store,
      machines: this.registry,
      clock: this.clock,
      probe: silentProbe,
      policy: this.policy,
      nudgeRelay: () => undefined,
    };
    return new ProjectRunner(parts, claim.project, resolved.runnable);
  }

  async drive(id = this.id, worker = 'w1'): Promise<void> {
    await (await this.claim(id, worker))?.drive();
  }

  command(command: Extract<SignalBody, { kind: 'command' }>['command'], visit = 1): void {
    this.store.signal(this.id, 'human', { kind: 'command', id: newId(), command, visit });
  }

  get project() {
    const project = this.store.projects.get(this.id);
    if (!project) throw new Error('the project is gone');
    return project;
  }

  get events(): string[] {
    return this.project.events.map((event) => event.type);
  }
}

/** WORKING --done--> DONE, with whatever activity is to be tried. */
export const oneStep = (work: Activity): RunnableMachine => ({
  machine: defineMachine(
    'one-step',
    1,
    {
      WORKING: { do: 'work', on: { done: 'DONE', SKIP: 'DONE' } },
      DONE: { end: 'completed' },
      STOPPED: { end: 'aborted' },
    },
    { abortTo: 'STOPPED' },
  ),
  guards: {},
  activities: { work },
});

export const done = report('done');
export const once = (run: () => Promise<number>) => (context: ActivityContext) =>
  context.effect({ step: 'count', settle: { kind: 'repeat' }, run }).then(() => done);

/** An effect that runs until it is let go, and tells when it has begun. */
export function held() {
  let begin: () => void = () => undefined;
  let letGo: () => void = () => undefined;
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const released = new Promise<void>((resolve) => (letGo = resolve));
  return { begun, letGo, begin, released };
}
