import { describe, expect, it } from 'vitest';
import {
  attemptOf,
  fakeParts,
  findingWith,
  problemOf,
  reviewOf,
  taskOf,
  verifiedAs,
  Visit,
  WORKTREE,
} from './coding.fixture.js';
import { executeInput } from './execute-input.js';
import { executePrompt } from './execute.prompt.js';
import { healInput } from './heal-input.js';
import { healPrompt, redoPrompt } from './heal.prompt.js';
import { describeBaseline } from './prepare-review.js';
import { planWith } from './proof/proof.fixture.js';

const OUTPUT = 'not ok 1 - rounds prices\n  expected 2, got 3\nnot ok 2 - old and unrelated\n  no such host';
const FIX = taskOf('T-003', { kind: 'finding', finding: 'F-001', status: 'in_progress', title: 'P1: It crashes' });
const PROBLEM = problemOf('P-001', { task: 'T-003', attempts: [attemptOf(1, { tried: 'I made it a string' })] });

/** A project in the middle of its work. Each thing that it knows has words of its own. */
const CONTEXT = {
  order: { agents: { pin: [], forbid: [] }, tier: 'medium', runtime: 'api', turns: 41, minutes: 23 },
  commit: 'now',
  good: { commit: 'good', checkpoint: 3 },
  baseline: verifiedAs('failed', { passed: 1, failed: 2 }, OUTPUT),
  repositoryMap: 'src/price.mjs: roundPrice',
  conventions: 'Two spaces, no semicolons.',
  memories: ['The server needs a port.'],
  seats: [{ agent: 'sde-iii', skills: [{ name: 'testing', instructions: 'Test the borders.' }] }],
  reviews: [reviewOf('sde-iii', { summary: 'Start in roundPrice.' })],
  findings: [
    findingWith('F-009', { relation: 'aside', priority: 'P0', body: 'The logo is blue.' }),
    findingWith('F-001', { relation: 'is-request', body: 'It crashes on negative prices.' }),
  ],
  requestPlan: planWith({
    parts: [{ title: 'Prices are rounded', interface: 'roundPrice(price)', failingTests: ['rounds prices'] }],
    steps: [{ task: 'T-002', title: 'Round', parts: [1], findings: [], check: 'roundPrice(2.5) is 3' }],
    scope: [{ name: 'rounds prices', reason: 'it is named' }],
  }),
  tasks: [taskOf('T-001', { status: 'completed', commit: 'c1', note: 'Moved it to price.mjs.' }), taskOf('T-002'), FIX],
  plan: { summary: 'Round first.', steps: [] },
  approval: 'Keep the old name.',
  problems: [PROBLEM],
  problem: 'P-001',
  trouble: { command: 'npm test', output: 'TypeError: price is undefined', newFailures: ['sums prices'] },
  'attempt-P-001-1': { diff: '+String(price)', output: 'not ok 9 - price is a string' },
} as const;

const world = () => fakeParts({ diff: '+export const roundPrice' });
const visit = (more: object = {}) => new Visit({ ...CONTEXT, ...more });
const at = { worktree: WORKTREE, startCommit: 'now' };

const implementer = async (): Promise<string> =>
  executePrompt.render(await executeInput(world().parts, visit().activity, at, FIX));
const inputOfHealer = (more: object = {}) =>
  healInput(world().parts, visit(more).activity, WORKTREE, {
    problem: PROBLEM,
    startCommit: 'now',
    pattern: null,
    hints: 'A string breaks the sum.',
  });

const BOTH: readonly (readonly [string, string])[] = [
  ['the request', 'Add dark mode'],
  ['the map of the repository', 'src/price.mjs: roundPrice'],
  ['its conventions', 'Two spaces, no semicolons.'],
  ['the verify commands', 'npm test: exit code 1, 1 passed, 2 failed'],
  ['baseline failures in scope', 'rounds prices'],
  ['their output', 'expected 2, got 3'],
  ['known failures', 'old and unrelated'],
  ['the output of known failures', 'no such host'],
  ['the parts of the request and their interface', '1. Prices are rounded\nInterface: roundPrice(price)'],
  ['the plan, with the check of each step', 'T-002 Title of T-002 (pending). Done if: roundPrice(2.5) is 3'],
  ['what earlier steps did', 'Moved it to price.mjs.'],
  ['what was settled', 'Round first.'],
  ['what a person said with the approval', 'Keep the old name.'],
  ['the advice of the reviewers', 'Start in roundPrice.'],
  ['the body of its finding', 'It crashes on negative prices.'],
  ['the bodies of all findings', 'The logo is blue.'],
  ['the current diff', '+export const roundPrice'],
  ['what earlier attempts tried', 'I made it a string'],
  ['the diffs of earlier attempts', '+String(price)'],
  ['the output after earlier attempts', 'not ok 9 - price is a string'],
  ['skills that matched', 'Test the borders.'],
];

const IMPLEMENTER: typeof BOTH = [...BOTH, ['what earlier projects learnt', 'The server needs a port.']];

describe('the implementer knows', () => {
  it.each(IMPLEMENTER)('%s', async (_what, words) => {
    expect(await implementer()).toContain(words);
  });
});

const HEALER: typeof BOTH = [
  ...BOTH,
  ['what fails now', 'TypeError: price is undefined'],
  ['the tests that have to pass', 'sums prices'],
  ['what earlier projects learnt about the error', 'A string breaks the sum.'],
];

describe('the healer of a finding knows', () => {
  it.each(HEALER)('%s', async (_what, words) => {
    expect(healPrompt.render(await inputOfHealer())).toContain(words);
  });
});

describe('the healer of a failed check', () => {
  const promptWith = async (output: string, checkFiles: string): Promise<string> =>
    healPrompt.render(await inputOfHealer({ trouble: { ...CONTEXT.trouble, isCheck: true, output, checkFiles } }));

  it('reads the files of the check beside what it printed', async () => {
    expect(await promptWith('red', '--- c.mjs\nassert(isDark)')).toMatch(
      /red\n\nFiles of the check:\n--- c\.mjs\nassert/,
    );
  });

  it('reads the end of a long output, where the assertion is, however long the files are', async () => {
    const prompt = await promptWith(`BEGIN ${'x'.repeat(16_000)} THE ASSERTION`, `--- c.mjs\n${'y'.repeat(9_000)}`);
    expect(prompt).toMatch(/BEGIN x+[^]*x THE ASSERTION\n\nFiles of the check:\n--- c\.mjs\ny+/);
  });
});

describe('after a rollback the healer knows', () => {
  it.each(HEALER)('%s', async (_what, words) => {
    expect(redoPrompt.render(await inputOfHealer({ isRolledBack: true }))).toContain(words);
  });
});

describe('reviewers and planner know', () => {
  it.each([
    ['how the verify commands ended', 'npm test: exit code 1'],
    ['the failing tests', 'rounds prices'],
    ['what was printed about each', 'expected 2, got 3'],
  ])('%s', (_what, words) => {
    expect(describeBaseline(visit().activity)).toContain(words);
  });
});

it('findings that concern the request come first', async () => {
  expect((await implementer()).split('Findings of the reviewers')[1]).toMatch(/F-001[^]*F-009/);
});
