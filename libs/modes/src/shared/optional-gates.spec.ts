import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { classicMode } from '../classic/mode.js';
import { fakeParts } from '../coding/coding.fixture.js';
import { codingGuards } from '../coding/guards.js';
import { codingMode } from '../coding/mode.js';
import { admitAtOfferedGates, gatesOn, OFFERED_GATES } from './optional-gates.js';

const modes = [codingMode(fakeParts().parts), classicMode(fakeParts().parts)];
const GUARDS = ['execute-gate-is-on', 'complete-gate-is-on'];
const held = (context: Parameters<(typeof modes)[0]['begin']>[0]) =>
  GUARDS.map((guard) => codingGuards[guard]?.(context, {}, {}));

describe('the gates before EXECUTING and before COMPLETE', () => {
  it.each(modes)('of $name are off unless an order switches them on', (mode) => {
    expect(held(mode.begin({}, {}, {}))).toEqual([false, false]);
    expect(held(mode.begin({}, { execute: false, complete: false }, {}))).toEqual([false, false]);
    expect(held(mode.begin({}, { execute: true }, {}))).toEqual([true, false]);
    expect(held(mode.begin({}, { complete: true }, {}))).toEqual([false, true]);
  });

  it('are on by nothing else that a context may hold', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const on = held({ gatesOn: value as string[] });
        const wanted = (name: string): boolean => Array.isArray(value) && value.includes(name);
        expect(on).toEqual(OFFERED_GATES.map(wanted));
      }),
    );
    expect(gatesOn({ plan: true, constructor: true })).toEqual({});
  });

  it('of the planning variant are the one before COMPLETE, which is its own', () => {
    const [coding] = modes;
    const begin = (gates: Record<string, boolean>) => coding?.begin({}, gates, { variant: 'planning' }) ?? {};
    expect(() => begin({ execute: true })).toThrow(expect.objectContaining({ code: 'OPTION_NOT_AVAILABLE' }));
    expect(codingGuards['delivery-gate-is-on']?.(begin({ complete: true }), {}, {})).toBe(true);
    expect(codingGuards['delivery-gate-is-on']?.(begin({ execute: false }), {}, {})).toBe(false);
    const whole = coding?.begin({}, { complete: true }, {}) ?? {};
    expect(codingGuards['delivery-gate-is-on']?.(whole, {}, {})).toBe(false);
  });

  it.each([undefined, '', ' \n'])('send nothing back without a word: %j', (feedback) => {
    const said = { gate: 'complete', decision: 'revise', ...(feedback !== undefined && { feedback }) };
    expect(() => admitAtOfferedGates(said)).toThrow(expect.objectContaining({ code: 'FEEDBACK_REQUIRED' }));
    expect(() => admitAtOfferedGates({ ...said, feedback: 'Smaller.' })).not.toThrow();
    expect(() => admitAtOfferedGates({ ...said, decision: 'approve' })).not.toThrow();
  });
});
