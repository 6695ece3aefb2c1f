import type { RunnableMachine } from '../ports/machine-registry.js';
import type { ClaimedProject } from '../ports/project-store.js';
import { LeaseLost } from './interruption.js';
import { ProjectRecord, type RunnerParts } from './project-record.js';
import { RestingPlace } from './resting-place.js';
import { SignalInbox } from './signal-inbox.js';
import { StateRun } from './state-run.js';

export type DriveEnd = 'released' | 'lost';

/**
 * Drives one project under one lease, through state after state, until it waits for something or has ended.
 * Modes: driving → (stopping: hands the project back at the next safe point) → over. Whoever holds it calls `drive`
 * once, `signalled` whenever a signal may have arrived, `stop` to get the project back.
 */
export class ProjectRunner {
  private readonly record: ProjectRecord;
  private readonly inbox: SignalInbox;
  private readonly state: StateRun;
  private readonly rest: RestingPlace;
  private isStopping = false;

  constructor(parts: RunnerParts, claimed: ClaimedProject, runnable: RunnableMachine) {
    this.record = new ProjectRecord(parts, claimed, runnable, () => this.isStopping);
    this.inbox = new SignalInbox(this.record);
    this.state = new StateRun(this.record, () => this.isStopping);
    this.rest = new RestingPlace(this.record);
  }

  get seenSignal(): number {
    return this.inbox.seen;
  }

  async drive(): Promise<DriveEnd> {
    const { record, inbox, state } = this;
    try {
      await this.noteTakeOver();
      for (;;) {
        await inbox.applyAll();
        if (record.isRunnable && !this.isStopping) {
          await state.run();
          continue;
        }
        if (!record.isRunnable) await this.rest.show();
        if (await record.release(this.isStopping ? null : inbox.seen)) break;
        record.noteSignal(inbox.seen + 1);
      }
      if (!record.hasLostLease) return 'released';
      record.reached('lease-lost');
      return 'lost';
    } catch (error) {
      if (!(error instanceof LeaseLost)) throw error;
      // Whatever still runs must not run beside the next holder.
      state.interrupt('hard');
      record.reached('lease-lost');
      return 'lost';
    }
  }

  /** A signal may have arrived: if it changes what runs now, the activity is interrupted. */
  async signalled(signal: number): Promise<void> {
    if (signal <= this.inbox.seen) return;
    this.record.noteSignal(signal);
    for (const result of await this.inbox.foresee()) {
      if (result.kind === 'moved') this.state.interrupt('hard');
      else if (result.kind === 'changed') this.state.interrupt('soft');
    }
  }

  /** To be called with each heartbeat. */
  beat(): void {
    this.state.beat();
  }

  /** Gives the project back at the next safe point; `now` does not wait for one. */
  stop(now: boolean): void {
    this.isStopping = true;
    this.state.interrupt(now ? 'hard' : 'soft');
  }

  private async noteTakeOver(): Promise<void> {
    const { takenFrom, lease } = this.record.claimed;
    if (takenFrom === null) return;
    const data = { from: takenFrom, by: lease.workerId, epoch: lease.epoch };
    await this.record.write({ events: [{ type: 'project.taken-over', data }] });
  }
}
