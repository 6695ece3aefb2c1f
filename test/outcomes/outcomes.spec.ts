import { beforeAll, describe, expect, it } from 'vitest';
import { refuseStaleBuild } from '../harness/built.js';
import { onePerPoint } from './cases/one-per-point.js';
import type { CaseResult } from './report/table.js';
import { runAll } from './run-all.js';

describe('one case for each observed failure', () => {
  const results = new Map<string, CaseResult>();
  // Together they take a third of the time that they take one after the other.
  beforeAll(async () => {
    refuseStaleBuild();
    for (const result of await runAll(onePerPoint)) results.set(result.case.name, result);
  });

  it.each(onePerPoint)('$name ends as a $kind case must', ({ name }) => {
    const { outcome, why, isRight } = results.get(name) ?? {};
    expect({ outcome, why, isRight }).toMatchObject({ isRight: true });
  });
});
