import { effectiveClass } from '../effective-class.js';
import type { CheckFacts, Failing, PartFacts, Rule } from '../proof-facts.js';
import { toLine } from '../wording.js';

/**
 * Rule (c): each part has a check that its implementer did not write, that fails on the base and passes on the result.
 * If the sources alone do not make the difference, an independent agent confirms the part too. A check that fails on
 * the result counts against the part, even if another check proves it.
 */
export const partsAreChecked: Rule = (facts) => {
  if (effectiveClass(facts) !== 'behaviour') return [];
  if (facts.parts.length === 0)
    return [failing('The plan names no part of the request, so nothing can be proven.', false)];
  return facts.parts.flatMap(judgePart);
};

function judgePart(part: PartFacts): readonly Failing[] {
  const independent = part.checks.filter(({ author }) => author !== 'implementer');
  const failed = independent.filter((check) => check.result === 'fails' && saysSomething(check));
  if (failed.length > 0) return failed.map((check) => ofPart(part, check, 'still fails with the change', true));
  const isConfirmed = part.inspection?.isFulfilled === true;
  if (independent.some((check) => isProof(check) && (isConfirmed || check.isBesideSources !== true))) return [];
  const [best] = [...independent].sort((a, b) => Number(isRed(b)) - Number(isRed(a)));
  if (best === undefined) return [failing(`The part "${toLine(part.title)}" has no check by another agent.`, false)];
  const { why, canHeal } = isProof(best) ? UNCONFIRMED : weaknessOf(best);
  return [ofPart(part, best, why, canHeal)];
}

/** A check that is broken or flaky without the change says nothing with it either. */
const saysSomething = ({ base }: CheckFacts): boolean => base !== 'broken' && base !== 'flaky' && base !== 'not-run';

/** A test of the baseline ran there and failed. The reason makes no difference. */
const isRed = ({ author, base }: CheckFacts): boolean =>
  base === 'assertion' || base === 'absent' || (base === 'unexplained' && author === 'baseline-test');

const isProof = (check: CheckFacts): boolean => isRed(check) && check.result === 'passes';

const UNCONFIRMED = {
  why: 'does not depend on the changed sources, and no independent agent confirms the part',
  canHeal: false,
};

function weaknessOf(check: CheckFacts): { readonly why: string; readonly canHeal: boolean } {
  if (!isRed(check)) return { why: weaknessOnBase(check.base), canHeal: false };
  switch (check.result) {
    case 'fails':
      return { why: 'still fails with the change', canHeal: true };
    case 'flaky':
      return { why: 'is flaky with the change: it passes and fails', canHeal: true };
    case 'not-run':
    case 'passes':
      return { why: 'did not run with the change', canHeal: false };
  }
}

function weaknessOnBase(base: CheckFacts['base']): string {
  switch (base) {
    case 'green':
      return 'passes without the change too, so it shows nothing';
    case 'broken':
      return 'is broken without the change, so it shows nothing';
    case 'flaky':
      return 'sometimes passes and sometimes fails without the changed sources, so it shows nothing';
    case 'unexplained':
      return 'fails without the change, but the change does not add what it misses';
    case 'not-run':
    case 'assertion':
    case 'absent':
      return 'did not run without the change';
  }
}

/** Many checks have the title of their part. */
function ofPart(part: PartFacts, check: CheckFacts, why: string, canHeal: boolean): Failing {
  const [title, name] = [toLine(part.title), toLine(check.name)];
  return failing(`The check of "${title}" ${why}${name === title ? '' : `: ${name}`}.`, canHeal);
}

const failing = (what: string, canHeal: boolean): Failing => ({ rule: 'c', what, canHeal });
