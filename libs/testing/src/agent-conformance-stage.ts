import type { AgentOutcome, AgentRuntime, AgentScene, AgentTask } from '#agents';
import {
  defineMachine, initialSnapshot, isRunnable, type Lease, type MachineRegistry, ProjectRunner, report,
  type RunnableMachine, silentProbe, statusOf, type Write, type WriteResult,
} from '#engine'; // prettier-ignore
import { newId, systemClock } from '#kernel';
import { MemoryStore } from './memory/index.js';

const machine = defineMachine(
  'agent-at-work',
  1,
  { WORKING: { do: 'work', on: { done: 'OVER', SKIP: 'OVER' } }, OVER: { end: 'completed' } },
  { abortTo: 'OVER' },
);

const LEASE_MS = 1_000;

/** A store whose writer dies at its n-th write: that one and all that follow do not happen. */
class MortalStore extends MemoryStore {
  private left = Infinity;
  writes = 0;

  /** The current holder dies instead of its n-th write from now on. */
  dieAtWrite(nth: number): void {
    this.left = nth;
  }

  get hasDied(): boolean {
    return this.left <= 0;
  }

  override async write(lease: Lease, write: Write): Promise<WriteResult> {
    this.left -= 1;
    if (this.hasDied) return { kind: 'stale' };
    this.writes += 1;
    return super.write(lease, write);
  }
}

/**
 * Runs a task as an activity of the real engine, on a store in memory. The worker can be killed at any of its writes:
 * the next one takes over, and runs the task again from what the journal holds.
 */
export class AgentStage {
  private now = 0;
  private workers = 0;
  readonly store = new MortalStore(() => this.now);
  readonly id = newId();
  /** What the runs of the task came to, in order; one that was interrupted or killed came to nothing. */
  readonly outcomes: AgentOutcome[] = [];
  /** What they threw instead. */
  readonly errors: unknown[] = [];
  private readonly runnable: RunnableMachine;
  private runner: ProjectRunner | null = null;

  constructor(runtime: AgentRuntime, task: AgentTask, scene: Omit<AgentScene, 'activity'>, times = 1) {
    this.runnable = {
      machine,
      guards: {},
      activities: {
        work: async (activity) => {
          for (let time = 0; time < times; time += 1) {
            await runtime.run(task, { ...scene, activity }).then(
              (outcome) => this.outcomes.push(outcome),
              (error: unknown) => {
                this.errors.push(error);
                throw error;
              },
            );
          }
          return report('done');
        },
      },
    };
    const snapshot = initialSnapshot(machine, {});
    this.store.create({
      facts: {
        id: this.id, name: 'agent-at-work', machine: machine.name, machineVersion: 1, request: 'work', parameters: {},
        repo: null, parent: null, startedBy: 'human', traceparent: null,
      },
      snapshot,
      status: statusOf(machine, snapshot),
      runnable: isRunnable(machine, snapshot),
    }); // prettier-ignore
  }

  /** A fresh worker takes the project and drives it until it has ended, waits, or the worker has died. */
  async drive(dieAtWrite = Infinity): Promise<void> {
    this.now += 2 * LEASE_MS;
    this.workers += 1;
    const worker = `worker-${String(this.workers)}`;
    this.store.dieAtWrite(dieAtWrite);
    await this.store.heartbeat(worker, LEASE_MS);
    const claim = await this.store.claim(this.id, worker);
    if (claim.kind !== 'claimed') return;
    const machines: MachineRegistry = {
      resolve: () => Promise.resolve({ kind: 'runnable', runnable: this.runnable }),
      newest: () => this.runnable,
    };
    const policy = { abortDeadlineMs: 5_000, stepRetries: 0, stepBackoffMs: 1, checkpointEveryMs: 600_000 };
    const parts = {
      store: this.store, machines, clock: systemClock, probe: silentProbe, policy, nudgeRelay: () => undefined,
    }; // prettier-ignore
    this.runner = new ProjectRunner(parts, claim.project, this.runnable);
    await this.runner.drive();
  }

  /** Leaves a command, and tells whoever drives the project that there is one. */
  async command(command: 'PAUSE' | 'RESUME'): Promise<void> {
    this.store.signal(this.id, 'human', { kind: 'command', id: newId(), command, visit: 1 });
    await this.runner?.signalled(this.store.projects.get(this.id)?.signals.length ?? 0);
  }

  /** Ends what runs now, as ABORT does. */
  interrupt(): void {
    this.runner?.stop(true);
  }

  /** Ends it at its next safe point, as PAUSE does. */
  pause(): void {
    this.runner?.stop(false);
  }

  get outcome(): AgentOutcome {
    const last = this.outcomes.at(-1);
    if (!last) throw new Error(`the task has no outcome; it threw ${String(this.errors.at(-1))}`);
    return last;
  }

  get events(): readonly { readonly type: string; readonly data: Readonly<Record<string, unknown>> }[] {
    return this.store.projects.get(this.id)?.events ?? [];
  }

  /** How often an effect of the task began, by its step. */
  get starts(): ReadonlyMap<string, number> {
    const effects = [...(this.store.projects.get(this.id)?.effects.values() ?? [])];
    return new Map(effects.map(({ key, starts }) => [key.split('/').slice(2).join('/'), starts]));
  }
}
