import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#kernel';
import { problemsOf } from './coding-context.js';
import { taskOf, verifiedAs } from './coding.fixture.js';
import { healed } from './heal.fixture.js';

describe('what an attempt broke', () => {
  const trouble = {
    command: 'node .qralph-checks/dark.mjs',
    output: 'AssertionError: it is light',
    newFailures: ['It is dark'],
    isCheck: true,
    checkFiles: 'dark.mjs:\nassert.equal(colour(), "dark")',
  };
  const nextPrompt = async (patch: JsonObject): Promise<string> => {
    const problems = problemsOf({ context: patch });
    const more = { ...patch, problem: 'P-003' };
    const { asked } = await healed({ problems, more, begun: 2, agent: () => ({}) });
    return asked[0]?.prompt ?? '';
  };

  it('is not what the next one has to fix: the files go back to where the problem was found', async () => {
    const verify = () => verifiedAs('failed', { failed: 1 }, 'not ok 1 - another test');
    const { type, patch } = await healed({ more: { trouble }, verify, agent: () => ({}) });
    expect([type, patch['trouble']]).toEqual(['attempt:failed', trouble]);
    const prompt = await nextPrompt(patch);
    for (const words of ['It is dark', trouble.output, 'assert.equal(colour(), "dark")', 'another test']) {
      expect(prompt).toContain(words);
    }
  });

  it('leaves the problem known if it undid the change, so that nothing fails', async () => {
    const { type, patch } = await healed({ more: { trouble }, changed: [], agent: () => ({}) });
    expect([type, patch['trouble']]).toEqual(['attempt:failed', trouble]);
    expect(await nextPrompt(patch)).toContain(trouble.output);
  });

  it('is what a person reads at the end, under the title of the problem', async () => {
    const { patch } = await healed({ more: { trouble }, changed: [], agent: () => ({}), begun: 5 });
    expect(patch['block']).toMatchObject({ message: expect.stringMatching(/^boom|^[A-Z]/) as string });
    expect(JSON.stringify(patch['why'])).toContain('it is light');
  });
});

describe('a fix becomes a pattern', () => {
  const verify = () => verifiedAs('passed', { passed: 1 });
  const patternsOf = async (more: object, changed = ['a.mjs']): Promise<number> =>
    (await healed({ more, changed, verify, agent: () => ({}) })).patterns.length;

  it('if tests that failed pass', async () => {
    expect(await patternsOf({})).toBe(1);
  });

  it('never after a rollback: the diff is the task done again, not the fix of the error', async () => {
    const tasks = [taskOf('T-001', { kind: 'proof', status: 'in_progress' })];
    expect([await patternsOf({ tasks }), await patternsOf({ tasks, isRolledBack: true })]).toEqual([1, 0]);
  });

  it('never if it is the change that a check asked for', async () => {
    expect(await patternsOf({ trouble: { output: 'it is light', newFailures: ['dark'], isCheck: true } })).toBe(0);
  });
});
