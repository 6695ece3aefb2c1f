import { describe, expect, it } from 'vitest';
import { fakeParts, Visit, WORKTREE } from '../coding.fixture.js';
import { rewriteCheck } from '../scoping/author-checks.js';
import type { RequestPlan } from '../scoping/request-plan.js';
import { authorLateChecks } from './late-checks.js';
import { tryMutant } from './mutant.js';

const plan: RequestPlan = {
  class: 'document',
  parts: [{ title: 'toggle gives the other theme', interface: 'theme.mjs', failingTests: [] }],
  steps: [],
  scope: [],
  fallback: null,
};
const check = {
  ...{ id: 'C-001', part: 1, title: 'light becomes dark', command: 'node check.mjs', files: [] },
  ...{ red: { kind: 'assertion' as const }, isAdapted: false, dropped: null },
};

/** Every agent runs out of budget after it changed files. */
const broke = () => fakeParts({ agent: () => ({ kind: 'over-budget', breaker: {}, commit: 'half' }) });
/** Every agent waits for a rate limit. Its conversation goes on with the files as they are. */
const waiting = () => fakeParts({ agent: () => ({ kind: 'waits', reason: 'rate-limit', ms: 1, words: '' }) });

const HELPERS = {
  'mutant maker': (given: ReturnType<typeof fakeParts>) =>
    tryMutant(given.parts, new Visit({}).activity, WORKTREE, {
      commit: 'done',
      changed: { oldTests: [], newTestFiles: [], newTestConfiguration: [] },
    }),
  'author of late checks': (given: ReturnType<typeof fakeParts>) =>
    authorLateChecks(given.parts, new Visit({}).activity, WORKTREE, { plan, judgedAs: 'behaviour', commit: 'done' }),
  'author of an adapted check': (given: ReturnType<typeof fakeParts>) =>
    rewriteCheck(given.parts, new Visit({}).activity, WORKTREE, { plan, check, commit: 'done', why: 'a wrong name' }),
};

describe('an agent that helps to prove the result', () => {
  it.each(Object.entries(HELPERS))('leaves no file behind if its budget is spent: %s', async (_name, help) => {
    const given = broke();
    const stopped = await help(given);
    expect(stopped).toMatchObject({ kind: 'stopped', outcome: { kind: 'over-budget', commit: 'done' } });
    expect(given.resets.at(-1)).toBe('done');
  });

  it.each(Object.entries(HELPERS))('keeps its files while it waits: %s', async (_name, help) => {
    const given = waiting();
    expect(await help(given)).toMatchObject({ kind: 'stopped', outcome: { kind: 'waits' } });
    // An author of late checks begins on the base.
    expect(given.resets.filter((commit) => commit !== 'base')).toEqual([]);
  });
});
