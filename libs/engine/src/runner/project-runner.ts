import { assertNever, type Clock, errorCode, errorMessage, WorldError } from '#kernel';
import { applySignal, type Signal } from '../machine/signals.js';
import { hasEnded, initialSnapshot, isRunnable, type Snapshot, stateOf, statusOf } from '../machine/snapshot.js';
import { patched, transition } from '../machine/transition.js';
import type { Child, ProjectFacts, Report } from '../ports/activity.js';
import type { MachineRegistry, RunnableMachine } from '../ports/machine-registry.js';
import type { ClaimedProject, JournalEntry, NewChild, NewEvent, ProjectStore, Write } from '../ports/project-store.js';
import type { Moment, Probe } from '../ports/worker-ports.js';
import { type ActivityEnd, runActivity } from './activity-run.js';
import { EffectJournal } from './effects.js';
import { Interruption, LeaseLost } from './interruption.js';
import { LeaseWriter } from './lease-writer.js';
import { childId, nextWrite, stateTimer } from './next-write.js';

export interface RunnerPolicy {
  /** How long an aborted activity may take to end before it is left behind. */
  readonly abortDeadlineMs: number;
  /** How often a step that failed is tried again before a person is asked. */
  readonly stepRetries: number;
  readonly stepBackoffMs: number;
  /** A step that runs this long is checkpointed on the way. */
  readonly checkpointEveryMs: number;
}

/** What a key of the context may be: names in code, never names of prototypes. */
const CONTEXT_KEY = /^(?!constructor$|prototype$)[A-Za-z][\w-]{0,63}$/;

/** A reason of its own saves making an error with a stack for each step. */
const ACTIVITY_OVER = 'the activity is over';

export interface RunnerParts {
  readonly store: ProjectStore;
  readonly machines: MachineRegistry;
  readonly clock: Clock;
  readonly probe: Probe;
  readonly policy: RunnerPolicy;
  /** Called after a write that left wake-ups in the outbox. */
  readonly nudgeRelay: () => void;
}

export type DriveEnd = 'released' | 'lost';

/**
 * Drives one project under one lease, through state after state, until it waits for something or has ended.
 * Modes: driving → (stopping: hands the project back at the next safe point) → over. Whoever holds it calls `drive`
 * once, `signalled` whenever a signal may have arrived, `stop` to get the project back.
 */
export class ProjectRunner {
  private snapshot: Snapshot;
  private version: number;
  private journal: Map<string, JournalEntry>;
  private seenSignal: number;
  private newestSignal: number;
  private fetched: readonly Signal[] | null;
  private interruption = new Interruption();
  private isStopping = false;
  private failures = 0;
  /** The state whose change is committed and not yet acted upon. */
  private left: string | null = null;
  private readonly writer: LeaseWriter;

  constructor(
    private readonly parts: RunnerParts,
    private readonly claimed: ClaimedProject,
    private readonly runnable: RunnableMachine,
  ) {
    this.snapshot = claimed.snapshot;
    this.version = claimed.version;
    this.journal = new Map(claimed.journal.map((entry) => [entry.key, entry]));
    this.seenSignal = claimed.seenSignal;
    this.newestSignal = claimed.seenSignal;
    this.fetched = claimed.signals;
    this.writer = new LeaseWriter(parts.store, parts.clock, claimed.lease, claimed.writes, () => this.isStopping);
  }

  get seen(): number {
    return this.seenSignal;
  }

  async drive(): Promise<DriveEnd> {
    try {
      await this.noteTakeOver();
      for (;;) {
        await this.applySignals();
        if (this.isStopping || !isRunnable(this.runnable.machine, this.snapshot)) {
          if (await this.handBack()) return this.writer.hasLostLease ? 'lost' : 'released';
        } else {
          await this.runState();
        }
      }
    } catch (error) {
      if (error instanceof LeaseLost) return 'lost';
      throw error;
    }
  }

