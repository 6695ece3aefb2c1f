import { effectiveClass } from '../effective-class.js';
import type { Failing, FindingFacts, OpenDemand, PartFacts, ProofFacts, Rule } from '../proof-facts.js';
import { toEnd, toLine } from '../wording.js';

/**
 * An independent agent has read the change for each part, and none says that a part, a finding that belongs to the
 * request, or another demand of the request is not done. Only a small substitution needs no reader: it cannot pass checks and tests in another way.
 */
export const inspectionAgrees: Rule = (facts) => [
  ...missingInspections(facts),
  ...facts.parts.flatMap((part) => refusal(part, `"${toLine(part.title)}" is not done`)),
  ...(facts.openDemands ?? []).map(demanded),
  ...facts.findings
    .filter(({ relation }) => relation !== 'aside')
    .flatMap((finding) => refusal(finding, `the finding "${toLine(finding.title)}" is not fixed`)),
];

function missingInspections(facts: ProofFacts): readonly Failing[] {
  const judgedAs = effectiveClass(facts);
  if (judgedAs === 'behaviour' && !facts.needsReader) return [];
  // For a change of behaviour, rule (c) already says this.
  if (facts.parts.length === 0 && judgedAs === 'behaviour') return [];
  if (facts.parts.length === 0)
    return [failing('The plan names no part of the request, so nothing can be proven.', false)];
  return facts.parts
    .filter(({ inspection }) => inspection === null)
    .map(({ title }) => failing(`No independent agent has read the change for the part "${toLine(title)}".`, false));
}

const demanded = ({ quote, reason }: OpenDemand): Failing =>
  failing(
    `An independent agent says that the request also asks for "${toLine(quote)}", and it is not done: ${toEnd(reason)}`,
    true,
  );

const refusal = ({ inspection }: PartFacts | FindingFacts, what: string): readonly Failing[] =>
  inspection === null || inspection.isFulfilled
    ? []
    : [failing(`An independent agent says that ${what}: ${toEnd(inspection.reason)}`, true)];

const failing = (what: string, canHeal: boolean): Failing => ({ rule: 'inspection', what, canHeal });
