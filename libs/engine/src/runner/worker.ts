import { type Clock, errorMessage, WorldError } from '#kernel';
import type { MachineRegistry } from '../ports/machine-registry.js';
import type { Claim, ProjectStore } from '../ports/project-store.js';
import type { LeftBehind, Probe, WakeUpQueue, WorkerStore } from '../ports/worker-ports.js';
import { Loops } from './loops.js';
import type { RunnerPolicy } from './project-record.js';
import { ProjectRunner } from './project-runner.js';

export interface WorkerParts {
  readonly store: ProjectStore;
  readonly workers: WorkerStore;
  readonly queue: WakeUpQueue;
  readonly machines: MachineRegistry;
  readonly leftBehind: LeftBehind;
  readonly corruption: CorruptionRule;
  readonly clock: Clock;
  readonly probe: Probe;
}

/** What to do with a project whose newest checkpoint cannot be trusted. Returns true when it can be driven again. */
export interface CorruptionRule {
  apply(projectId: string, found: { seq: number; reason: string }): Promise<boolean>;
}

export interface WorkerOptions {
  readonly id: string;
  readonly maxActive: number;
  readonly leaseMs: number;
  readonly heartbeatMs: number;
  readonly timerMs: number;
  readonly relayMs: number;
  readonly reconcileMs: number;
  readonly runner: RunnerPolicy;
}

const BATCH = 200;

/**
 * One worker: keeps its leases alive, drives projects, and keeps work flowing (timers, outbox, stranded projects).
 * Modes: idle → running (`start`) → stopping (`stop`: no intake, projects handed back) → stopped.
 * Everything it knows can be lost at any moment: the store tells the next worker all there is to know.
 */
export class Worker {
  private readonly active = new Map<string, { runner: ProjectRunner; over: Promise<void> }>();
  private readonly claiming = new Map<string, Promise<void>>();
  private readonly resting = new Map<string, { until: number; failures: number }>();
  private readonly loops: Loops;
  private isStopping = false;
  /** A wake-up found no free place: the next one that is freed is to be filled at once. */
  private hasTurnedAway = false;

  constructor(
    private readonly parts: WorkerParts,
    private readonly options: WorkerOptions,
  ) {
    this.loops = new Loops(parts.clock, (task, error) => parts.probe.warn(`${task} failed`, { error }));
  }

  get activeCount(): number {
    return this.active.size;
  }

  async start(): Promise<void> {
    await this.parts.workers.heartbeat(this.options.id, this.options.leaseMs);
    const { heartbeatMs, timerMs, relayMs, reconcileMs } = this.options;
    this.loops.start('heartbeat', heartbeatMs, () => this.heartbeat());
    this.loops.start('timers', timerMs, () => this.fireTimers());
    this.loops.start('relay', relayMs, () => this.relay());
    this.loops.start('reconcile', reconcileMs, () => this.reconcile());
  }

  /** Some project may have something to do. Safe to call twice, late, or for nothing. */
  async wake(projectId: string): Promise<void> {
    if (this.isStopping) return;
    const runner = this.active.get(projectId)?.runner;
    if (runner) return runner.signalled(Number.MAX_SAFE_INTEGER);
    const resting = this.resting.get(projectId);
    if (resting && resting.until > this.parts.clock.now()) return;
    if (this.active.size + this.claiming.size >= this.options.maxActive) {
      this.hasTurnedAway = true;
      return;
    }
    const claim = this.claiming.get(projectId) ?? this.claimAndDrive(projectId);
    this.claiming.set(projectId, claim);
    return claim.finally(() => this.claiming.delete(projectId));
  }

  /** Somebody in this process has left wake-ups in the outbox: they are handed on now, not at the next look. */
  relayNow(): void {
    this.loops.nudge('relay');
  }

  /** Hands everything back. Steps get `graceMs` to reach a safe point, then they are interrupted. */
  async stop(graceMs: number): Promise<void> {
    this.isStopping = true;
    await Promise.race([Promise.allSettled(this.claiming.values()), this.parts.clock.sleep(graceMs)]);
    const running = [...this.active.values()];
    for (const { runner } of running) runner.stop(false);
    const allOver = Promise.allSettled(running.map(({ over }) => over));
    await Promise.race([allOver, this.parts.clock.sleep(graceMs)]);
    for (const { runner } of this.active.values()) runner.stop(true);
    await Promise.race([allOver, this.parts.clock.sleep(graceMs)]);
    await this.relay().catch((error: unknown) => this.parts.probe.warn('last relay failed', { error }));
    await this.loops.stop();
    await this.parts.workers.retire(this.options.id);
  }

