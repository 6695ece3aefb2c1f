import { type EffectRun, LeaseLost, type LeftBehind } from '#engine';
import { readBody } from '#checkpoints';
import type { MemoryStore } from '../memory/index.js';
import type { Random } from './random.js';
import type { Scheduler, SimProcess } from './scheduler.js';

interface RunningEffect {
  readonly projectId: string;
  readonly key: string;
}

/** The outside world of the simulated drills: what was really done, how often, and what is being done now. */
export class OutsideWorld implements LeftBehind {
  readonly executions = new Map<string, number>();
  readonly files = new Set<string>();
  readonly commits = new Map<string, number>();
  readonly announcements = new Map<string, number>();
  /** What was started and has neither ended nor been ended. */
  readonly running = new Set<RunningEffect>();
  /** What was done when the visit that wanted it was over. */
  readonly outlived: string[] = [];
  /** How often each effect will still fail. */
  private readonly failures = new Map<string, number>();
  private readonly owner: SimProcess;

  constructor(
    private readonly store: MemoryStore,
    private readonly scheduler: Scheduler,
    private readonly random: Random,
  ) {
    this.owner = scheduler.process('outside');
  }

  /**
   * One effect's process. It may start only while its lease stands, and from then on lives a life of its own: it
   * neither dies nor stalls with its worker, but ends when it is done, interrupted, or found by the next holder.
   */
  async perform<T>(run: EffectRun, work: () => T): Promise<T> {
    const { projectId, epoch, workerId } = run.lease;
    const project = this.store.projects.get(projectId);
    if (project?.leaseEpoch !== epoch || project.leaseWorker !== workerId) throw new LeaseLost();
    const process: RunningEffect = { projectId, key: run.key };
    this.running.add(process);
    run.signal.addEventListener('abort', () => this.running.delete(process), { once: true });
    await this.scheduler.after(this.owner, this.durationMs(), run.signal);
    run.signal.throwIfAborted();
    if (!this.running.delete(process)) throw new Error('the process was ended from outside');
    const key = `${projectId}/${run.key}`;
    if (this.isBroken(key)) throw new Error('simulated: the command failed');
    this.executions.set(key, (this.executions.get(key) ?? 0) + 1);
    if (!this.isOfPresentVisit(process)) this.outlived.push(key);
    return work();
  }

  async endAll(projectId: string): Promise<void> {
    for (const process of this.running) if (process.projectId === projectId) this.running.delete(process);
  }

  private isOfPresentVisit({ projectId, key }: RunningEffect): boolean {
    const link = this.store.projects.get(projectId)?.links.at(-1);
    const body = link && readBody(link);
    return body != null && key.startsWith(`${String(body.incarnation)}/${String(body.visit)}/`);
  }

  /** Few effects fail, some of them so often that a person is asked. */
  private isBroken(key: string): boolean {
    const left = this.failures.get(key) ?? (this.random.chance(0.02) ? this.random.between(1, 6) : 0);
    this.failures.set(key, Math.max(0, left - 1));
    return left > 0;
  }

  /** Most are done at once; some outlast the lease of a worker that died. */
  private durationMs(): number {
    return this.random.chance(0.05) ? this.random.between(50, 600) : this.random.below(4);
  }
}
