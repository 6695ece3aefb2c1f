import { describe, expect, it } from 'vitest';
import { attemptOf, taskOf, Visit } from './coding.fixture.js';
import { blockByProblem } from './problem-screen.js';
import { whyGivenUp } from './why-given-up.js';

const OUTPUT = 'ok 1 - adds\n  quick\nnot ok 2 - rounds\n  expected 2, got 3\nok 3 - sums\n# tests 3';
const givenUp = whyGivenUp('rounds', 2, 'still failing: rounds', OUTPUT);
const attempts = [attemptOf(1, { tried: 'Used floor.' }), attemptOf(2, { tier: 'large', tried: 'Used\nceil.' })];
const render = (...given: Parameters<typeof blockByProblem>): string => blockByProblem(...given).why ?? '';
const visit = (newFailures: string[], more: object = {}) =>
  new Visit({
    tasks: [
      taskOf('T-001', { title: 'Add', commit: 'c', status: 'completed' }),
      taskOf('T-002', { title: 'Round', status: 'in_progress' }),
    ],
    findings: [],
    trouble: { command: 'npm test', output: OUTPUT, newFailures },
    ...more,
  });

describe('the screen about a problem that no attempt fixed', () => {
  it('says what fails, what was asked, what is done, what was tried, the answer, then the failing lines', () => {
    const text = render(visit(['rounds']).activity, givenUp, attempts);
    expect(text.split('\n\n')).toEqual([
      'The test "rounds" still fails after 2 attempts.',
      'What was asked: Add dark mode',
      'Done and committed:\n- Add',
      'Not done yet:\n- T-002 Round',
      'Tried without success:\n- Attempt 1, small model: Used floor.\n- Attempt 2, large model: Used ceil.',
      expect.stringMatching(/^Likely best answer: .*`resolve`.*`defer`.*`proceed`/),
      expect.stringMatching(/^What was printed:\nnot ok 2 - rounds\n {2}expected 2, got 3/),
    ]);
  });

  it('says that the change of the current step is in the worktree, unless it was taken back', () => {
    const [inWorktree, left] = ['Round (its change is in the worktree, and not committed yet)', { baseCommit: 'b' }];
    const screen = (more: object) => render(visit([], { ...left, ...more }).activity, givenUp, attempts);
    expect(screen({ commit: 'now' })).toContain(`- T-002 ${inWorktree}`);
    expect(screen({ commit: 'now', isRolledBack: true })).not.toContain(inWorktree);
    expect(screen({ commit: 'b' })).not.toContain(inWorktree);
    expect(screen({ commit: 'c' })).not.toContain(inWorktree);
  });

  it('shows the end of the output if it does not name what fails', () => {
    expect(render(visit(['another']).activity, givenUp, [])).toContain('# tests 3');
  });

  it('fits on one screen, however much there is to say', () => {
    const long = whyGivenUp('x'.repeat(300), 5, 'still failing: x', 'y\n'.repeat(1e4));
    const many = Array.from({ length: 20 }, (_, nth) => attemptOf(nth + 1, { tried: 'z'.repeat(1e4) }));
    expect(render(visit([]).activity, long, many).length).toBeLessThan(5_000);
  });
});