  /** A signal may have arrived: if it changes what runs now, the activity is interrupted. */
  async signalled(signal: number): Promise<void> {
    if (signal <= this.seenSignal) return;
    this.newestSignal = Math.max(this.newestSignal, signal);
    const signals = await this.parts.store.pendingSignals(this.claimed.lease.projectId);
    for (const one of signals) {
      const result = applySignal(this.runnable.machine, this.snapshot, one, this.runnable.guards);
      if (result.kind === 'moved') this.interruption.harden();
      else if (result.kind === 'changed') this.interruption.soften();
    }
  }

  /** Gives the project back at the next safe point; `now` does not wait for one. */
  stop(now: boolean): void {
    this.isStopping = true;
    if (now) this.interruption.harden();
    else this.interruption.soften();
  }

  private async noteTakeOver(): Promise<void> {
    const { takenFrom, lease } = this.claimed;
    if (takenFrom === null) return;
    const data = { from: takenFrom, by: lease.workerId, epoch: lease.epoch };
    await this.write({ events: [{ type: 'project.taken-over', data }] });
  }

  private async handBack(): Promise<boolean> {
    const runnable = isRunnable(this.runnable.machine, this.snapshot);
    const unless = this.isStopping ? { runnable: true, seenSignal: null } : { runnable, seenSignal: this.seenSignal };
    const result = await this.writer.release(unless);
    if (result === 'signalled') {
      this.newestSignal = this.seenSignal + 1;
      return false;
    }
    this.handedOver();
    return true;
  }

  private async applySignals(): Promise<void> {
    for (;;) {
      const signals = await this.nextSignals();
      if (!signals) return;
      for (const signal of signals) await this.applyOne(signal);
    }
  }

  private async nextSignals(): Promise<readonly Signal[] | null> {
    if (this.fetched === null && this.newestSignal <= this.seenSignal) return null;
    const signals = this.fetched ?? (await this.parts.store.pendingSignals(this.claimed.lease.projectId));
    this.fetched = null;
    this.seenSignal = Math.max(this.seenSignal, ...signals.map((signal) => signal.seq));
    this.newestSignal = this.seenSignal;
    return signals;
  }

  private async applyOne(signal: Signal): Promise<void> {
    const { machine, guards } = this.runnable;
    const result = applySignal(machine, this.snapshot, signal, guards);
    const label = signal.body.kind === 'command' ? signal.body.command : signal.body.kind;
    switch (result.kind) {
      case 'later':
        return;
      case 'noted':
        await this.write({ consumed: [signal.seq], events: [signalEvent('signal.noted', signal, result.note)] });
        return;
      case 'changed':
      case 'moved': {
        const extra: Omit<Write, 'number'> = {
          consumed: [signal.seq],
          events: [signalEvent('signal.applied', signal)],
          ...(result.kind === 'changed' && result.verdict && { journal: [this.verdictEntry(result.verdict)] }),
        };
        await this.commit(result.next, label, extra);
        return;
      }
      default:
        assertNever(result);
    }
  }

  private verdictEntry({
    key,
    verdict,
    outcome,
  }: {
    key: string;
    verdict: 'repeat' | 'done';
    outcome: JournalEntry['outcome'];
  }): JournalEntry {
    const entry: JournalEntry = {
      key,
      status: verdict === 'done' ? 'done' : 'cleared',
      attempt: this.journal.get(key)?.attempt ?? 1,
      outcome: verdict === 'done' ? outcome : null,
    };
    this.journal.set(key, entry);
    return entry;
  }

  private async runState(): Promise<void> {
    this.handedOver();
    const { machine, activities } = this.runnable;
    const name = stateOf(machine, this.snapshot)?.do ?? '';
    const activity = Object.hasOwn(activities, name) ? activities[name] : undefined;
    if (!activity) return this.fail('ACTIVITY_MISSING', `nobody provides the activity ${name}`);
    const attributes = { state: this.snapshot.state, visit: this.snapshot.visit, activity: name };
    const end = await this.parts.probe.within('activity', { attributes }, async () => {
      const interruption = new Interruption();
      this.interruption = interruption;
      if (this.isStopping) interruption.soften();
      const running = runActivity(activity, {
        facts: this.claimed.facts,
        snapshot: this.snapshot,
        interruption,
        effects: this.effectsOfThisVisit(interruption),
        childResults: () => {
          const { incarnation, visit } = this.snapshot;
          return this.parts.store.children(this.claimed.facts.id, incarnation, visit);
        },
        clock: this.parts.clock,
        abortDeadlineMs: this.parts.policy.abortDeadlineMs,
      });
      return this.checkpointingMeanwhile(running);
    });
    await this.settle(end);
  }

