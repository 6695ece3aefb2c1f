import { describe, expect, it } from 'vitest';
import { byRole, fakeParts, Visit, WORKTREE } from '../coding.fixture.js';
import { inspectInBatches } from './inspect-in-batches.js';
import { INSPECTOR } from './inspect.js';
import { planWith } from './proof.fixture.js';

async function look(tests: readonly string[]) {
  const world = fakeParts({
    agent: byRole({
      [INSPECTOR]: ({ prompt }) => ({
        output: {
          parts: prompt.includes('There is a dark mode') ? [{ part: 1, isDone: true, why: 'w' }] : [],
          findings: [],
          tests: tests
            .filter((test) => prompt.split('\n').includes(test))
            .map((test) => ({ test, quote: 'Add dark mode', why: 'w' })),
        },
      }),
    }),
  });
  const visit = new Visit({ requestPlan: planWith() });
  const wish = { from: 'base', commit: 'done', parts: [1], findings: [], tests, step: 'inspect' };
  const inspected = await inspectInBatches(world.parts, visit.activity, WORKTREE, wish);
  if (inspected.kind === 'stopped') throw new Error('nothing stops it');
  return { inspection: inspected.inspection, prompts: world.asked.map(({ prompt }) => prompt) };
}

const named = (count: number, length = 5): readonly string[] =>
  Array.from({ length: count }, (_, nth) => `test ${String(nth)} ${'x'.repeat(length)}`);

describe('an inspection of many tests', () => {
  it('asks once for a few of them, together with the parts', async () => {
    const { inspection, prompts } = await look(named(40));
    expect([prompts.length, inspection?.parts.length, inspection?.tests.length]).toEqual([1, 1, 40]);
  });

  it('asks again for the others, and no longer for the parts', async () => {
    const { inspection, prompts } = await look(named(95));
    expect([prompts.length, inspection?.parts.length, inspection?.tests.length]).toEqual([3, 1, 95]);
    expect(prompts.filter((prompt) => prompt.includes('There is a dark mode')).length).toBe(1);
  });

  it('shows no list that would be cut', async () => {
    const { inspection, prompts } = await look(named(30, 500));
    expect([prompts.length, inspection?.tests.length]).toEqual([3, 30]);
  });
});
