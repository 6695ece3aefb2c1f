import type { SpecialKind } from '../../scope/words-of-part.js';
import { effectiveClass } from '../effective-class.js';
import type { CheckFacts, Failing, PartFacts, ProofFacts, Rule } from '../proof-facts.js';
import { toLine } from '../wording.js';

/**
 * Rule (c): each part has a check that its implementer did not write, that fails on the base and passes on the result.
 * If the sources alone do not make the difference, an independent agent confirms the part too. A check that fails on
 * the result counts against the part, even if another check proves it. A part about a document, about tests or about
 * what stays has no such check. An independent agent confirms it, beside another part that a check proves.
 */
export const partsAreChecked: Rule = (facts) => {
  if (effectiveClass(facts) !== 'behaviour') return [];
  if (facts.parts.length === 0)
    return [failing('The plan names no part of the request, so nothing can be proven.', false)];
  const proven = facts.parts.filter((part) => failedChecks(part).length === 0 && isRedToGreen(part));
  return facts.parts.flatMap((part) => {
    if (proven.includes(part)) return [];
    const isBesideProven = proven.length > 0 || facts.hasPutOff === true;
    return judgePart(part, facts, isBesideProven);
  });
};

function judgePart(part: PartFacts, facts: ProofFacts, isBesideProven: boolean): readonly Failing[] {
  const failed = failedChecks(part);
  if (failed.length > 0) return failed.map((check) => ofPart(part, check, whyFailed(check), true));
  const weakness = part.kind === undefined ? null : weaknessOfKind(part, part.kind, facts);
  if (weakness !== null) return [failing(weakness, true)];
  const checks = independentChecks(part);
  if (part.kind !== undefined || checks.some(isStillGreen)) return confirmedBeside(part, isBesideProven);
  const [best] = [...checks].sort((a, b) => Number(isRed(b)) - Number(isRed(a)));
  if (best === undefined) return [failing(`The part "${toLine(part.title)}" has no check by another agent.`, false)];
  const { why, canHeal } = isProof(best) ? UNCONFIRMED : weaknessOf(best);
  return [ofPart(part, best, why, canHeal)];
}

const independentChecks = ({ checks }: PartFacts): readonly CheckFacts[] =>
  checks.filter(({ author }) => author !== 'implementer');

const failedChecks = (part: PartFacts): readonly CheckFacts[] =>
  independentChecks(part).filter((check) => check.result === 'fails' && saysSomething(check));

const whyFailed = ({ isKept = false }: CheckFacts): string =>
  isKept ? 'passes without the change and fails with it' : 'still fails with the change';

const isConfirmed = ({ inspection }: PartFacts): boolean => inspection?.isFulfilled === true;

const isRedToGreen = (part: PartFacts): boolean =>
  independentChecks(part).some((check) => isProof(check) && (isConfirmed(part) || check.isBesideSources !== true));

/** A check of something that stays. */
const isStillGreen = ({ isKept = false, base, result }: CheckFacts): boolean =>
  isKept && base === 'green' && result === 'passes';

/** What the change lacks for a part of this kind, whatever an agent says; null if nothing. */
function weaknessOfKind(part: PartFacts, kind: SpecialKind, { diff }: ProofFacts): string | null {
  const title = toLine(part.title);
  if (kind === 'document') {
    const hasText = diff.touchesDocuments || (part.isTextInCode === true && diff.touchesCode);
    return hasText ? null : `The part "${title}" asks for a text, but the change touches no document.`;
  }
  if (!diff.touchesTests) return `The part "${title}" asks for tests, but the change adds none.`;
  return part.hasRedTest === false ? `The new tests of "${title}" also pass without the work.` : null;
}

/** Without a check that was red, an agent confirms the part, and a check proves another part of the request. */
function confirmedBeside(part: PartFacts, isBesideProven: boolean): readonly Failing[] {
  const title = toLine(part.title);
  // What an agent calls not done is a failing of its own.
  if (part.inspection === null) return [failing(`No independent agent confirms the part "${title}".`, false)];
  if (isBesideProven) return [];
  return [failing(`The part "${title}" counts only beside a part that a check proves, and there is none.`, false)];
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