  private async checkpointingMeanwhile(running: Promise<ActivityEnd>): Promise<ActivityEnd> {
    const over = new AbortController();
    const ticking = (async (): Promise<void> => {
      for (;;) {
        await this.parts.clock.sleep(this.parts.policy.checkpointEveryMs, over.signal);
        if (over.signal.aborted) return;
        await this.commit(this.snapshot, 'interval');
      }
    })();
    const [end] = await Promise.all([running.finally(() => over.abort(ACTIVITY_OVER)), ticking]);
    return end;
  }

  private effectsOfThisVisit(interruption: Interruption): EffectJournal {
    const { state, incarnation, visit } = this.snapshot;
    const { lease, facts } = this.claimed;
    const keyPrefix = `${String(incarnation)}/${String(visit)}`;
    const entries = [...this.journal.values()];
    return new EffectJournal(
      entries,
      { lease, machine: facts.machine, state, keyPrefix },
      interruption,
      this.parts.probe,
      async (entry, event) => {
        if (interruption.isAbandoned) throw new LeaseLost('the activity was left behind');
        await this.write({ journal: [entry], events: [event] });
        this.journal.set(entry.key, entry);
      },
    );
  }

  private async settle(end: ActivityEnd): Promise<void> {
    switch (end.kind) {
      case 'interrupted':
        return;
      case 'asks':
        return this.commit(
          { ...this.snapshot, wait: { kind: 'effect', key: end.key, question: end.question } },
          'effect:unknown',
        );
      case 'failed':
        return this.stepFailed(end.error);
      case 'reported':
        this.failures = 0;
        return this.follow(end.report);
      default:
        return assertNever(end);
    }
  }

  private async follow(report: Report): Promise<void> {
    switch (report.kind) {
      case 'event':
        return this.followEvent(report);
      case 'wait': {
        const wait = { kind: 'time', reason: report.reason, ms: report.ms } as const;
        const timer = { visit: this.snapshot.visit, event: null, ms: report.ms };
        return this.commit({ ...this.snapshot, wait }, 'wait', { timer });
      }
      case 'wait-for-children':
        return this.startChildren(report.children);
      default:
        return assertNever(report);
    }
  }

  private async followEvent(report: Extract<Report, { kind: 'event' }>): Promise<void> {
    const { machine, guards } = this.runnable;
    const { type, data = {}, patch = {} } = report;
    const badKey = Object.keys(patch).find((key) => !CONTEXT_KEY.test(key));
    if (badKey !== undefined)
      return this.fail('CONTEXT_KEY_INVALID', `an activity set the context key ${JSON.stringify(badKey)}`);
    if (stateOf(machine, this.snapshot)?.end) {
      const context = patched(this.snapshot.context, patch);
      return this.commit({ ...this.snapshot, context, ended: true }, type);
    }
    const result = transition(machine, this.snapshot, { type, by: 'engine', data, patch }, guards);
    if (result.kind === 'refused') return this.fail('EVENT_REFUSED', result.message);
    const reported: NewEvent = { type: 'activity.reported', data: { event: type, ...data } };
    await this.commit(result.next, type, { events: [reported] });
  }

  private async startChildren(children: readonly Child[]): Promise<void> {
    const born: NewChild[] = [];
    for (const child of children) {
      const newest = this.parts.machines.newest(child.machine);
      if (!newest)
        return this.fail('MACHINE_UNKNOWN', `the child ${child.key} wants the unknown machine ${child.machine}`);
      born.push(this.newborn(child, newest));
    }
    const keys = children.map((child) => child.key);
    const events = keys.map((key): NewEvent => ({ type: 'child.started', data: { key } }));
    await this.commit({ ...this.snapshot, wait: { kind: 'children', keys } }, 'fan-out', { children: born, events });
  }

