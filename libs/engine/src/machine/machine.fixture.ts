import type { Json } from '#kernel';
import fc from 'fast-check';
import { defineMachine } from './define-machine.js';
import { type Branch, type Guards, type Machine, RETURN, type State, TABLE_COMMANDS } from './machine.js';
import type { Snapshot, Wait } from './snapshot.js';
import type { MachineEvent } from './transition.js';

/** A machine that uses everything a table can say. */
export const sample: Machine = defineMachine(
  'sample',
  1,
  {
    START: { do: 'begin', on: { 'work:begun': 'WORK' } },
    WORK: {
      do: 'work',
      on: {
        'work:again': [{ to: 'WORK', bound: { name: 'rounds', max: 3 } }, 'ASK'],
        'item:again': [
          { to: 'WORK', bound: { name: 'tries', max: 2, per: 'item', parameter: 'tries' } },
          { to: 'BLOCKED' },
        ],
        'work:done': [{ to: 'TIDY', when: 'is-small' }, 'ASK'],
        SKIP: 'WORK',
      },
    },
    ASK: {
      gate: { name: 'approval', ask: 'Go on?', options: { approve: 'ask:approved', reject: 'ask:rejected' } },
      on: {
        'ask:approved': 'WAIT',
        'ask:rejected': { to: 'TIDY', aborts: true },
        ESCALATE: { to: 'WORK', when: 'is-large' },
      },
    },
    WAIT: {
      gate: { name: 'answer', ask: 'Which?', options: { answer: 'answer:given' } },
      timer: { event: 'answer:late', ms: 1_000 },
      on: { 'answer:given': 'TIDY', 'answer:late': 'TIDY', SKIP: 'TIDY' },
    },
    BLOCKED: {
      remembers: true,
      gate: { name: 'resolve', ask: 'Resolved?', options: { resolve: 'block:resolved' } },
      on: { 'block:resolved': RETURN, RETRY: { to: RETURN, by: 'human' } },
    },
    TIDY: { do: 'tidy', end: 'completed' },
  },
  { abortTo: 'TIDY', everywhere: { 'work:blocked': 'BLOCKED' } },
);

export const sampleGuards: Guards = {
  'is-small': (context) => context['size'] === 'small',
  'is-large': (context) => context['size'] === 'large',
};

const HOSTILE = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', ''];
const names = [...Object.keys(sample.states), ...HOSTILE, 'NOWHERE'];
const events = [
  ...new Set(Object.values(sample.states).flatMap((state) => Object.keys(state.on))),
  ...TABLE_COMMANDS,
  ...HOSTILE,
  'ABORT',
  'PAUSE',
  'never:heard',
];

const json = fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>;
/** Own members only, whatever their names: `__proto__` as a key stays a key. */
const record = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<Record<string, T>> =>
  fc
    .array(fc.tuple(fc.constantFrom(...HOSTILE, 'size', 'item', 'tries', 'rounds', 'tries/a'), value), { maxLength: 4 })
    .map((entries) => Object.fromEntries(entries));

const wait: fc.Arbitrary<Wait | null> = fc.constantFrom<(Wait | null)[]>(
  null,
  { kind: 'children', keys: ['a', 'b'] },
  { kind: 'time', reason: 'rate limit', ms: 5 },
  { kind: 'effect', key: 'k', question: 'Did it happen?' },
  { kind: 'step-failed', code: 'X', message: 'x' },
);

export const anySnapshot: fc.Arbitrary<Snapshot> = fc.record({
  state: fc.constantFrom(...names),
  visit: fc.nat(5),
  incarnation: fc.nat(3),
  counters: record(fc.nat(5)),
  paused: fc.boolean(),
  aborting: fc.boolean(),
  ended: fc.boolean(),
  returnTo: fc.option(fc.constantFrom(...names)),
  wait,
  failure: fc.option(fc.constant({ code: 'BUG', message: 'bug' }), { freq: 8 }),
  context: record(fc.oneof(json, fc.constantFrom('small', 'large', 'a'))),
});

export const anyEvent: fc.Arbitrary<MachineEvent> = fc.record(
  {
    type: fc.constantFrom(...events),
    by: fc.constantFrom('engine', 'human', 'service'),
    data: record(json),
    patch: record(json),
  },
  { requiredKeys: ['type', 'by'] },
);

const branch: fc.Arbitrary<Branch> = fc
  .tuple(fc.constantFrom(...names, RETURN), fc.nat(7), fc.constantFrom(...HOSTILE, 'is-small', 'breaks'))
  .map(([to, bits, name]) => ({
    to,
    ...(bits & 1 && { when: name }),
    ...(bits & 2 && { bound: { name, max: 2, per: name } }),
    ...(bits & 4 && { by: 'human' as const }),
  }));

const state: fc.Arbitrary<State> = fc
  .tuple(
    fc.array(fc.tuple(fc.constantFrom(...events), fc.array(branch, { maxLength: 3 })), { maxLength: 4 }),
    fc.nat(63),
  )
  .map(([on, bits]) => ({
    on: Object.fromEntries(on),
    ...(bits & 1 && { do: 'work' }),
    ...(bits & 2 && { gate: { name: 'gate', ask: '?', options: { approve: 'ask:approved' } } }),
    ...(bits & 4 && { timer: { event: 'answer:late', ms: 1 } }),
    ...(bits & 8 && { remembers: true as const }),
    ...(bits === 16 && { end: 'completed' as const }),
    ...(bits & 32 && { completes: true as const }),
  }));

/** Any table at all, faulty ones included. */
export const anyMachine: fc.Arbitrary<Machine> = fc
  .tuple(
    fc.array(fc.tuple(fc.constantFrom(...names), state), { maxLength: 6 }),
    fc.constantFrom(...names),
    fc.constantFrom(...names),
  )
  .map(([states, initial, abortTo]) => ({
    name: 'any',
    version: 1,
    initial,
    abortTo,
    states: Object.fromEntries(states),
  }));
