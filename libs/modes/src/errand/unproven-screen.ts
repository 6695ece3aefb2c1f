import type { ProofRecord } from '../coding/proof/proof-record.js';
import { describeFirst, listProof } from '../coding/proof/unproven-screen.js';
import { listLines, renderScreen, shortenRequest } from '../coding/screen-lines.js';

interface Shown {
  readonly request: string;
  /** What the agent says about its change. */
  readonly said: string;
  /** What is not proven, and what only a person may decide. */
  readonly failings: readonly string[];
  readonly proof: ProofRecord;
  /** What the checks printed that failed. */
  readonly output: string;
}

const LONGEST_OUTPUT = 1_200;
const ANSWER = [
  'read the change. If you know what is missing, `revise` and say it: the agent works on.',
  '`accept` commits the change as not proven. `reject` ends the errand without a commit.',
].join(' ');

/** The question to a person about an errand that is not proven. */
export function renderErrandScreen({ request, said, failings, proof, output }: Shown): string {
  const claim = said.trim() === '' ? [] : [said.replaceAll(/\s+/g, ' ')];
  return renderScreen({
    first: describeFirst(failings),
    sections: [
      `What was asked: ${shortenRequest(request)}`,
      listLines('Done, as the agent says', claim, 'It said nothing.'),
      ...listProof(proof, failings),
    ],
    answer: ANSWER,
    printed: output === '' ? null : `What was printed:\n${output.slice(-LONGEST_OUTPUT)}`,
  });
}