  private newborn(child: Child, { machine }: RunnableMachine): NewChild {
    const { facts } = this.claimed;
    const id = childId(facts.id, this.snapshot, child.key);
    const snapshot = initialSnapshot(machine, child.context);
    const born: ProjectFacts = {
      ...facts,
      id,
      name: `${facts.name}/${String(this.snapshot.incarnation)}.${String(this.snapshot.visit)}/${child.key}`,
      machine: machine.name,
      machineVersion: machine.version,
      parent: { id: facts.id, key: child.key, visit: this.snapshot.visit },
    };
    return {
      facts: born,
      timer: stateTimer(machine, born, snapshot),
      incarnation: this.snapshot.incarnation,
      snapshot,
      status: statusOf(machine, snapshot),
      runnable: isRunnable(machine, snapshot),
    };
  }

  private async stepFailed(error: unknown): Promise<void> {
    this.failures += 1;
    const { policy, clock, probe } = this.parts;
    const { id } = this.claimed.facts;
    probe.warn('a step failed', { projectId: id, state: this.snapshot.state, error, attempt: this.failures });
    if (this.failures <= policy.stepRetries || (error instanceof WorldError && error.code === 'ANSWER_LOST')) {
      await clock.sleep(policy.stepBackoffMs * 2 ** (this.failures - 1), this.interruption.signal);
      return;
    }
    this.failures = 0;
    const message = errorMessage(error).slice(0, 2_000);
    await this.commit(
      { ...this.snapshot, wait: { kind: 'step-failed', code: errorCode(error), message } },
      'step:failed',
    );
  }

  private fail(code: string, message: string): Promise<void> {
    return this.commit({ ...this.snapshot, failure: { code, message } }, 'engine:failed');
  }

  /** One change of the project: checkpoint, events, journal, timers and wake-ups, all or nothing. */
  private async commit(after: Snapshot, cause: string, extra: Omit<Write, 'number'> = {}): Promise<void> {
    const { machine } = this.runnable;
    const before = this.snapshot;
    const write = nextWrite({ machine, facts: this.claimed.facts, before, after, version: this.version + 1, cause });
    const timer = write.timer ?? extra.timer;
    const merged = {
      ...extra,
      ...write,
      events: [...(extra.events ?? []), ...(write.events ?? [])],
      ...(timer && { timer }),
    };
    this.reached('before-commit');
    await this.parts.probe.within('transition', { attributes: { from: before.state, to: after.state, cause } }, () =>
      this.write(merged),
    );
    this.snapshot = after;
    this.version += 1;
    if (after.visit !== before.visit) this.journal = new Map();
    // What had to wait for the resume is to be looked at again.
    if (before.paused && !after.paused) this.newestSignal = Number.MAX_SAFE_INTEGER;
    this.left = before.state;
    this.reached('committed', before.state);
    if (hasEnded(statusOf(machine, after)) || merged.children || merged.signals?.length) this.parts.nudgeRelay();
  }

  private async write(change: Omit<Write, 'number'>): Promise<void> {
    this.newestSignal = Math.max(this.newestSignal, await this.writer.write(change));
  }

  /** What follows from the last commit has begun: the next activity runs, or the project was given back. */
  private handedOver(): void {
    if (this.left !== null) this.reached('handed-over', this.left);
    this.left = null;
  }

  private reached(moment: Moment, state = this.snapshot.state): void {
    const { id, machine } = this.claimed.facts;
    this.parts.probe.reached(moment, { projectId: id, machine, state });
  }
}

function signalEvent(type: string, signal: Signal, note?: string): NewEvent {
  const { body, by } = signal;
  const named =
    body.kind === 'command'
      ? { command: body.command, id: body.id }
      : body.kind === 'decision'
        ? { gate: body.gate, decision: body.decision }
        : body.kind === 'child'
          ? { child: body.key }
          : {};
  return { type, data: { signal: signal.seq, kind: body.kind, by, ...named, ...(note !== undefined && { note }) } };
}
