import type { ProjectTask } from '#contracts';
import type { Judgement } from '#proof';
import { listLines, shortenRequest } from '../screen-lines.js';
import type { GatheredFacts } from './gather-facts.js';
import type { ProofRecord } from './proof-record.js';

interface Shown {
  readonly facts: Pick<GatheredFacts, 'checks'>;
  readonly judgement: Judgement;
  readonly proof: ProofRecord;
  readonly tasks: readonly ProjectTask[];
}

const LONGEST_OUTPUT = 1_200;

const ANSWER = [
  'Likely best answer: look at the branch and at what is not proven.',
  'If the result is right, `resolve` accepts it as it is, and records it as not proven.',
  'If something is missing, add it in the worktree, and RETRY judges again.',
  '`defer` lists in DEFERRED.md what is missing, and the project continues as not proven.',
].join(' ');

/** What a person reads who is asked about a result that is not proven. The answer is on the first screen. */
export function renderUnprovenScreen(request: string, { facts, judgement, proof, tasks }: Shown): string {
  const done = tasks.filter(({ kind, commit }) => kind !== 'review' && commit !== null);
  const red = facts.checks.find(({ onResult }) => onResult.some(({ kind }) => kind !== 'green'));
  return [
    describeFirst(judgement.failings.map(({ what }) => what)),
    `What was asked: ${shortenRequest(request)}`,
    listLines(
      'Done and committed',
      done.map(({ title }) => title),
      'Nothing was changed.',
    ),
    listLines('Proven', proof.evidence, 'Nothing so far.'),
    listLines(
      'Not proven',
      judgement.failings.map(({ what }) => what),
      'Nothing speaks against it.',
    ),
    ANSWER,
    ...(red ? [`The check \`${red.check.command}\` printed:\n${red.output.slice(-LONGEST_OUTPUT)}`] : []),
  ].join('\n\n');
}

/** The first line of a screen: what is missing. */
export function describeFirst(failings: readonly string[]): string {
  const more = failings.length > 1 ? ` (And ${String(failings.length - 1)} more.)` : '';
  return `The result is not proven. ${(failings[0] ?? '').slice(0, 300)}${more}`.trimEnd();
}
