import { packageOf, type VerifyReport } from '#workspace';
import { failingTests } from '../../shared/failing-tests.js';
import type { RequestPlan } from '../scoping/request-plan.js';

/**
 * The plan with packages in scope that the change touches and in which no test passed at the baseline, such as one that
 * cannot be set up. Nothing would verify the change of such a package.
 */
export function withTouchedPackages(
  plan: RequestPlan,
  baseline: VerifyReport,
  changed: readonly string[],
): RequestPlan {
  const known = new Set(plan.scope.map(({ name }) => name));
  const isBroken = new Set(
    baseline.commands.filter(({ counts }) => (counts?.passed ?? 0) === 0).map(({ command }) => command),
  );
  const touched = failingTests(baseline).flatMap(({ name, command }) => {
    const folder = isBroken.has(command) && !known.has(name) ? packageOf(command)?.folder : undefined;
    const isTouched = folder !== undefined && changed.some((path) => path.startsWith(`${folder}/`));
    return isTouched ? [{ name, reason: `the change touches ${folder}, and no test of it could run` }] : [];
  });
  return touched.length === 0 ? plan : { ...plan, scope: [...plan.scope, ...touched] };
}
