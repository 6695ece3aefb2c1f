import { describe, expect, it } from 'vitest';
import { jobs } from '../targets/index.js';
import { askedChange, stepPlanOf } from './answers.js';
import type { Conversation } from './conversation.js';
import { MistakeBook } from './mistake-book.js';

const { escapeBacktick, fixHours } = jobs;
const saying = (text: string): Conversation => ({
  text,
  task: text,
  calls: [],
  tools: [],
  inputs: new Map(),
  schema: null,
  turn: 0,
});

describe('a plan for a person to approve', () => {
  it('has costs for each step, and lets an agent check them', () => {
    const steps = [
      { command: null, costUsd: { high: 2 } },
      { command: null, costUsd: { high: 2 } },
    ];
    expect(stepPlanOf(escapeBacktick.task, null)).toMatchObject({ steps, risks: [] });
  });

  it('has a broken command for its first step as often as that mistake is seeded', () => {
    const mistakes = new MistakeBook([{ kind: 'wrong-command', command: 'node no-such-file.js', times: 1 }]);
    expect(stepPlanOf(fixHours.task, mistakes.brokenCommand('medium'))).toMatchObject({
      steps: [{ command: 'node no-such-file.js' }],
    });
    expect(mistakes.brokenCommand('medium')).toBeNull();
    expect([mistakes.isNamed('it runs node no-such-file.js'), mistakes.isNamed('it runs npm test')]).toEqual([
      true,
      false,
    ]);
  });
});

describe('what the change of a step is', () => {
  const [first, second] = escapeBacktick.task.steps ?? [];

  it('is that of the step that the text names first', () => {
    const text = `Check ${second?.title ?? ''}, after ${first?.title ?? ''}`;
    expect(askedChange(escapeBacktick.task, saying(text))).toEqual(second?.change);
  });

  it('is the whole change if the text names no step', () => {
    expect(askedChange(escapeBacktick.task, saying('Check it'))).toEqual(escapeBacktick.task.right);
  });
});
