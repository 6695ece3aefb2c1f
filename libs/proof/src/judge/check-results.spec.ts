import { describe, expect, it } from 'vitest';
import type { RunKind } from '../classify-red.js';
import { toBaseResult, toEndResult } from './check-results.js';

const GREEN: RunKind = { kind: 'green' };
const RED: RunKind = { kind: 'assertion' };
const BROKEN: RunKind = { kind: 'broken', reason: 'The runner found no tests.' };
const absent = (...missing: readonly string[]): RunKind => ({ kind: 'absent', missing });
const DIFF = { files: [{ path: 'src/minus.mjs', status: 'added' }], patch: '' };

describe('toBaseResult', () => {
  it.each<[string, readonly RunKind[], string]>([
    ['two assertions', [RED, RED], 'assertion'],
    ['a passed check', [GREEN, GREEN], 'green'],
    ['a mixed check', [GREEN, RED], 'flaky'],
    ['a check that is broken once and passes once', [BROKEN, GREEN], 'flaky'],
    ['a broken check', [BROKEN, BROKEN], 'broken'],
    ['a check that is broken once', [RED, BROKEN], 'broken'],
    ['something that the diff adds', [absent('./minus.mjs'), absent('./minus.mjs')], 'absent'],
    ['something that the diff does not add', [absent('./other.mjs'), absent('./minus.mjs')], 'unexplained'],
    ['an assertion and an absence', [RED, absent('./minus.mjs')], 'absent'],
    ['no run', [], 'not-run'],
  ])('judges %s', (_, runs, result) => {
    expect(toBaseResult(runs, DIFF)).toBe(result);
  });
});

describe('toEndResult', () => {
  it.each<[readonly RunKind[], string]>([
    [[GREEN, GREEN], 'passes'],
    [[RED, RED], 'fails'],
    [[BROKEN, RED], 'fails'],
    [[absent('x'), absent('x')], 'fails'],
    [[GREEN, BROKEN], 'flaky'],
    [[], 'not-run'],
  ])('judges %j as %s', (runs, result) => {
    expect(toEndResult(runs)).toBe(result);
  });
});
