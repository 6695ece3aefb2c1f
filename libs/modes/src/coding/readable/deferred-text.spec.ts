import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#kernel';
import { listed } from '../coding-context.js';
import { attemptOf, fakeParts, problemOf, taskOf, Visit } from '../coding.fixture.js';
import { deferredText } from './deferred-text.js';
import { refreshPages, writePagesAtRest } from './write-pages.js';

const blockedBy = (block: JsonObject, context: JsonObject = {}, machine = 'qralph-coding'): string => {
  const { activity } = new Visit({ ...context, block }, { state: 'BLOCKED' });
  return deferredText({ ...activity, project: { ...activity.project, machine } });
};
const BUDGET = { cause: 'budget', message: 'The budget is too small.\n\nLikely best answer: an old screen.' };

describe('DEFERRED.md at a block', () => {
  it('takes the first line, and has the decisions that the gate takes now', () => {
    const tasks = listed([taskOf('T-001', { status: 'completed', commit: 'c' }), taskOf('T-002')]);
    const page = blockedBy(BUDGET, { findings: [], tasks });
    expect(page).toContain('The project is blocked, and waits for a decision.');
    expect(page).toContain('## DEFER-001: The budget is too small.\n\nProblem: The budget is too small.\n');
    expect(page).not.toContain('old screen');
    expect(page.match(/^- .*$/gm)).toEqual([
      '- raise the budget: it lets the work continue by itself (effort: small)',
      '- decide defer: it leaves all that is not done for later, and the project continues (effort: small)',
      '- decide proceed: it takes what is done so far to acceptance and leaves the rest out (effort: small)',
    ]);
    expect(page).toContain('To do: Raise the budget.');
  });

  it('offers an errand what its own gate has', () => {
    const page = blockedBy({ cause: 'agent', message: 'It did not finish.' }, {}, 'errand');
    expect(page).toContain('The errand is blocked');
    expect(page).toMatch(/- decide resolve: [^]*- decide reject: /);
    expect(page).not.toMatch(/defer:|proceed|new request/);
  });

  it('has the attempts at a problem, beside the same decisions', () => {
    const problems = listed([problemOf('P-001', { attempts: [attemptOf(1)] })]);
    const page = blockedBy(
      { cause: 'problem', message: 'The test "x" still fails after 1 attempt.' },
      { problems, problem: 'P-001', findings: [], tasks: listed([taskOf('T-001', { status: 'in_progress' })]) },
    );
    expect(page).toMatch(
      /Problem: The test "x" still fails[^]*- attempt 1, [^]*- decide resolve: it verifies what you/,
    );
    expect(page).not.toContain('proceed');
  });

  it('does not go on saying that the project is blocked after a decision', async () => {
    const { parts, pages } = fakeParts();
    const { activity } = new Visit({ block: BUDGET });
    const gate = { name: 'resolve-problem', ask: 'Resolved?', options: { resolve: 'r' } };
    await writePagesAtRest(parts)({ ...activity, state: 'BLOCKED', status: 'blocked', gate, wait: null, isNews: true });
    expect(pages.get('DEFERRED.md')).toContain('blocked');
    await refreshPages(parts, activity);
    expect(pages.get('DEFERRED.md')).toBe('# Deferred\n\nNothing was put off.\n');
  });
});
