import type { ActivityContext } from '#engine';
import { cutShortBy, resolvedBlock } from './coding-context.js';
import { type Scenario, untried } from './scenario.js';

/** What of it still counts: evidence of another tree proves nothing, and a person may have skipped the current one. */
export function standing(
  scene: Pick<ActivityContext, 'context' | 'state' | 'visit'>,
  scenarios: readonly Scenario[],
  tree: string,
): readonly Scenario[] {
  const resolved = resolvedBlock(scene);
  const tryAgain = resolved?.cause === 'uat' && (resolved.decision === 'resolve' || resolved.decision === 'RETRY');
  const valid = scenarios.map((one): Scenario => {
    if (one.verdict === 'waived' || one.verdict === 'skipped') return one;
    const isVoid = one.triedOn !== tree || (tryAgain && one.verdict === 'failed');
    return isVoid ? { ...one, ...untried } : one;
  });
  if (cutShortBy(scene) !== 'SKIP') return valid;
  const current = valid.find(({ verdict }) => verdict === 'open')?.id;
  return valid.map((one) =>
    one.id === current ? { ...one, verdict: 'skipped' as const, because: 'a person skipped it' } : one,
  );
}
