import { describe, expect, it } from 'vitest';
import { casesOf, nameOfCase } from './cases.js';

const place = (mode: string, state: string) => ({ mode, machine: mode, state });
/** The same project comes by all steps of a mode. */
const seen = (mode: string, state: string, step: string) => ({
  ...place(mode, state),
  step,
  metOnWayTo: place(mode, 'A'),
});

describe('the cases of the kill matrix', () => {
  it('are every moment around each commit and each effect', () => {
    const effects = [seen('drill', 'A', 'write')];
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
    const one = seen('one', 'A', 'write');
    const effects = [one, { ...one, step: 'again/write' }, seen('two', 'A', 'write')];
    const other = [seen('two', 'A', 'commit'), seen('two', 'B', 'write')];
    expect(casesOf({ places: [], effects: [...effects, ...other] }, () => 'in turn').map(nameOfCase)).toEqual([
      'one A, effect-started write',
      'two A, effect-ran commit; two B, effect-started write',
    ]);
  });

  it('are one of each kind of numbered steps, such as runs of a check', () => {
    const steps = ['on-base-1/1', 'on-base-1/2', 'check/C-001', 'check/C-002', 'result/C-001/1', 'base/C-001'];
    const effects = steps.map((step) => seen('one', 'A', step));
    const killed = casesOf({ places: [], effects }, () => 'in turn').flatMap(({ kills }) => kills);
    expect(killed.map(({ step }) => step).toSorted()).toEqual([
      'base/C-001',
      'check/C-001',
      'on-base-1/1',
      'result/C-001/1',
    ]);
  });

  it('kill one project up to three times if turns are taken, at steps that are far from each other', () => {
    const effects = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((step) => seen('one', 'A', step));
    const cases = casesOf({ places: [], effects }, () => 'in turn');
    expect(cases.map(({ kills }) => kills.map(({ step }) => step))).toEqual([
      ['a', 'd', 'g'],
      ['b', 'e'],
      ['c', 'f'],
    ]);
  });

  it('have one kill each if all moments are taken', () => {
    const effects = ['a', 'b'].map((step) => seen('one', 'A', step));
    expect(casesOf({ places: [], effects }, () => 'all').map(({ kills }) => kills.length)).toEqual([1, 1, 1, 1]);
  });
});
