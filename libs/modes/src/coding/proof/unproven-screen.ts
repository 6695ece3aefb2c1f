import type { Judgement } from '#proof';
import type { BlockDetails } from '../block-screen.js';
import { listLines } from '../screen-lines.js';
import type { GatheredFacts } from './gather-facts.js';
import type { ProofRecord } from './proof-record.js';

interface Shown {
  readonly facts: Pick<GatheredFacts, 'checks'>;
  readonly judgement: Judgement;
  readonly proof: ProofRecord;
}

const LONGEST_OUTPUT = 1_200;

/** What a screen says about a result that is not proven, beside what was asked and done. */
export function describeUnproven({ facts, judgement, proof }: Shown): BlockDetails & { readonly message: string } {
  const failings = judgement.failings.map(({ what }) => what);
  const red = facts.checks.find(({ onResult }) => onResult.some(({ kind }) => kind !== 'green'));
  return {
    message: describeFirst(failings),
    sections: listProof(proof, failings),
    ...(red && { printed: `The check \`${red.check.command}\` printed:\n${red.output.slice(-LONGEST_OUTPUT)}` }),
  };
}

export const listProof = ({ evidence }: Pick<ProofRecord, 'evidence'>, failings: readonly string[]): string[] => [
  listLines('Proven', evidence, 'Nothing so far.'),
  listLines('Not proven', failings, 'Nothing speaks against it.'),
];

/** The first line of a screen: what is missing. */
export function describeFirst(failings: readonly string[]): string {
  const more = failings.length > 1 ? ` (And ${String(failings.length - 1)} more.)` : '';
  return `The result is not proven. ${(failings[0] ?? '').slice(0, 300)}${more}`.trimEnd();
}
