import type { ProofRecord } from '../coding/proof/proof-record.js';
import { describeFirst } from '../coding/proof/unproven-screen.js';
import { listLines, shortenRequest } from '../coding/screen-lines.js';

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
  'Likely best answer: read the change. If you know what is missing, `revise` and say it: the agent works on.',
  '`accept` commits the change as not proven. `reject` ends the errand without a commit.',
].join(' ');

/** What a person reads who is asked about an errand that is not proven. */
export function renderErrandScreen({ request, said, failings, proof, output }: Shown): string {
  return [
    describeFirst(failings),
    `What was asked: ${shortenRequest(request)}`,
    listLines('Done, as the agent says', said.trim() === '' ? [] : [said.replaceAll(/\s+/g, ' ')], 'It said nothing.'),
    listLines('Proven', proof.evidence, 'Nothing so far.'),
    listLines('Not proven', failings, 'Nothing speaks against it.'),
    ANSWER,
    ...(output === '' ? [] : [`What was printed:\n${output.slice(-LONGEST_OUTPUT)}`]),
  ].join('\n\n');
}
