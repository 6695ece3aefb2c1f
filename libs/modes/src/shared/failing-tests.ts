import { type FailureOutput, splitByFailure } from '#proof';
import { failuresOf } from '#self-heal';
import { testsRun, type VerifyReport } from '#workspace';

export interface FailingTest {
  readonly name: string;
  /** The command that reported it, and the end of its output. */
  readonly command: string;
  readonly output: string;
}

type Ran = VerifyReport['commands'][number];

const isFailing = ({ exitCode, endedBy, counts }: Ran): boolean =>
  exitCode !== 0 || endedBy !== 'itself' || (counts?.failed ?? 0) > 0;

/** The tests that a verification reports as failing. A failing command that names no test counts under its own name. */
export const failingTests = ({ commands }: VerifyReport): readonly FailingTest[] =>
  commands.filter(isFailing).flatMap(({ command, output }) => {
    const names = failuresOf(output);
    return (names.length > 0 ? names : [command]).map((name) => ({ name, command, output }));
  });

/** Each failing test with its own lines of the output. */
export const failuresWithOutput = (report: VerifyReport): readonly FailureOutput[] =>
  [...Map.groupBy(failingTests(report), ({ output }) => output)].flatMap(([output, tests]) =>
    splitByFailure(
      output,
      tests.map(({ name }) => name),
    ),
  );

const LONGEST_FAILURE = 1_500;

/** Each failing test as an agent reads it: its name, then what was printed about it. */
export function describeFailures(report: VerifyReport): readonly FailureOutput[] {
  const whole = new Map(failingTests(report).map(({ name, output }) => [name, output]));
  return failuresWithOutput(report).map(({ name, output }) => {
    const own = output === '' ? (whole.get(name) ?? '').slice(-LONGEST_FAILURE) : output.slice(0, LONGEST_FAILURE);
    return { name, output: `${name}\n${own}` };
  });
}

export const failingNames = (report: VerifyReport): ReadonlySet<string> =>
  new Set(failingTests(report).map(({ name }) => name));

/** Whether a runner says that at least one test ran. */
export const countsTests = (report: Pick<VerifyReport, 'counts'> | null): boolean =>
  report?.counts != null && testsRun(report.counts) > 0;

/** One line for each command, and how many tests passed and failed. */
export const describeVerification = ({ commands, reason }: VerifyReport): string =>
  commands.length === 0
    ? `No verify command was found: ${reason}`
    : commands
        .map(({ command, exitCode, endedBy, counts }) => {
          const end = endedBy === 'itself' ? `exit code ${String(exitCode)}` : `ended by ${endedBy}`;
          const tests = counts === null ? '' : `, ${String(counts.passed)} passed, ${String(counts.failed)} failed`;
          return `${command}: ${end}${tests}`;
        })
        .join('\n');
