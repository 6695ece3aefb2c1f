import { assertNever, errorCode, errorMessage, UserError, WorldError } from '#kernel';
import { stateOf } from '../machine/snapshot.js';
import type { Report } from '../ports/activity.js';
import { type ActivityEnd, runActivity } from './activity-run.js';
import { EffectJournal } from './effects.js';
import { followReport } from './follow-report.js';
import { Interruption, LeaseLost } from './interruption.js';
import type { ProjectRecord } from './project-record.js';

const LONGEST_BACKOFF_MS = 60_000;

/**
 * Runs the activity of the state a project is in, and does what follows from its end. It can be interrupted at any
 * time: softly (at the next safe point) or hard (now).
 */
export class StateRun {
  private interruption = new Interruption();
  private failures = 0;
  private isRunning = false;
  private checkpointedAt = 0;
  private interim: Promise<void> | null = null;
  private journal: EffectJournal | null = null;

  constructor(
    private readonly record: ProjectRecord,
    private readonly isStopping: () => boolean,
  ) {}

  interrupt(how: 'soft' | 'hard'): void {
    if (how === 'hard') this.interruption.harden();
    else this.interruption.soften();
  }

  async run(): Promise<void> {
    const { record } = this;
    const { machine, activities } = record.runnable;
    const { state, visit } = record.snapshot;
    record.handedOver();
    const name = stateOf(machine, record.snapshot)?.do ?? '';
    const activity = Object.hasOwn(activities, name) ? activities[name] : undefined;
    if (!activity) return record.fail('ACTIVITY_MISSING', `nobody provides the activity ${name}`);
    const interruption = new Interruption();
    this.interruption = interruption;
    if (this.isStopping()) interruption.soften();
    const attributes = { state, visit, activity: name };
    const end = await record.parts.probe.within('activity', { attributes }, () =>
      this.checkpointedMeanwhile(runActivity(activity, this.scene(interruption))),
    );
    await this.settle(end);
  }

  private scene(interruption: Interruption): Parameters<typeof runActivity>[1] {
    const { record } = this;
    const { facts } = record.claimed;
    const { snapshot } = record;
    return {
      facts,
      snapshot,
      interruption,
      checkpoint: () => record.checkpoint,
      effects: this.effects(interruption),
      childResults: (visit) => record.ask((store) => store.children(facts.id, snapshot.incarnation, visit)),
      clock: record.parts.clock,
      abortDeadlineMs: record.parts.policy.abortDeadlineMs,
    };
  }

  private effects(interruption: Interruption): EffectJournal {
    const { record } = this;
    const { state, incarnation, visit } = record.snapshot;
    const { lease, facts } = record.claimed;
    const scene = { lease, machine: facts.machine, state, keyPrefix: `${String(incarnation)}/${String(visit)}` };
    this.journal = new EffectJournal(scene, record.journal, interruption, record.parts.probe, (journal, events) => {
      if (interruption.isAbandoned) throw new LeaseLost('the activity was left behind');
      return record.write({ journal, events });
    });
    return this.journal;
  }

  /** Called now and then from outside: what a long step tells is written on the way, and it is checkpointed. */
  beat(): void {
    // A write that fails here fails again at the effect's end, where somebody waits for it.
    if (this.isRunning) this.journal?.flush().catch(() => this.interruption.harden());
    const { clock, policy } = this.record.parts;
    if (!this.isRunning || this.interim !== null || clock.now() - this.checkpointedAt < policy.checkpointEveryMs)
      return;
    this.interim = this.record.commit(this.record.snapshot, 'interval').then(
      () => {
        this.checkpointedAt = clock.now();
        this.interim = null;
      },
      (error: unknown) => {
        // Stays as it is: whoever waits for the activity hears of it.
        this.interruption.harden();
        throw error;
      },
    );
    this.interim.catch(() => undefined);
  }

  /** Nothing else is committed while the activity runs, and what follows from its end waits for the last interim one. */
  private async checkpointedMeanwhile(running: Promise<ActivityEnd>): Promise<ActivityEnd> {
    this.checkpointedAt = this.record.parts.clock.now();
    this.isRunning = true;
    try {
      return await running;
    } finally {
      this.isRunning = false;
      const interim = this.interim;
      this.interim = null;
      if (interim) await interim;
    }
  }

  private async settle(end: ActivityEnd): Promise<void> {
    const { record } = this;
    switch (end.kind) {
      case 'interrupted':
        return;
      case 'asks': {
        const { key, question, options } = end.asked;
        const wait = { kind: 'effect', key, question, options } as const;
        return record.commit({ ...record.snapshot, wait }, 'effect:unknown');
      }
      case 'failed':
        return this.failed(end.error);
      case 'reported':
        return this.follow(end.report);
      default:
        return assertNever(end);
    }
  }

  /** A report that the store cannot take is a failed step like any other: a person gets to see it. */
  private async follow(report: Report): Promise<void> {
    try {
      await followReport(this.record, report);
      this.failures = 0;
    } catch (error) {
      if (error instanceof LeaseLost || error instanceof WorldError) throw error;
      await this.failed(error);
    }
  }

  /** A step that failed is tried again a few times; then the project waits, visibly, for somebody to say RETRY. */
  private async failed(error: unknown): Promise<void> {
    const { record } = this;
    const { policy, clock, probe } = record.parts;
    const { state } = record.snapshot;
    this.failures += 1;
    probe.warn('a step failed', { projectId: record.claimed.facts.id, state, error, attempt: this.failures });
    // What only a person can mend is not tried again by itself.
    if (this.failures <= policy.stepRetries && !(error instanceof UserError)) {
      const backoffMs = Math.min(policy.stepBackoffMs * 2 ** (this.failures - 1), LONGEST_BACKOFF_MS);
      // The failed run's own interruption is spent: a new one lets a stop or an abort cut the pause short.
      this.interruption = new Interruption();
      if (this.isStopping()) return;
      return clock.sleep(backoffMs, this.interruption.signal);
    }
    this.failures = 0;
    const wait = { kind: 'step-failed', code: errorCode(error), message: errorMessage(error).slice(0, 2_000) } as const;
    await record.commit({ ...record.snapshot, wait }, 'step:failed');
  }
}
