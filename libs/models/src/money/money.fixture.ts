import type { Clock } from '#kernel';
import type { ChatWish } from '../model-desk.port.js';
import { ModelError, type ModelRemedy } from '../model-error.js';
import type { ChatAnswer, ChatRequest, ModelProvider } from '../model.port.js';
import type { CallAbout, Ledger, NewCall, Reservation, Settlement } from './ledger.port.js';

/** Time that passes only where somebody sleeps. */
export class SleepClock implements Clock {
  readonly naps: number[] = [];
  private at = 0;

  now(): number {
    return this.at;
  }

  sleep(ms: number): Promise<void> {
    this.naps.push(ms);
    this.at += ms;
    return Promise.resolve();
  }
}

/** A ledger that says what it is told to, and then that there is room. */
export class ScriptedLedger implements Ledger {
  readonly reserved: NewCall[] = [];
  readonly settled: (Settlement & { readonly callId: string })[] = [];
  readonly answers: (Reservation | Error)[] = [];
  readonly settleFaults: Error[] = [];
  waits = 0;

  reserve(call: NewCall): Promise<Reservation> {
    const answer = this.answers.shift() ?? { kind: 'reserved', callId: call.id };
    if (answer instanceof Error) return Promise.reject(answer);
    if (answer.kind === 'reserved') this.reserved.push(call);
    return Promise.resolve(answer);
  }

  settle(callId: string, settlement: Settlement): Promise<void> {
    const fault = this.settleFaults.shift();
    if (fault) return Promise.reject(fault);
    this.settled.push({ callId, ...settlement });
    return Promise.resolve();
  }

  changed(): Promise<void> {
    this.waits += 1;
    return Promise.resolve();
  }
}

export const about: CallAbout = {
  lease: { projectId: 'p', workerId: 'w', epoch: 1 },
  state: 'WORKING',
  agent: 'coder',
  purpose: 'test',
  prompt: 'test@1',
  attempt: 1,
  tier: 'small',
  effect: { key: 'k', run: 1 },
};

export const wish: ChatWish = {
  tier: 'small',
  system: 'You are a test.',
  messages: [{ role: 'user', text: 'Say something.' }],
  tools: [],
  maxOutputTokens: 1_000,
  timeoutMs: 10_000,
  idleMs: 10_000,
  about,
};

export const answer: ChatAnswer = {
  id: 'a1',
  model: 'claude-haiku-5-5',
  text: 'something',
  toolCalls: [],
  stop: 'end',
  usage: { input: 100, output: 10, cacheRead: 0, cacheWrite: 0, reasoning: 0 },
  raw: null,
};

export const failure = (
  remedy: ModelRemedy,
  billed: ModelError['billed'] = 'nothing',
  resetAt?: number,
  code = 'MODEL_TEST',
): ModelError =>
  new ModelError(code, remedy, {
    remedy,
    provider: 'test',
    words: remedy,
    billed,
    ...(resetAt !== undefined && { resetAt }),
  });

export class ScriptedProvider implements ModelProvider {
  readonly asked: ChatRequest[] = [];

  constructor(
    readonly name: string,
    private readonly script: (Error | ChatAnswer)[] = [],
    readonly isSimulated = false,
  ) {}

  chat(request: ChatRequest): Promise<ChatAnswer> {
    this.asked.push(request);
    const next = this.script.shift() ?? { ...answer, model: request.model.model };
    return next instanceof Error ? Promise.reject(next) : Promise.resolve(next);
  }
}
