import { describe, expect, it } from 'vitest';
import { casesOf, nameOfCase } from './cases.js';

const place = (mode: string, state: string) => ({ mode, machine: mode, state });

describe('the cases of the kill matrix', () => {
  it('are every moment around each commit and each effect', () => {
    const effects = [{ ...place('drill', 'A'), step: 'write' }];
    expect(casesOf({ places: [place('drill', 'A')], effects }).map(nameOfCase)).toEqual([
      'drill A, before-commit',
      'drill A, committed',
      'drill A, handed-over',
      'drill A, effect-started write',
      'drill A, effect-ran write',
    ]);
  });

  it('are one moment at each place of a mode that takes turns, and all moments over its places', () => {
    const places = ['A', 'B', 'C', 'D'].map((state) => place('slow', state));
    expect(casesOf({ places, effects: [] }, () => 'in turn').map(nameOfCase)).toEqual([
      'slow A, before-commit',
      'slow B, committed',
      'slow C, handed-over',
      'slow D, before-commit',
    ]);
  });

  it('are one of each kind of effect where turns are taken, and what modes do alike in a state once', () => {
    const one = { ...place('one', 'A'), step: 'write' };
    const effects = [one, { ...one, step: 'again/write' }, { ...one, mode: 'two', machine: 'two' }];
    const other = [
      { ...one, mode: 'two', machine: 'two', step: 'commit' },
      { ...place('two', 'B'), step: 'write' },
    ];
    expect(casesOf({ places: [], effects: [...effects, ...other] }, () => 'in turn').map(nameOfCase)).toEqual([
      'one A, effect-started write',
      'two A, effect-ran commit',
      'two B, effect-started write',
    ]);
  });

  it('are one of each kind of numbered steps, such as runs of a check', () => {
    const steps = ['on-base-1/1', 'on-base-1/2', 'check/C-001', 'check/C-002', 'result/C-001/1', 'base/C-001'];
    const effects = steps.map((step) => ({ ...place('one', 'A'), step }));
    expect(casesOf({ places: [], effects }, () => 'in turn').map(({ step }) => step)).toEqual([
      'on-base-1/1',
      'check/C-001',
      'result/C-001/1',
      'base/C-001',
    ]);
  });
});
