import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { JsonObject } from '#kernel';
import { DECISIONS, decisionsLog } from './decisions-log.js';

const at = new Date('2026-11-16T12:00:00.000Z');
const told = (type: string, data: JsonObject) => ({ at, type, data });

it('is empty where nobody decided anything', () => {
  expect(decisionsLog([])).toBe('');
  expect(decisionsLog([told('command.received', { command: 'STATUS', by: 'human' })])).toBe('');
});

it('says when who decided what, and why', () => {
  const log = decisionsLog([
    told('gate.decided', { gate: 'unproven', decision: 'revise', by: 'human', feedback: 'keep\nthe tests' }),
    told('checkpoint.restored', { from: 9, to: 6, rule: 'asked-by-a-person' }),
    told('gate.decided', { gate: 'unproven', decision: 'accept', by: 'human' }),
    told('budget.changed', { to: { usd: '50', tokens: null }, by: 'human' }),
    told('command.received', { command: 'ABORT', by: 'service' }),
    told('budget.changed', { to: { usd: '2.00', tokens: null }, by: 'engine' }),
  ]);
  expect(log.split('\n')).toEqual([
    '2026-11-16T12:00:00.000Z a human decided revise at unproven: keep the tests',
    '2026-11-16T12:00:00.000Z restored checkpoint 6 (asked-by-a-person)',
    '2026-11-16T12:00:00.000Z a human decided accept at unproven',
    '2026-11-16T12:00:00.000Z a human set the budget to 50 USD, no cap in tokens',
    '2026-11-16T12:00:00.000Z a service commanded ABORT',
    '2026-11-16T12:00:00.000Z the service set the budget to 2.00 USD, no cap in tokens',
    '',
  ]);
});

it('says where the service went by itself, and upon what', () => {
  const log = decisionsLog([
    told('state.entered', { cause: 'created', from: null, to: 'INIT' }),
    told('activity.reported', { event: 'problem:found', problem: 'P-001', signature: 'abc', tests: ['a', 'b'] }),
    told('state.entered', { cause: 'problem:found', from: 'EXECUTING', to: 'SELF_HEAL' }),
    told('state.entered', { cause: 'SKIP', from: 'SELF_HEAL', to: 'SELF_HEAL' }),
  ]);
  expect(log.split('\n')).toEqual([
    '2026-11-16T12:00:00.000Z the service began in INIT: created',
    '2026-11-16T12:00:00.000Z the service went from EXECUTING to SELF_HEAL: problem:found; problem P-001; tests a, b',
    '2026-11-16T12:00:00.000Z the service stayed in SELF_HEAL: SKIP',
    '',
  ]);
});

it('has one line for each decision, whatever was written', () => {
  // Any character; the library's own takes seconds to be made.
  const word = fc.string({ unit: fc.nat(0x10ffff).map((code) => String.fromCodePoint(code)) });
  const type = fc.constantFrom(...DECISIONS, 'state.entered');
  const event = fc.record({ type, command: word, decision: word, feedback: word });
  fc.assert(
    fc.property(fc.array(event, { maxLength: 5 }), (events) => {
      const log = decisionsLog(events.map(({ type: of, ...data }) => told(of, { ...data, cause: data.command })));
      const lines = log.split(/[\n\r\u0085\u2028\u2029]/u);
      expect(lines.pop()).toBe('');
      expect(lines).toHaveLength(events.filter(({ command }) => command !== 'STATUS').length);
      for (const line of lines) expect(line.startsWith(`${at.toISOString()} `)).toBe(true);
    }),
  );
});
