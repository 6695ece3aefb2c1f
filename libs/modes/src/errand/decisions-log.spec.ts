import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decisionsLog } from './decisions-log.js';

const at = '2026-11-16T12:00:00.000Z';

it('is empty where nobody was asked', () => {
  expect(decisionsLog({})).toBe('');
});

it('says when who decided what, and why', () => {
  const decisions = [
    { at, gate: 'unproven', decision: 'revise', feedback: 'keep\nthe tests' },
    { at, gate: 'unproven', decision: 'accept' },
  ];
  expect(decisionsLog({ decisions })).toBe(
    `${at} a person decided revise at unproven: keep the tests\n${at} a person decided accept at unproven\n`,
  );
});

it('has one line for each decision, whatever was written', () => {
  const decision = fc.record({ feedback: fc.string({ unit: 'binary' }) });
  fc.assert(
    fc.property(fc.array(decision, { maxLength: 5 }), (said) => {
      const decisions = said.map((one) => ({ at, gate: 'unproven', decision: 'revise', ...one }));
      const lines = decisionsLog({ decisions }).split(/[\n\r\u0085\u2028\u2029]/u);
      expect(lines.pop()).toBe('');
      expect(lines).toHaveLength(said.length);
      for (const line of lines) expect(line.startsWith(`${at} a person decided revise at unproven`)).toBe(true);
    }),
  );
});
