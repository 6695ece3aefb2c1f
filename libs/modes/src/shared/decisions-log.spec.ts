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
  ]);
  expect(log.split('\n')).toEqual([
    '2026-11-16T12:00:00.000Z a human decided revise at unproven: keep the tests',
    '2026-11-16T12:00:00.000Z brought back to checkpoint 6 (asked-by-a-person)',
    '2026-11-16T12:00:00.000Z a human decided accept at unproven',
    '2026-11-16T12:00:00.000Z a human set the budget to 50 USD, no cap in tokens',
    '2026-11-16T12:00:00.000Z a service commanded ABORT',
    '',
  ]);
});

it('has one line for each decision, whatever was written', () => {
  const word = fc.string({ unit: 'binary' });
  const event = fc.record({ type: fc.constantFrom(...DECISIONS), command: word, decision: word, feedback: word });
  fc.assert(
    fc.property(fc.array(event, { maxLength: 5 }), (events) => {
      const log = decisionsLog(events.map(({ type, ...data }) => told(type, data)));
      const lines = log.split(/[\n\r\u0085\u2028\u2029]/u);
      expect(lines.pop()).toBe('');
      expect(lines).toHaveLength(events.filter(({ command }) => command !== 'STATUS').length);
      for (const line of lines) expect(line.startsWith(`${at.toISOString()} `)).toBe(true);
    }),
  );
});
