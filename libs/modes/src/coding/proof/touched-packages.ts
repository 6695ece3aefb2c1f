import { packageOf, type VerifyReport } from '#workspace';
import { failingTests } from '../../shared/failing-tests.js';
import type { RequestPlan } from '../scoping/request-plan.js';

/**
 * The plan with the failures of touched packages in scope, for each package that could not be set up, or in which no
 * test passed on the base. Nothing else would verify the change of such a package.
 */
export function withTouchedPackages(
  plan: RequestPlan,
  baseline: VerifyReport,
  changed: readonly string[],
): RequestPlan {
  const known = new Set(plan.scope.map(({ name }) => name));
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
  return touched.length === 0 ? plan : { ...plan, scope: [...plan.scope, ...touched] };
}
