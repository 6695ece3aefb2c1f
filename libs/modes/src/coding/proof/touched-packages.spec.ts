import { describe, expect, it } from 'vitest';
import type { VerifyReport } from '#workspace';
import { verifiedAs } from '../coding.fixture.js';
import { planWith } from './proof.fixture.js';
import { withTouchedPackages } from './touched-packages.js';

const COMMAND = 'cd packages/p && npm test';

const failing = (command: string, output = 'Cannot find module', counts: object | null = null): VerifyReport => {
  const report = verifiedAs('failed', counts, output);
  return { ...report, commands: report.commands.map((one) => ({ ...one, command })) };
};
const scopeOf = (baseline: VerifyReport, ...changed: readonly string[]) =>
  withTouchedPackages(planWith(), { baseline, result: baseline, changed }).scope.map(({ name }) => name);

describe('a package whose tests cannot run', () => {
  it('is in scope if the change touches it', () => {
    expect(scopeOf(failing(COMMAND), 'packages/p/index.js')).toEqual([COMMAND]);
  });

  it('is a known failure if the change touches others', () => {
    expect(scopeOf(failing(COMMAND), 'packages/other/index.js', 'packages/p.js')).toEqual([]);
  });

  it('is in scope by the names of its failures', () => {
    const baseline = failing(COMMAND, 'not ok 1 - a.test.js', { passed: 0, failed: 1 });
    expect(scopeOf(baseline, 'packages/p/index.js')).toEqual(['a.test.js']);
  });

  it('adds nothing to the scope if other tests of it pass', () => {
    const baseline = failing(COMMAND, 'not ok 1 - rounds', { passed: 2, failed: 1 });
    expect(scopeOf(baseline, 'packages/p/index.js')).toEqual([]);
  });

  it('is in scope with each of its failures if it could not be set up', () => {
    const baseline = failing(COMMAND, 'not ok 1 - rounds', { passed: 2, failed: 1 });
    const scope = (notSetUp: readonly string[]) => scopeOf({ ...baseline, notSetUp }, 'packages/p/index.js');
    expect([scope(['packages/p']), scope(['packages/other'])]).toEqual([['rounds'], []]);
  });

  it('is not the root', () => {
    expect(scopeOf(failing('npm test'), 'packages/p/index.js')).toEqual([]);
  });

  it('is listed once', () => {
    const plan = planWith({ scope: [{ name: COMMAND, reason: 'r' }] });
    const seen = { baseline: failing(COMMAND), result: failing(COMMAND), changed: ['packages/p/index.js'] };
    expect(withTouchedPackages(plan, seen)).toBe(plan);
  });
});

describe('a failure of such a package that an agent took out of the scope', () => {
  const plan = planWith({ outOfScope: [{ name: 'rounds', why: 'w' }] });
  const printing = (error: string) =>
    failing(COMMAND, `not ok 1 - rounds\n  error: ${error}`, { passed: 0, failed: 1 });
  const judge = (result: VerifyReport) =>
    withTouchedPackages(plan, { baseline: printing('TypeError: a'), result, changed: ['packages/p/index.js'] });

  it('stays out of it if it prints the same', () => {
    expect(judge(printing('TypeError: a'))).toBe(plan);
  });

  it('stays out of it if it passes', () => {
    expect(judge(failing('npm test'))).toBe(plan);
  });

  it('comes back if it prints something else: the change has to do with it', () => {
    const { scope, outOfScope } = judge(printing('RangeError: b'));
    expect([scope.map(({ name }) => name), outOfScope]).toEqual([['rounds'], []]);
  });
});
