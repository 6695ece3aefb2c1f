import { describe, expect, it } from 'vitest';
import { jobs } from '../targets/index.js';
import { lie } from './case.js';
import { chooseCases } from './choose-cases.js';

const all = ['a-fix', 'a-fix-errand', 'another'].map((name) => lie({ name, job: jobs.fixWeeks }));
const chosen = (...given: string[]) => chooseCases(all, given).map(({ name }) => name);

describe('chooseCases', () => {
  it('takes a name exactly, and anything else as the beginning of names', () => {
    expect(chosen('a-fix')).toEqual(['a-fix']);
    expect(chosen('a-f')).toEqual(['a-fix', 'a-fix-errand']);
    expect(chosen('a-fix', 'an')).toEqual(['a-fix', 'another']);
  });

  it('takes all without a name, and none for an unknown one', () => {
    expect(chosen()).toHaveLength(3);
    expect(chosen('b')).toEqual([]);
  });
});
