import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  allowedCommands,
  applySignal,
  type Command,
  COMMANDS,
  EFFECT_GATE,
  openGate,
  type SignalBody,
} from './signals.js';
import { anyMachine, anySnapshot, sample, sampleGuards } from './machine.fixture.js';
import { initialSnapshot, type Snapshot, statusOf } from './snapshot.js';
import type { PrincipalKind } from './transition.js';

const PRINCIPALS: readonly PrincipalKind[] = ['engine', 'human', 'service'];
const at = (state: string, more: Partial<Snapshot> = {}): Snapshot => ({
  ...initialSnapshot(sample, {}),
  state,
  ...more,
});
const give = (snapshot: Snapshot, body: SignalBody, by: PrincipalKind = 'human') =>
  applySignal(sample, snapshot, { seq: 1, by, body }, sampleGuards);
const command = (snapshot: Snapshot, name: Command, by: PrincipalKind = 'human') =>
  give(snapshot, { kind: 'command', id: 'c', command: name, visit: snapshot.visit }, by);
const decide = (snapshot: Snapshot, gate: string, decision: string, by: PrincipalKind = 'human') =>
  give(snapshot, { kind: 'decision', gate, decision, visit: snapshot.visit }, by);

const anyBody: fc.Arbitrary<SignalBody> = fc.oneof(
  fc.record({
    kind: fc.constant('command' as const),
    id: fc.string(),
    command: fc.constantFrom(...COMMANDS),
    visit: fc.nat(5),
  }),
  fc.record({
    kind: fc.constant('decision' as const),
    gate: fc.constantFrom('approval', 'answer', 'resolve', EFFECT_GATE, '__proto__'),
    decision: fc.constantFrom('approve', 'reject', 'answer', 'resolve', 'repeat', 'done', 'constructor', '__proto__'),
    visit: fc.nat(5),
  }),
  fc.record({
    kind: fc.constant('timer' as const),
    visit: fc.nat(5),
    event: fc.constantFrom('answer:late', 'work:done', '__proto__'),
  }),
  fc.record({
    kind: fc.constant('notice' as const),
    id: fc.string(),
    visit: fc.nat(5),
    event: fc.constantFrom('block:resolved', 'work:done', 'ABORT', '__proto__'),
  }),
  fc.record({ kind: fc.constant('wake' as const), visit: fc.nat(5) }),
  fc.record({ kind: fc.constant('child' as const), visit: fc.nat(5), key: fc.constantFrom('a', 'b', '__proto__') }),
);

