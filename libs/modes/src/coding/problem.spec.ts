import { describe, expect, it } from 'vitest';
import type { HealProblem } from '#contracts';
import { problemsOf } from './coding-context.js';
import { eventOf, problemOf, taskOf, verifiedAs, Visit } from './coding.fixture.js';
import { judgedAgainst } from '../shared/judged-against.js';
import { foundProblem, troubleOf } from './problem.js';

const failing = (name: string) => verifiedAs('failed', { failed: 1 }, `✖ ${name} (1ms)\nnot ok 1 - ${name}\n`);
const place = { task: taskOf('T-004'), folder: '/worktree', patch: { kept: 1 }, facts: { verdict: 'failed' } };

describe('a verification beside the baseline', () => {
  it('is no worse where what fails failed before', () => {
    expect(judgedAgainst(failing('a'), failing('a')).isNoWorse).toBe(true);
    expect(judgedAgainst(null, verifiedAs('passed')).isNoWorse).toBe(true);
  });

  it('is worse where something else fails, or nobody looked before', () => {
    expect(judgedAgainst(failing('a'), failing('b')).isNoWorse).toBe(false);
    expect(judgedAgainst(null, failing('a')).isNoWorse).toBe(false);
  });
});

describe('a problem that is found', () => {
  const found = (before: readonly HealProblem[] = []) => {
    const { activity } = new Visit({ problems: before });
    return eventOf(foundProblem(activity, judgedAgainst(verifiedAs('passed'), failing('light becomes dark')), place));
  };

  it('gets a number after those before it, its task, and no attempts', () => {
    const { type, patch, data } = found([problemOf('P-001'), problemOf('P-002')]);
    expect(type).toBe('problem:found');
    const [, , problem] = problemsOf({ context: patch });
    expect(problem).toMatchObject({ id: 'P-003', task: 'T-004', status: 'open', attempts: [], command: 'npm test' });
    expect(data).toMatchObject({ problem: 'P-003', verdict: 'failed', title: problem?.title });
    expect(patch).toMatchObject({ kept: 1, problem: 'P-003', healing: { attempt: 0, model: null, problem: 'P-003' } });
  });

  it('has the same signature when it comes back', () => {
    const [first] = problemsOf({ context: found().patch });
    const again = problemsOf({ context: found(first ? [first] : []).patch });
    expect(again.map(({ signature }) => signature)).toEqual([first?.signature, first?.signature]);
    expect(first?.signature).toMatch(/[0-9a-f]{64}$/);
  });

  it('is a bug of ours where nothing fails', () => {
    const { activity } = new Visit({});
    const nothing = judgedAgainst(null, verifiedAs('passed'));
    expect(() => foundProblem(activity, nothing, place)).toThrow('nothing in it fails');
  });
});

it('trouble is the end of the output, bounded', () => {
  const comparison = { isNoWorse: false, newFailures: Array.from({ length: 99 }, String), oldFailures: [], worst: { command: 'c', output: `${'x'.repeat(1e5)}end` } }; // prettier-ignore
  const { output, newFailures } = troubleOf(comparison) as { output: string; newFailures: string[] };
  expect([output.length, output.endsWith('end'), newFailures.length]).toEqual([16_000, true, 50]);
  expect(troubleOf({ ...comparison, worst: null })).toMatchObject({ command: '', output: '' });
});

describe('trouble of a long output', () => {
  const passing = Array.from({ length: 2_000 }, (_, nth) => `ok ${String(nth)} - passes\n`).join('');
  const output = `${passing}not ok 7 - light becomes dark\n  expected 1, got 2\n${passing}# fail 1\n`;
  const comparison = { isNoWorse: false, oldFailures: [], worst: { command: 'c', output } };

  it('begins with the lines about the failures, which may stand far from its end', () => {
    const trouble = troubleOf({ ...comparison, newFailures: ['light becomes dark'] }) as { output: string };
    expect(trouble.output).toMatch(/^not ok 7 - light becomes dark\n {2}expected 1, got 2[^]*# fail 1\n$/);
    expect(trouble.output.length).toBeLessThanOrEqual(16_000);
  });

  it('is its end if it names none of them', () => {
    const trouble = troubleOf({ ...comparison, newFailures: ['c: fails with exit code 1'] }) as { output: string };
    expect(trouble.output).toBe(output.slice(-16_000));
  });
});

it('trouble keeps the files of a check apart from what it printed', () => {
  const comparison = {
    isNoWorse: false,
    newFailures: ['it is dark'],
    oldFailures: [],
    worst: { command: 'c', output: 'red' },
    isCheck: true,
    checkFiles: '--- c.mjs',
  } as const;
  expect(troubleOf(comparison)).toMatchObject({ output: 'red', checkFiles: '--- c.mjs' });
});
