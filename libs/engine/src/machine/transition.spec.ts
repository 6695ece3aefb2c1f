import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defineMachine } from './define-machine.js';
import { anyEvent, anyMachine, anySnapshot, sample, sampleGuards } from './machine.fixture.js';
import { initialSnapshot, type Snapshot, statusOf } from './snapshot.js';
import { type MachineEvent, patched, type PrincipalKind, transition } from './transition.js';

const at = (state: string, more: Partial<Snapshot> = {}): Snapshot => ({
  ...initialSnapshot(sample, {}),
  state,
  ...more,
});
const send = (snapshot: Snapshot, type: string, more: Partial<MachineEvent> = {}) =>
  transition(sample, snapshot, { type, by: 'engine', ...more }, sampleGuards);

function sendOk(snapshot: Snapshot, type: string, more: Partial<MachineEvent> = {}): Snapshot {
  const result = send(snapshot, type, more);
  if (result.kind === 'refused') throw new Error(result.message);
  return result.next;
}

describe('transition is total and deterministic', () => {
  const breaking = {
    breaks: (): boolean => {
      throw new Error('out of order');
    },
  };

  it('answers any event on any snapshot of any table, the same way each time', () => {
    fc.assert(
      fc.property(anyMachine, anySnapshot, anyEvent, (machine, snapshot, event) => {
        const guards = { ...sampleGuards, ...breaking };
        const first = transition(machine, snapshot, event, guards);
        expect(transition(machine, snapshot, event, guards)).toEqual(first);
        if (first.kind === 'moved') expect(Object.hasOwn(machine.states, first.next.state)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  it('leaves what it was given untouched', () => {
    fc.assert(
      fc.property(anySnapshot, anyEvent, (snapshot, event) => {
        const before = structuredClone({ snapshot, event });
        transition(sample, snapshot, event, sampleGuards);
        expect({ snapshot, event }).toEqual(before);
      }),
    );
  });

  it('raises the visit by one with each move and clears the wait', () => {
    fc.assert(
      fc.property(anySnapshot, anyEvent, (snapshot, event) => {
        const result = transition(sample, snapshot, event, sampleGuards);
        if (result.kind === 'refused') return;
        expect(result.next).toMatchObject({ visit: snapshot.visit + 1, wait: null, incarnation: snapshot.incarnation });
      }),
    );
  });

  it('refuses an event rather than pass over a guard that broke', () => {
    const result = transition(sample, at('WORK'), { type: 'work:done', by: 'engine' }, { 'is-small': breaking.breaks });
    expect(result).toEqual({
      kind: 'refused',
      reason: 'no-branch-holds',
      message: 'the guard is-small broke: out of order',
    });
  });
});

describe('gates', () => {
  it.each(['ASK', 'WAIT', 'BLOCKED'])('%s is left only by a person, its own timer, or ABORT', (state) => {
    fc.assert(
      fc.property(anySnapshot, anyEvent, (snapshot, event) => {
        const result = transition(sample, { ...snapshot, state }, event, sampleGuards);
        if (result.kind === 'refused' || event.by === 'human' || event.type === 'ABORT') return;
        expect({ state, event: event.type, by: event.by }).toEqual({
          state: 'WAIT',
          event: 'answer:late',
          by: 'engine',
        });
      }),
      { numRuns: 500 },
    );
  });

  it('does not take the name of a timer event from a service', () => {
    expect(send(at('WAIT'), 'answer:late', { by: 'service' })).toMatchObject({
      kind: 'refused',
      reason: 'needs-human',
    });
    expect(sendOk(at('WAIT'), 'answer:late').state).toBe('TIDY');
  });
});

describe('bounds', () => {
  it('takes a bounded branch exactly as often as it may, then the next one', () => {
    const path = ['WORK'];
    for (let snapshot = at('WORK'); snapshot.state === 'WORK'; path.push(snapshot.state)) {
      snapshot = sendOk(snapshot, 'work:again');
    }
    expect(path).toEqual(['WORK', 'WORK', 'WORK', 'WORK', 'ASK']);
  });

  it('never counts beyond the bound, whatever happens', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 40 }), (events) => {
        let snapshot = at('WORK');
        for (const { type, by, data } of events) {
          const result = transition(sample, snapshot, { type, by, ...(data && { data }) }, sampleGuards);
          if (result.kind === 'moved') snapshot = result.next;
        }
        for (const [name, count] of Object.entries(snapshot.counters)) {
          expect(count).toBeLessThanOrEqual(name === 'rounds' ? 3 : 2);
        }
      }),
    );
  });

  it.each(['a', '__proto__', 'constructor'])('counts apart for each subject, also for one named %s', (item) => {
    let snapshot = at('WORK');
    for (let count = 0; count < 2; count += 1) snapshot = sendOk(snapshot, 'item:again', { data: { item } });
    expect(sendOk(snapshot, 'item:again', { data: { item: 'another' } }).state).toBe('WORK');
    expect(sendOk(snapshot, 'item:again', { data: { item } }).state).toBe('BLOCKED');
  });

  it.each(['__proto__', 'constructor'])('counts under any name, also %s', (name) => {
    const states = {
      A: { do: 'a', on: { again: [{ to: 'A', bound: { name, max: 1 } }, 'B'] } },
      B: { end: 'completed' as const },
    };
    const machine = defineMachine('m', 1, states, { abortTo: 'B' });
    const once = transition(machine, initialSnapshot(machine, {}), { type: 'again', by: 'engine' });
    if (once.kind === 'refused') throw new Error(once.message);
    expect([once.to, Object.entries(once.next.counters)]).toEqual(['A', [[name, 1]]]);
    expect(transition(machine, once.next, { type: 'again', by: 'engine' })).toMatchObject({ to: 'B' });
  });

  it('takes the subject from the context where the event does not say', () => {
    let snapshot = at('WORK', { context: { item: 'a' } });
    snapshot = sendOk(sendOk(snapshot, 'item:again', { data: { item: 'a' } }), 'item:again');
    expect(snapshot.counters).toEqual({ 'tries/a': 2 });
  });

  it('lets a parameter in the context override the number', () => {
    const snapshot = at('WORK', { context: { tries: 1 } });
    expect(sendOk(sendOk(snapshot, 'item:again'), 'item:again').state).toBe('BLOCKED');
  });
});

describe('remembering', () => {
  it.each(['START', 'WORK'])('leads back to %s, where it came from', (state) => {
    const blocked = sendOk(at(state), 'work:blocked');
    expect(blocked).toMatchObject({ state: 'BLOCKED', returnTo: state });
    expect(statusOf(sample, blocked)).toBe('blocked');
    expect(sendOk(blocked, 'block:resolved', { by: 'human' })).toMatchObject({ state, returnTo: null });
  });

  it('goes nowhere when nothing, or a state that is gone, was remembered', () => {
    for (const returnTo of [null, 'NOWHERE', '__proto__']) {
      const result = send(at('BLOCKED', { returnTo }), 'block:resolved', { by: 'human' });
      expect(result).toMatchObject({ kind: 'refused', reason: 'no-branch-holds' });
    }
  });
});

describe('ABORT', () => {
  const working = Object.keys(sample.states).filter((name) => !sample.states[name]?.end);

  it.each(working)('leaves %s for anyone, also while paused', (state) => {
    for (const by of ['engine', 'human', 'service'] as const satisfies PrincipalKind[]) {
      const next = sendOk(at(state, { paused: true }), 'ABORT', { by });
      expect(next).toMatchObject({ state: 'TIDY', aborting: true, paused: false, ended: false });
      expect(statusOf(sample, next)).toBe('running');
      expect(statusOf(sample, { ...next, ended: true })).toBe('aborted');
    }
  });

  it('is refused in a terminal state, ended or not, and a second time', () => {
    expect(send(at('TIDY'), 'ABORT')).toMatchObject({ reason: 'ended' });
    expect(send(at('TIDY', { ended: true }), 'ABORT')).toMatchObject({ reason: 'ended' });
    expect(send(at('WORK', { aborting: true }), 'ABORT')).toMatchObject({ reason: 'not-accepted' });
  });

  it('is refused when the table leads it nowhere', () => {
    const result = transition({ ...sample, abortTo: '__proto__' }, at('WORK'), { type: 'ABORT', by: 'human' });
    expect(result).toMatchObject({ kind: 'refused', reason: 'unknown-state' });
  });
});

describe('ending', () => {
  it('has not ended in a terminal state before its activity is done', () => {
    const next = sendOk(at('WORK', { context: { size: 'small' } }), 'work:done');
    expect(next).toMatchObject({ state: 'TIDY', ended: false });
    expect(statusOf(sample, { ...next, ended: true })).toBe('completed');
  });

  it('ends as aborted by a branch that gives the project up', () => {
    const next = sendOk(at('ASK'), 'ask:rejected', { by: 'human', patch: { why: 'too dear' } });
    expect(next).toMatchObject({ state: 'TIDY', aborting: true, context: { why: 'too dear' } });
  });
});

describe('the context', () => {
  it('is asked by a guard with what the event brings along', () => {
    const small = { patch: { size: 'small' } };
    expect(sendOk(at('WORK', { context: { size: 'large' } }), 'work:done', small).state).toBe('TIDY');
    expect(sendOk(at('WORK', { context: { size: 'small' } }), 'work:done', { patch: { size: null } }).state).toBe(
      'ASK',
    );
  });

  it('is asked with how often bounded branches were taken', () => {
    const asked: unknown[] = [];
    const guards = { ...sampleGuards, 'is-small': (...all: unknown[]) => asked.push(all[2]) > 0 };
    transition(sample, at('WORK', { counters: { rounds: 2 } }), { type: 'work:done', by: 'engine' }, guards);
    expect(asked).toEqual([{ rounds: 2 }]);
  });

  it('takes any key as a plain name', () => {
    const patch = JSON.parse('{"__proto__":{"isAdmin":true},"constructor":1,"toString":2}') as Record<string, never>;
    const context = patched({ kept: 1 }, patch);
    expect(Object.keys(context).sort()).toEqual(['__proto__', 'constructor', 'kept', 'toString']);
    expect(context['isAdmin']).toBeUndefined();
    expect(({} as Record<string, unknown>)['isAdmin']).toBeUndefined();
  });

  it('removes a key that is patched with null', () => {
    expect({ ...patched({ kept: 1, gone: 2 }, { gone: null, never: null }) }).toEqual({ kept: 1 });
  });
});
