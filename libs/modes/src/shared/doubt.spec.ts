import { describe, expect, it } from 'vitest';
import type { TestTampering, VerifyReport } from '#workspace';
import { doubtAbout } from './doubt.js';

const NOTHING: TestTampering = {
  removedFiles: [],
  removedTests: [],
  skippedTests: [],
  weakened: [],
  runnerFiles: [],
  unread: [],
  isComplete: true,
};

const ran = (passed: number, more: Partial<VerifyReport> = {}): VerifyReport => ({
  verdict: 'passed',
  reason: `${String(passed)} tests passed`,
  commands: [],
  counts: { runner: 'vitest', passed, failed: 0, skipped: 0 },
  sandbox: 'none',
  ...more,
});
const command = (text: string, passed: number): VerifyReport['commands'][number] => ({
  command: text,
  exitCode: 0,
  endedBy: 'itself',
  durationMs: 1,
  output: '',
  counts: passed === 0 ? null : { runner: 'vitest', passed, failed: 0, skipped: 0 },
  metReadOnly: false,
});
const about = (tampering: Partial<TestTampering>): string | null =>
  doubtAbout(ran(3), { ...NOTHING, ...tampering }, ran(3));

describe('a doubt about tests that passed', () => {
  it('is none where nothing speaks against them', () => {
    expect(about({})).toBeNull();
    expect(doubtAbout(ran(3), NOTHING, null)).toBeNull();
    expect(doubtAbout(ran(4), NOTHING, ran(3))).toBeNull();
  });

  it('is that tests were taken away', () => {
    expect(about({ removedFiles: ['a.spec.ts'] })).toContain('removed or skipped: a.spec.ts');
    expect(about({ skippedTests: [{ file: 'a.spec.ts', line: 'xit()' }] })).toContain('a.spec.ts: xit()');
  });

  it('is that not all of the tests’ diff was looked at', () => {
    expect(about({ isComplete: false })).toContain('more places than can be looked at');
    expect(about({ unread: ['a.spec.ts'] })).toContain('too long to be looked at: a.spec.ts');
  });

  it('is that something else says now which tests are run', () => {
    expect(about({ runnerFiles: ['package.json'] })).toContain('which tests are run was changed: package.json');
  });

  it('is that the first tests of a repository assert nothing', () => {
    const none = ran(0, { verdict: 'unproven', counts: null });
    const first = (assertions: number): string | null => doubtAbout(ran(1), { ...NOTHING, assertions }, none);
    expect([first(0), first(1)]).toEqual(['there were no tests before, and the new ones assert nothing', null]);
    expect(doubtAbout(ran(1), { ...NOTHING, assertions: 0 }, ran(1))).toBeNull();
    expect(doubtAbout(ran(1), { ...NOTHING, assertions: 0 }, { ...none, verdict: 'failed' })).toBeNull();
  });

  it('is that a verify command runs something else now, or is no longer there', () => {
    expect(about({ verification: ['package.json: build'] })).toContain(
      'a verify command runs was changed: package.json: build',
    );
    const both = ran(3, { commands: [command('npm run build', 0), command('npm test', 3)] });
    const one = ran(3, { commands: [command('npm test', 3)] });
    expect(doubtAbout(one, NOTHING, both)).toBe('verified before the change, and no longer, by: npm run build');
    expect(doubtAbout(both, NOTHING, one)).toBeNull();
  });

  it('is that a file that was there before ends before its tests begin, though as many ran in others', () => {
    const empty = (...emptyFiles: string[]): VerifyReport =>
      ran(3, { counts: { runner: 'node:test', passed: 3, failed: 0, skipped: 0, emptyFiles } });
    expect(doubtAbout(empty('a.test.js'), NOTHING, ran(3))).toBe(
      'no test ran in files that were there before: a.test.js',
    );
    expect(doubtAbout(empty('a.test.js'), NOTHING, empty('a.test.js'))).toBeNull();
    const at = (id: string): string => `/data/worktrees/${id}/a.test.js`;
    const [one, fork] = [at('01a1e799-5684-77eb-a4c4-9a4669a1cf96'), at('01a1e799-5689-7b69-94fc-df66a36288e6')];
    expect(doubtAbout(empty(fork), NOTHING, empty(one))).toBeNull();
    const newFiles = ['lib/test/help.js'];
    expect(doubtAbout(empty('test/help.js'), { ...NOTHING, newFiles }, ran(3))).toBeNull();
    expect(doubtAbout(empty('/checkout/lib/test/help.js'), { ...NOTHING, newFiles }, ran(3))).toBeNull();
    expect(doubtAbout(empty('elp.js'), { ...NOTHING, newFiles }, ran(3))).not.toBeNull();
  });

  it('is that a new file says which tests are run, where there were some before', () => {
    const added: TestTampering = { ...NOTHING, newRunnerFiles: ['vitest.config.ts'] };
    const before = (report: VerifyReport | null): string | null =>
      doubtAbout({ ...ran(3), commands: [command('npm test', 3)] }, added, report);
    expect(before(ran(3))).toContain('which tests are run was changed: vitest.config.ts');
    expect(before(ran(0, { counts: { runner: 'vitest', passed: 0, failed: 0, skipped: 3 } }))).not.toBeNull();
    expect(
      before(ran(0, { counts: { runner: 'go test', passed: 0, failed: 0, skipped: 0, isMinimum: true } })),
    ).not.toBeNull();
    const none: VerifyReport = ran(0, { verdict: 'unproven', counts: null });
    expect(before(none)).toBeNull();
    expect(before({ ...none, commands: [command('npm run build', 0)] })).not.toContain('vitest.config.ts');
    expect(before(ran(0, { verdict: 'unproven', reason: 'no test ran' }))).toBeNull();
  });

  it('is that a new file says which tests are run, where nobody knows whether there were any', () => {
    const added: TestTampering = { ...NOTHING, newRunnerFiles: ['pytest.ini'] };
    const now: VerifyReport = { ...ran(3), commands: [command('npm test', 3)] };
    const uncounted = ran(0, { verdict: 'unproven', counts: null, commands: [command('npm test', 0)] });
    expect(doubtAbout(now, added, uncounted)).toContain('was changed: pytest.ini');
    expect(doubtAbout(now, added, null)).toContain('was changed: pytest.ini');
  });

  it('is that most of what was asserted is gone, but not that some is', () => {
    expect(about({ weakened: [{ file: 'a.spec.ts', removed: 1, added: 0 }] })).toContain('less than before: a.spec.ts');
    expect(about({ weakened: [{ file: 'a.spec.ts', removed: 3, added: 1 }] })).not.toBeNull();
    expect(about({ weakened: [{ file: 'a.spec.ts', removed: 2, added: 1 }] })).toBeNull();
  });

  it('is that fewer ran than before the change', () => {
    expect(doubtAbout(ran(3), NOTHING, ran(100))).toContain('3 instead of 100');
    const skipped = ran(0, { counts: { runner: 'vitest', passed: 2, failed: 0, skipped: 98 } });
    expect(doubtAbout(skipped, NOTHING, ran(100))).toContain('2 instead of 100');
    const failing = ran(0, { verdict: 'failed', counts: { runner: 'vitest', passed: 1, failed: 4, skipped: 0 } });
    expect(doubtAbout(ran(3), NOTHING, failing)).toContain('3 instead of 5');
  });

  it('is that more were skipped than before the change, also where as many ran', () => {
    const skipping = (skipped: number): VerifyReport =>
      ran(0, { counts: { runner: 'vitest', passed: 5, failed: 0, skipped } });
    expect(doubtAbout(skipping(2), NOTHING, skipping(0))).toContain('more tests were skipped than before');
    expect(doubtAbout(skipping(2), NOTHING, skipping(0))).toContain('2 instead of 0');
    expect(doubtAbout(skipping(2), NOTHING, skipping(2))).toBeNull();
    expect(doubtAbout(skipping(1), NOTHING, skipping(2))).toBeNull();
    expect(doubtAbout(skipping(2), NOTHING, null)).toBeNull();
  });

  it('is that a command which reported tests before reports none, whatever the others say', () => {
    const both = (one: number, other: number): VerifyReport => ({
      ...ran(one + other),
      commands: [command('npm test', one), command('make test', other)],
    });
    expect(doubtAbout(both(0, 9), NOTHING, both(3, 3))).toContain('reported tests before, and none now: npm test');
    expect(doubtAbout(both(3, 3), NOTHING, both(3, 3))).toBeNull();
    expect(doubtAbout(both(3, 3), NOTHING, both(0, 3))).toBeNull();
  });

  it('is no number that nobody knows', () => {
    expect(doubtAbout(ran(3), NOTHING, ran(100, { counts: null }))).toBeNull();
  });

  it('names all that speaks against them', () => {
    expect(about({ isComplete: false, runnerFiles: ['jest.config.js'] })).toMatch(/jest\.config\.js\. the tests/);
  });
});

