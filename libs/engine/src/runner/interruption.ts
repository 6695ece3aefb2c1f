import type { Json } from '#kernel';
import type { EffectVerdictName } from '../machine/snapshot.js';
import type { SettleRule } from '../ports/activity.js';

/** Thrown inside an activity when it must not go on; not for activities to catch. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

/** Thrown inside an activity when only a person can say how an effect ended. */
export class AsksPerson extends Error {
  override readonly name = 'AsksPerson';
  readonly question: string;
  readonly options: readonly EffectVerdictName[];

  constructor(
    readonly key: string,
    { question, options = ['repeat', 'done'] }: Extract<SettleRule<Json>, { kind: 'ask' }>,
  ) {
    super(question);
    this.question = question;
    this.options = options;
  }
}

/** Another worker holds the project now: nothing this one does counts any more. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

/**
 * How a running activity is stopped.
 * Modes: open → soft (stop at the next safe point) → hard (stop now, the signal aborts) → abandoned (did not stop in
 * time; nothing it does counts). It never goes back; each run of an activity gets a new one.
 */
export class Interruption {
  private mode: 'open' | 'soft' | 'hard' | 'abandoned' = 'open';
  /** Made when somebody asks for the signal: most steps end without anyone having listened. */
  private controller: AbortController | null = null;
  private pauseController: AbortController | null = null;
  private atHardening: (() => void) | null = null;

  get signal(): AbortSignal {
    if (!this.controller) {
      this.controller = new AbortController();
      if (this.isHard) this.abortSignal();
    }
    return this.controller.signal;
  }

  /** Aborts as soon as nothing new is to be started. */
  get pausing(): AbortSignal {
    this.pauseController ??= new AbortController();
    if (this.mode !== 'open') this.pauseController.abort();
    return this.pauseController.signal;
  }

  get isHard(): boolean {
    return this.mode === 'hard' || this.isAbandoned;
  }

  get isAbandoned(): boolean {
    return this.mode === 'abandoned';
  }

  soften(): void {
    if (this.mode !== 'open') return;
    this.mode = 'soft';
    this.pauseController?.abort();
  }

  harden(): void {
    if (this.isHard) return;
    this.mode = 'hard';
    this.abortSignal();
    this.atHardening?.();
  }

  abandon(): void {
    this.mode = 'abandoned';
    this.abortSignal();
  }

  /** Calls back when the interruption becomes hard, unless the activity has ended by then. */
  whenHardened(callback: () => void): void {
    if (this.mode === 'hard') callback();
    else this.atHardening = callback;
  }

  /** To be passed before anything new is started. */
  safePoint(): void {
    if (this.mode !== 'open') throw new Interrupted('stopped at a safe point');
  }

  private abortSignal(): void {
    this.pauseController?.abort();
    this.controller?.abort(new Interrupted('the activity was interrupted'));
  }
}