  private async claimAndDrive(projectId: string): Promise<void> {
    const claim = await this.parts.store.claim(projectId, this.options.id);
    if (claim.kind === 'held') return;
    if (claim.kind === 'corrupt') {
      await this.parts.leftBehind.endAll(projectId);
      if (await this.parts.corruption.apply(projectId, claim)) this.loops.nudge('reconcile');
      else this.rest(projectId);
      return;
    }
    await this.drive(projectId, claim);
  }

  private async drive(projectId: string, { project }: Extract<Claim, { kind: 'claimed' }>): Promise<void> {
    const { store, machines, leftBehind, clock, probe } = this.parts;
    const { machine, machineVersion } = project.facts;
    // Also when the lease was given back: a holder that shut down in a hurry may have left a command behind.
    await leftBehind.endAll(projectId);
    const resolved = await machines.resolve(machine, machineVersion);
    if (resolved.kind === 'unavailable') {
      probe.warn('a project waits for a machine that this code cannot run', { projectId, reason: resolved.reason });
      this.rest(projectId);
      await store.release(project.lease, { runnable: true, seenSignal: null });
      return;
    }
    const nudgeRelay = (): void => this.relayNow();
    const parts = { store, machines, clock, probe, policy: this.options.runner, nudgeRelay };
    const runner = new ProjectRunner(parts, project, resolved.runnable);
    const { state } = project.snapshot;
    probe.reached('claimed', { projectId, machine, state });
    const attributes = { projectId, machine, epoch: project.lease.epoch, from: state };
    const over = probe
      .within('project', { attributes, parent: project.facts.traceparent }, () => runner.drive())
      .then(() => this.resting.delete(projectId))
      .catch((error: unknown) => this.gaveUp(projectId, error))
      .then(() => this.left(projectId));
    this.active.set(projectId, { runner, over });
    if (this.isStopping) runner.stop(false);
  }

  private left(projectId: string): void {
    this.active.delete(projectId);
    if (this.hasTurnedAway) this.loops.nudge('reconcile');
    this.hasTurnedAway = false;
  }

  /** A project that breaks its driver rests longer each time, so that it never stalls the others. */
  private gaveUp(projectId: string, error: unknown): void {
    this.parts.probe.warn('driving a project failed', { projectId, error, message: errorMessage(error) });
    // When the world is at fault it is not this project that must be kept apart.
    if (!(error instanceof WorldError)) this.rest(projectId);
  }

  private rest(projectId: string): void {
    const failures = (this.resting.get(projectId)?.failures ?? 0) + 1;
    const restMs = Math.min(500 * 2 ** failures, 60_000);
    this.resting.set(projectId, { failures, until: this.parts.clock.now() + restMs });
  }

  private async heartbeat(): Promise<void> {
    const driven = [...this.active];
    const held = await this.parts.workers.heartbeat(this.options.id, this.options.leaseMs);
    const signals = new Map(held.map(({ projectId, signal }) => [projectId, signal]));
    for (const [projectId, { runner }] of driven) {
      const signal = signals.get(projectId);
      runner.beat();
      // Somebody else has the project: what still runs here must end.
      if (signal === undefined) runner.stop(true);
      else if (signal > runner.seenSignal) await runner.signalled(signal);
    }
  }

  private async fireTimers(): Promise<void> {
    const fired = await this.parts.workers.fireDueTimers(BATCH);
    if (fired > 0) this.loops.nudge('relay');
  }

  private async relay(): Promise<void> {
    for (;;) {
      const wakeUps = await this.parts.workers.takeOutbox(BATCH);
      if (wakeUps.length === 0) return;
      await this.parts.queue.wake(wakeUps);
      await this.parts.workers.confirmOutbox(wakeUps.map((wakeUp) => wakeUp.id));
    }
  }

  /** The queue may have lost anything: whatever nobody drives is woken from the store's own knowledge. */
  private async reconcile(): Promise<void> {
    if (this.isStopping) return;
    const now = this.parts.clock.now();
    const resting = [...this.resting].filter(([, rest]) => rest.until > now).map(([projectId]) => projectId);
    const elsewhere = [...this.active.keys(), ...resting];
    const stranded = await this.parts.workers.stranded(this.options.id, elsewhere, BATCH);
    await Promise.all(
      stranded.map((projectId) => this.wake(projectId).catch((error: unknown) => this.gaveUp(projectId, error))),
    );
  }
}