describe('a doubt about tests that did not pass', () => {
  const failed = (failures: number): VerifyReport =>
    ran(0, { verdict: 'failed', counts: { runner: 'vitest', passed: 1, failed: failures, skipped: 0 } });
  const withCommand = (report: VerifyReport): VerifyReport => ({
    ...report,
    commands: [{ ...command('npm test', 0), exitCode: 1, counts: report.counts }],
  });

  it('is that they failed before the change as well', () => {
    const before = withCommand(failed(2));
    expect(doubtAbout(withCommand(failed(2)), NOTHING, before)).toContain('failed before the change too');
    expect(doubtAbout(withCommand(failed(3)), NOTHING, before)).toBeNull();
    expect(doubtAbout(withCommand(failed(2)), NOTHING, ran(3))).toBeNull();
  });

  it('is not that, where another test fails now than before', () => {
    const of = (name: string): VerifyReport => ({
      ...failed(1),
      commands: [{ ...command('npm test', 0), exitCode: 1, counts: failed(1).counts, output: `not ok 1 - ${name}\n` }],
    });
    expect(doubtAbout(of('a'), NOTHING, of('a'))).toContain('failed before the change too');
    expect(doubtAbout(of('b'), NOTHING, of('a'))).toBeNull();
  });

  it('is what makes them prove nothing', () => {
    expect(doubtAbout(ran(0, { verdict: 'unproven', reason: 'no test ran' }), NOTHING, null)).toBe('no test ran');
  });
});
