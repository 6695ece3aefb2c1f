import { packageOf, type VerifyReport } from '#workspace';
import { failingTests } from '../../shared/failing-tests.js';
import type { RequestPlan } from '../scoping/request-plan.js';
import { findUnchanged } from './unchanged-failures.js';

interface Seen {
  /** What ran on the base and on the result, with the packages that the change touches. */
  readonly baseline: VerifyReport;
  readonly result: VerifyReport;
  /** Sources and manifests. */
  readonly changed: readonly string[];
}

/**
 * The plan with the failures of touched packages in scope, for each package that could not be set up, or in which no
 * test passed on the base. Nothing else would verify the change of such a package. A failure that an agent took out of the
 * scope comes back only if it prints something else now.
 */
export function withTouchedPackages(plan: RequestPlan, seen: Seen): RequestPlan {
  const { baseline, changed } = seen;
  const known = new Set([...plan.scope.map(({ name }) => name), ...findStillOut(plan, seen)]);
  const passed = new Map(baseline.commands.map(({ command, counts }) => [command, counts?.passed ?? 0]));
  const touched = failingTests(baseline).flatMap(({ name, command }) => {
    const folder = packageOf(command)?.folder;
    if (folder === undefined || known.has(name) || !changed.some((path) => path.startsWith(`${folder}/`))) return [];
    if (baseline.notSetUp?.includes(folder)) {
      return [{ name, reason: `the change touches ${folder}, which could not be set up` }];
    }
    const isBroken = (passed.get(command) ?? 0) === 0;
    return isBroken ? [{ name, reason: `the change touches ${folder}, and no test of it could run` }] : [];
  });
  if (touched.length === 0) return plan;
  const isBack = (name: string): boolean => touched.some((one) => one.name === name);
  const outOfScope = plan.outOfScope?.filter(({ name }) => !isBack(name));
  return { ...plan, scope: [...plan.scope, ...touched], ...(outOfScope && { outOfScope }) };
}

/** Failures out of the scope that print the same as on the base, or that are gone. */
function findStillOut({ outOfScope = [] }: RequestPlan, { baseline, result }: Seen): readonly string[] {
  const failing = failingTests(result);
  const unchanged = findUnchanged(failing, baseline);
  const isOther = (name: string): boolean =>
    failing.some((one) => one.name === name) && !unchanged.some((one) => one.name === name);
  return outOfScope.map(({ name }) => name).filter((name) => !isOther(name));
}
