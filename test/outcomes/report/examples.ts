import { type CaseResult, markersOf } from './table.js';

export const EXAMPLE_MARKERS = markersOf('examples');

interface Example {
  readonly name: string;
  readonly title: string;
}

/** The projects of docs/examples.md: three bug fixes, three features, and one question to a person. */
export const EXAMPLES: readonly Example[] = [
  { name: 'unrelated-red-test', title: 'Bug fix with a known failure' },
  { name: 'only-large-can', title: 'Bug fix that only the large model can do' },
  { name: 'python-bug-reported', title: 'Bug fix in Python' },
  { name: 'p1-before-the-feature', title: 'Feature with a finding of the reviewers' },
  { name: 'classic-two-steps', title: 'Feature in two steps, in classic mode' },
  { name: 'simple-feature-errand', title: 'Feature as an errand' },
  { name: 'no-tier-can', title: 'A person is asked' },
];

/** The real pages of each project. Hashes differ in each run, so they are replaced. */
export function renderExamples(results: readonly CaseResult[]): string {
  return EXAMPLES.flatMap(({ name, title }) => {
    const result = results.find((one) => one.case.name === name);
    if (!result) return [];
    const { case: one, why, summary, outcome, pages = {} } = result;
    const head = [`## ${title}`, `Request, in ${one.mode} mode (case \`${name}\`):`, fence(one.job.task.request)];
    if (outcome !== 'asked') return [...head, 'SUMMARY.md:', fence(summary)];
    return [...head, 'The question at the gate:', fence(why), 'DEFERRED.md:', fence(pages['DEFERRED.md'] ?? '')];
  }).join('\n\n');
}

const HASH = /\b(?:[0-9a-f]{40}|[0-9a-f]{12})\b/g;

/** Values that differ from run to run: hashes, numbers of projects, durations of tests and paths of temporary folders. */
export const withoutVolatile = (text: string): string =>
  text
    .replaceAll(HASH, (hash) => 'c0ffee'.repeat(7).slice(0, hash.length))
    .replaceAll(/\b\d{3}-(?=[a-z][a-z0-9]*-)/g, '001-')
    .replaceAll(/duration_ms:? [\d.]+/g, 'duration_ms 1')
    .replaceAll(/(?:\/[\w.-]+)*\/qralph-test-[\w.-]+\/data-\w+\/worktrees\/[\w-]+/g, '/tmp/project')
    .replaceAll(/\((\d+\.)?\d+ms\)/g, '(1ms)');

/** A page within a page: no heading of it is one of the outer page, and Prettier leaves it as it is. */
const fence = (text: string): string => `\`\`\`\`text\n${withoutVolatile(text).trimEnd()}\n\`\`\`\``;
