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
  withTouchedPackages(planWith(), baseline, changed).scope.map(({ name }) => name);

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
    expect(withTouchedPackages(plan, failing(COMMAND), ['packages/p/index.js'])).toBe(plan);
  });
});
