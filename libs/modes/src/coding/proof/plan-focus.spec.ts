import { describe, expect, it } from 'vitest';
import type { VerifyReport } from '#workspace';
import { verifiedAs } from '../coding.fixture.js';
import { nameAsVerified, planFocus, WHOLE_BELOW_MS } from './plan-focus.js';

const FAILING = 'test/a.test.mjs: adds';

type Ran = VerifyReport['commands'][number];

function reportOf(...commands: readonly Partial<Ran>[]): VerifyReport {
  const report = verifiedAs('passed');
  const [first] = report.commands;
  if (!first) throw new Error('a report has a command');
  return { ...report, commands: commands.map((one) => ({ ...first, durationMs: WHOLE_BELOW_MS, ...one })) };
}

const suite = { command: 'node --test' };
const failed = (command: string, name = 'adds') => ({
  command,
  exitCode: 1,
  output: `not ok 1 - ${name}\n  ---\n  location: 'test/a.test.mjs:1:1'\n  ...\n`,
});
const build = { command: 'npm run build', counts: null };

const plan = (more: Partial<Parameters<typeof planFocus>[0]> = {}) => {
  const baseline = more.baseline ?? reportOf(suite);
  return planFocus({ baseline, seen: baseline, names: [], files: [], scripts: {}, ...more });
};

describe('the tests of a step', () => {
  it('are the test files that concern it', () => {
    expect(plan({ files: ['test/a.test.mjs'] })).toEqual([
      { command: 'node --test', focused: 'node --test test/a.test.mjs' },
    ]);
  });

  it('are the failures that it has to settle', () => {
    const baseline = reportOf(failed('pytest', 'x'));
    const seen = {
      ...baseline,
      commands: baseline.commands.map((one) => ({ ...one, output: 'FAILED t.py::test_x - E' })),
    };
    expect(plan({ baseline, seen, names: ['t.py::test_x'] })).toEqual([
      { command: 'pytest', focused: 'pytest t.py::test_x' },
    ]);
  });

  it('run after the commands that report no tests', () => {
    expect(plan({ baseline: reportOf(build, suite), files: ['a.test.mjs'] })?.map(({ focused }) => focused)).toEqual([
      'npm run build',
      'node --test a.test.mjs',
    ]);
  });
});

describe('the whole suite runs', () => {
  const files = ['a.test.mjs'];

  it('if it is fast', () => {
    expect(plan({ baseline: reportOf({ ...suite, durationMs: WHOLE_BELOW_MS - 1 }), files })).toBeNull();
    expect(
      plan({ baseline: reportOf({ ...build, durationMs: WHOLE_BELOW_MS }, { ...suite, durationMs: 1 }), files }),
    ).not.toBeNull();
  });

  it.each<[string, Parameters<typeof plan>[0]]>([
    ['nothing is selected', {}],
    ['the named tests did not fail', { names: [FAILING] }],
    ['its runner cannot select files', { baseline: reportOf({ command: 'mocha' }), files }],
    ['its runner is not known', { baseline: reportOf({ command: 'make test' }), files }],
    ['two commands run tests', { baseline: reportOf(suite, { command: 'vitest run' }), files }],
    ['no command reports tests', { baseline: reportOf(build), files }],
    [
      'a command fails without naming a test',
      { baseline: reportOf({ ...suite, exitCode: 1 }), names: ['node --test'] },
    ],
  ])('if %s', (_, given) => {
    expect(plan(given)).toBeNull();
  });
});

it('a focused run is reported under the name of its verify command, and shows what ran', () => {
  const ran = reportOf({ command: 'node --test a.test.mjs', output: 'ok' }, build);
  const named = nameAsVerified(ran, [{ command: 'node --test', focused: 'node --test a.test.mjs' }]);
  expect(named.commands.map(({ command }) => command)).toEqual(['node --test', 'npm run build']);
  expect(named.commands[0]?.output).toBe('$ node --test a.test.mjs\nok');
});