describe('applySignal', () => {
  it('answers any signal on any snapshot of any table', () => {
    fc.assert(
      fc.property(
        fc.oneof(anyMachine, fc.constant(sample)),
        anySnapshot,
        anyBody,
        fc.constantFrom(...PRINCIPALS),
        (machine, snapshot, body, by) => {
          const signal = { seq: 1, by, body };
          const result = applySignal(machine, snapshot, signal, sampleGuards);
          expect(applySignal(machine, snapshot, signal, sampleGuards)).toEqual(result);
          if (result.kind === 'changed') expect(result.next.visit).toBe(snapshot.visit);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('changes nothing once the project has ended', () => {
    fc.assert(
      fc.property(anySnapshot, anyBody, fc.constantFrom(...PRINCIPALS), (snapshot, body, by) => {
        expect(give({ ...snapshot, state: 'TIDY', ended: true }, body, by).kind).toBe('noted');
      }),
    );
  });
});

describe('commands', () => {
  it('are allowed exactly where they are obeyed, for every state, flag and principal', () => {
    fc.assert(
      fc.property(
        fc.oneof(anyMachine, fc.constant(sample)),
        anySnapshot,
        fc.constantFrom(...PRINCIPALS),
        (machine, snapshot, by) => {
          const allowed = allowedCommands(machine, snapshot, by, sampleGuards);
          for (const name of COMMANDS) {
            const body = { kind: 'command', id: 'c', command: name, visit: snapshot.visit } as const;
            const { kind } = applySignal(machine, snapshot, { seq: 1, by, body }, sampleGuards);
            const isObeyed = name === 'STATUS' || kind === 'moved' || kind === 'changed';
            expect({ name, allowed: allowed.includes(name) }).toEqual({ name, allowed: isObeyed });
          }
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it.each([
    [at('START'), 'human', ['PAUSE', 'ABORT', 'STATUS']],
    [at('WORK'), 'service', ['PAUSE', 'SKIP', 'ABORT', 'STATUS']],
    [at('WORK', { paused: true }), 'human', ['RESUME', 'ABORT', 'STATUS']],
    [
      at('WORK', { wait: { kind: 'step-failed', code: 'X', message: 'x' } }),
      'service',
      ['PAUSE', 'SKIP', 'ABORT', 'STATUS', 'RETRY'],
    ],
    [at('BLOCKED', { returnTo: 'WORK' }), 'human', ['PAUSE', 'ABORT', 'STATUS', 'RETRY']],
    [at('BLOCKED', { returnTo: 'WORK' }), 'service', ['PAUSE', 'ABORT', 'STATUS']],
    [at('ASK'), 'human', ['PAUSE', 'ABORT', 'STATUS', 'ESCALATE']],
    [at('TIDY'), 'human', ['STATUS']],
    [at('TIDY', { paused: true }), 'human', ['RESUME', 'STATUS']],
    [at('TIDY', { ended: true, paused: true }), 'human', ['STATUS']],
    [at('NOWHERE'), 'human', ['STATUS']],
  ] as const)('%#: are listed for a person and for a service', (snapshot, by, expected) => {
    expect(allowedCommands(sample, snapshot, by)).toEqual(expected);
  });

  it('count a guarded branch as open only while the guards are unknown', () => {
    expect(allowedCommands(sample, at('ASK'), 'human', sampleGuards)).not.toContain('ESCALATE');
  });

  it('PAUSE and RESUME given twice are given once', () => {
    const paused = command(at('WORK'), 'PAUSE');
    expect(paused).toMatchObject({ kind: 'changed', next: { paused: true, state: 'WORK', visit: 1 } });
    if (paused.kind !== 'changed') return;
    expect(command(paused.next, 'PAUSE').kind).toBe('noted');
    expect(command(paused.next, 'RESUME')).toEqual({ kind: 'changed', next: at('WORK') });
    expect(command(at('WORK'), 'RESUME').kind).toBe('noted');
  });

  it('SKIP, RETRY and ESCALATE touch only the step that their sender saw', () => {
    const late = { kind: 'command', id: 'c', command: 'SKIP', visit: 1 } as const;
    expect(give(at('WORK', { visit: 2 }), late)).toEqual({
      kind: 'noted',
      note: 'the step that SKIP was meant for has ended',
    });
  });

  it('ABORT and PAUSE hold whichever step runs when they arrive', () => {
    expect(give(at('WORK', { visit: 2 }), { kind: 'command', id: 'c', command: 'ABORT', visit: 0 }).kind).toBe('moved');
    expect(give(at('WORK', { visit: 2 }), { kind: 'command', id: 'c', command: 'PAUSE', visit: 0 }).kind).toBe(
      'changed',
    );
  });

  it('tell the next activity what was commanded', () => {
    expect(command(at('WORK'), 'SKIP')).toMatchObject({
      kind: 'moved',
      next: { visit: 2, context: { command: { command: 'SKIP', state: 'WORK', visit: 1 } } },
    });
  });

  it('SKIP by a service does not leave a gate, RETRY by a service does not leave a block', () => {
    expect(command(at('WAIT'), 'SKIP', 'service').kind).toBe('noted');
    expect(command(at('BLOCKED', { returnTo: 'WORK' }), 'RETRY', 'service').kind).toBe('noted');
    expect(command(at('BLOCKED', { returnTo: 'WORK' }), 'RETRY', 'human')).toMatchObject({ to: 'WORK' });
  });

  it('RETRY tries a step that failed again, in the same visit', () => {
    const failed = at('WORK', { wait: { kind: 'step-failed', code: 'X', message: 'x' } });
    expect(statusOf(sample, failed)).toBe('blocked');
    expect(command(failed, 'RETRY', 'service')).toEqual({ kind: 'changed', next: at('WORK') });
  });
});

describe('decisions', () => {
  it('by a person follow the table and are kept in the context', () => {
    const body = { kind: 'decision', gate: 'approval', decision: 'approve', feedback: 'fine', visit: 1 } as const;
    const decision = { gate: 'approval', decision: 'approve', feedback: 'fine', answers: null };
    expect(give(at('ASK'), body)).toMatchObject({ kind: 'moved', to: 'WAIT', next: { context: { decision } } });
  });

  it('of anybody else, on another question, or out of date change nothing', () => {
    expect(decide(at('ASK'), 'approval', 'approve', 'service').kind).toBe('noted');
    expect(decide(at('ASK'), 'approval', 'approve', 'engine').kind).toBe('noted');
    expect(decide(at('ASK'), 'answer', 'approve').kind).toBe('noted');
    expect(decide(at('ASK'), 'approval', 'constructor').kind).toBe('noted');
    expect(decide(at('WORK'), 'approval', 'approve').kind).toBe('noted');
    const stale = { kind: 'decision', gate: 'approval', decision: 'approve', visit: 1 } as const;
    expect(give(at('ASK', { visit: 3 }), stale).kind).toBe('noted');
  });

  it('wait while the project is paused', () => {
    expect(decide(at('ASK', { paused: true }), 'approval', 'approve').kind).toBe('later');
  });

  it('settle an effect whose end nobody knows', () => {
    const unknown = at('WORK', { wait: { kind: 'effect', key: '1/1/pay', question: 'Was it paid?' } });
    expect(openGate(sample, unknown)).toMatchObject({ name: EFFECT_GATE, ask: 'Was it paid?' });
    expect(decide(unknown, EFFECT_GATE, 'repeat')).toEqual({
      kind: 'changed',
      next: at('WORK'),
      verdict: { key: '1/1/pay', verdict: 'repeat', outcome: null },
    });
    expect(decide(unknown, EFFECT_GATE, 'done')).toMatchObject({ verdict: { verdict: 'done' } });
    expect(decide(unknown, EFFECT_GATE, 'done', 'service').kind).toBe('noted');
  });

  it('call no effect done that has no use for it', () => {
    const wait = { kind: 'effect', key: '1/1/turn', question: 'Repeat it?', options: ['repeat'] } as const;
    expect(openGate(sample, at('WORK', { wait }))?.options).toEqual({ repeat: 'effect:repeat' });
    expect(decide(at('WORK', { wait }), EFFECT_GATE, 'done').kind).toBe('noted');
    expect(decide(at('WORK', { wait }), EFFECT_GATE, 'repeat')).toMatchObject({ verdict: { verdict: 'repeat' } });
  });

  it('settle no other effect of the same visit than the one they were about', () => {
    const asks = (key: string): Snapshot => at('WORK', { wait: { kind: 'effect', key, question: `Was ${key} done?` } });
    const about = { kind: 'decision', gate: EFFECT_GATE, decision: 'done', effect: '1/1/pay', visit: 1 } as const;
    const first = give(asks('1/1/pay'), about);
    expect(first).toMatchObject({ kind: 'changed', next: { visit: 1 }, verdict: { key: '1/1/pay', verdict: 'done' } });
    expect(give(asks('1/1/ship'), about)).toEqual({ kind: 'noted', note: 'it was about another effect' });
  });

  it('about one effect settle exactly that one, whichever is asked about', () => {
    const key = fc.constantFrom('1/1/pay', '1/1/ship', '__proto__', '');
    fc.assert(
      fc.property(key, key, fc.constantFrom('repeat', 'done'), (asked, effect, decision) => {
        const snapshot = at('WORK', { wait: { kind: 'effect', key: asked, question: 'Was it done?' } });
        const result = give(snapshot, { kind: 'decision', gate: EFFECT_GATE, decision, effect, visit: 1 });
        if (asked === effect) expect(result).toMatchObject({ kind: 'changed', verdict: { key: effect } });
        else expect(result.kind).toBe('noted');
      }),
    );
  });
});

describe('timers, wake-ups and children', () => {
  const timer = (visit: number, event = 'answer:late'): SignalBody => ({ kind: 'timer', visit, event });

  it('a timer acts in the visit it was set in, and not while the project is paused: its time begins anew then', () => {
    expect(give(at('WAIT'), timer(1), 'engine')).toMatchObject({ kind: 'moved', to: 'TIDY' });
    expect(give(at('WAIT', { paused: true }), timer(1), 'engine').kind).toBe('noted');
    expect(give(at('WAIT', { visit: 2 }), timer(1), 'engine').kind).toBe('noted');
  });

  it('a timer causes no event but that of its state', () => {
    expect(give(at('WORK'), timer(1, 'work:done'), 'engine').kind).toBe('noted');
    expect(give(at('WAIT'), timer(1, 'answer:given'), 'engine').kind).toBe('noted');
  });

  it('a notice takes the branch that the table has for it, in the visit it was meant for', () => {
    const blocked = at('BLOCKED', { returnTo: 'WORK' });
    const notice = (event: string, visit = 1): SignalBody => ({ kind: 'notice', id: 'n', event, visit });
    expect(give(blocked, notice('block:resolved'))).toMatchObject({ kind: 'moved', to: 'WORK' });
    expect(give(blocked, notice('block:resolved'), 'service').kind).toBe('noted');
    expect(give(blocked, notice('block:resolved', 2)).kind).toBe('noted');
    expect(give({ ...blocked, paused: true }, notice('block:resolved')).kind).toBe('later');
    expect(give(blocked, notice('ABORT')).kind).toBe('noted');
  });

  it('a wake-up ends the wait it was meant for', () => {
    const resting = at('WORK', { wait: { kind: 'time', reason: 'rate limit', ms: 5 } });
    expect(give(resting, { kind: 'wake', visit: 1 }, 'engine')).toEqual({ kind: 'changed', next: at('WORK') });
    expect(give(resting, { kind: 'wake', visit: 2 }, 'engine').kind).toBe('noted');
    expect(give(at('WORK'), { kind: 'wake', visit: 1 }, 'engine').kind).toBe('noted');
  });

  it('a wake-up has a parent look at its children again', () => {
    const waiting = at('WORK', { wait: { kind: 'children', keys: ['a'] } });
    expect(give(waiting, { kind: 'wake', visit: 1 }, 'engine')).toEqual({ kind: 'changed', next: at('WORK') });
    expect(give(waiting, { kind: 'wake', visit: 2 }, 'engine').kind).toBe('noted');
  });

  it('the wait for children ends with the last of them, each counted once', () => {
    const waiting = at('WORK', { wait: { kind: 'children', keys: ['a', 'b'] } });
    const first = give(waiting, { kind: 'child', visit: 1, key: 'a' }, 'engine');
    expect(first).toMatchObject({ kind: 'changed', next: { wait: { kind: 'children', keys: ['b'] } } });
    if (first.kind !== 'changed') return;
    expect(give(first.next, { kind: 'child', visit: 1, key: 'a' }, 'engine').kind).toBe('noted');
    expect(give(first.next, { kind: 'child', visit: 9, key: 'b' }, 'engine').kind).toBe('noted');
    expect(give(first.next, { kind: 'child', visit: 1, key: 'b' }, 'engine')).toEqual({
      kind: 'changed',
      next: at('WORK'),
    });
  });
});
