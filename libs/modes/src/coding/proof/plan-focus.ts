import { focusedCommand } from '#proof';
import type { VerifyReport } from '#workspace';
import { failingTests } from '../../shared/failing-tests.js';
import { commandMs } from '../../shared/verification.js';

/** A verify command, and what runs in its place. */
export interface FocusedCommand {
  readonly command: string;
  readonly focused: string;
}

interface Given {
  readonly baseline: VerifyReport;
  /** The run in which the named tests failed. */
  readonly seen: VerifyReport;
  readonly names: readonly string[];
  /** Test files of which all tests run. */
  readonly files: readonly string[];
  /** The scripts of package.json. */
  readonly scripts: Readonly<Record<string, string>>;
}

/** Below this a whole run is fast, and sees more. */
export const WHOLE_BELOW_MS = 10_000;

export const isSlow = (baseline: VerifyReport): boolean => commandMs(baseline) >= WHOLE_BELOW_MS;

/**
 * Commands that run only these tests. Commands that report no tests, such as a build, run as they are. Null if the whole
 * suite has to run: it is fast, there is nothing to select, or a runner cannot select it.
 */
export function planFocus({ baseline, seen, names, files, scripts }: Given): readonly FocusedCommand[] | null {
  if (!isSlow(baseline)) return null;
  const testing = baseline.commands.filter(({ counts }) => counts !== null).map(({ command }) => command);
  // With several test commands nothing says which of them runs a file.
  if (files.length > 0 && testing.length !== 1) return null;
  const wanted = failingTests(seen).filter(({ name }) => names.includes(name));
  if (wanted.some(({ name, command }) => name === command || !testing.includes(command))) return null;
  if (files.length + wanted.length === 0) return null;
  const planned: FocusedCommand[] = [];
  for (const { command } of baseline.commands) {
    const failures = wanted.filter((one) => one.command === command).map(({ name }) => name);
    if (!testing.includes(command)) planned.push({ command, focused: command });
    else if (failures.length + files.length > 0) {
      const focused = focusedCommand(command, { scripts, failures, files });
      if (focused === null) return null;
      planned.push({ command, focused });
    }
  }
  return planned;
}

/** The report under the names of the verify commands, so that it can be compared with the baseline. */
export const nameAsVerified = (report: VerifyReport, plan: readonly FocusedCommand[]): VerifyReport => ({
  ...report,
  commands: report.commands.map((ran) => {
    const command = plan.find(({ focused }) => focused === ran.command)?.command ?? ran.command;
    return command === ran.command ? ran : { ...ran, command, output: `$ ${ran.command}\n${ran.output}` };
  }),
});
