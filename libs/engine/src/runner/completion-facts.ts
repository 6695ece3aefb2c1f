import { type JsonObject, provenOf, secrets } from '#kernel';

const MOST_EVIDENCE = 3;
const LONGEST_EVIDENCE = 300;

/**
 * What other systems are told when the work is complete: whether it is proven, and by what. Machines keep this under the
 * same keys of their contexts. Nothing is told about a machine that does not.
 */
export function completionFacts({ isProven, isWhollyAccepted, simulated, evidence }: JsonObject): JsonObject {
  const proven = provenOf({ isProven, isWhollyAccepted, isSimulated: simulated === true, isCompleted: true });
  if (proven === null) return {};
  const texts = Array.isArray(evidence) ? evidence.filter((one) => typeof one === 'string') : null;
  return { proven, proof: texts && { evidence: texts.slice(0, MOST_EVIDENCE).map(shorten) } };
}

/** Secrets go first: a redactor does not know one that was cut. */
function shorten(text: string): string {
  const safe = secrets.redact(text);
  return safe.length > LONGEST_EVIDENCE ? `${safe.slice(0, LONGEST_EVIDENCE - 1)}…` : safe;
}
