import type { ActivityContext } from '#engine';
import { oneLine, section } from '../../shared/page-parts.js';
import { findingsOf, reviewsOf, scenariosOf } from '../coding-context.js';
import { contextOf } from '../context.js';
import { isUndecided } from '../scenario.js';

type Shown = Pick<ActivityContext, 'context'>;

/** The parts of SUMMARY.md that say what proves the result, and what does not. */
export function proofSections(scene: Shown): readonly string[] {
  const { proof } = contextOf(scene);
  if (!proof) return [];
  const { evidence, failings, knownFailures, flaky, notes } = proof;
  return [
    ...section('What proves it', bullets(evidence)),
    ...section('What is not proven', bullets(failings.map(({ what }) => what))),
    ...section('Known failures', knownFailureLines(knownFailures)),
    ...section('Flaky tests', flakyLines(flaky)),
    ...section('Notes on the proof', bullets(notes)),
  ];
}

/** What a person has to look at before the branch is merged. */
export const openPointLines = (scene: Shown): readonly string[] => [...unreadLines(scene), ...undecidedLines(scene)];

const undecidedLines = (scene: Shown): readonly string[] =>
  scenariosOf(scene)
    .filter(isUndecided)
    .map(({ id, title, because }) => `- ${id} ${oneLine(title, 200)} was not decided: ${oneLine(because, 300)}`);

function unreadLines(scene: Shown): readonly string[] {
  const unread = new Set(contextOf(scene).unreviewedFixes);
  return findingsOf(scene)
    .filter(({ id }) => unread.has(id))
    .flatMap(({ id, title, outcome: { kind } }) => {
      const why =
        kind === 'fixed'
          ? 'no other agent could read this fix'
          : kind === 'not-applicable'
            ? 'no other agent could confirm that it does not apply'
            : null;
      return why === null ? [] : [`- ${id} ${oneLine(title, 200)}: ${why}`];
    });
}

const bullets = (lines: readonly string[]): string[] => lines.map((line) => `- ${oneLine(line, 400)}`);

function knownFailureLines(names: readonly string[]): readonly string[] {
  if (names.length === 0) return [];
  return [
    'These tests failed before the change and still fail. They are not part of the request.',
    '',
    ...bullets(names),
  ];
}

const flakyLines = (names: readonly string[]): readonly string[] =>
  names.length === 0
    ? []
    : [
        'These tests passed and failed on the same files. They count neither as proof nor as failure.',
        '',
        ...bullets(names),
      ];

/** Each summary in one line; reviewers that say the same share it. */
export const adviceLines = (scene: Shown): readonly string[] =>
  [...Map.groupBy(reviewsOf(scene), ({ summary }) => summary)]
    .filter(([summary]) => summary !== '')
    .map(([summary, by]) => `- ${oneLine(by.map(({ agent }) => agent).join(', '))}: ${oneLine(summary, 600)}`);

/** Commands that a person runs in the repository. */
export function mergeLines(scene: Shown): readonly string[] {
  const { branch, baseCommit } = contextOf(scene);
  if (branch === undefined || baseCommit === undefined) return [];
  return [
    'Look at the change, then merge it:',
    '',
    `    git log -p ${baseCommit.slice(0, 12)}..${oneLine(branch)}`,
    `    git merge --no-ff ${oneLine(branch)}`,
  ];
}
