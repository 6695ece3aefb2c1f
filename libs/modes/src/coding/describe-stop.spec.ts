import { describe, expect, it } from 'vitest';
import { listed } from './coding-context.js';
import { scenarioOf, taskOf, Visit } from './coding.fixture.js';
import { describeStop } from './describe-stop.js';

const TASKS = listed([
  taskOf('T-003', { status: 'completed', commit: 'c' }),
  taskOf('T-004', { title: 'Add the toggle', status: 'in_progress' }),
]);
const scene = new Visit({ tasks: TASKS }).activity;
const errand = { ...scene, project: { ...scene.project, machine: 'errand' }, context: {} };

const failed = (code: string, message = 'raw words', said = '') =>
  ({ kind: 'failed', code, message, said, commit: 'c', isSimulated: false }) as const;
const triedBy = (role: string, times: number, tier: 'small' | 'large') => ({ tried: { role, times, tier } });

describe('the first line about an agent that did not finish', () => {
  it('names the agent, its task, why in plain words, how often it was tried, and the last tier', () => {
    const turns = failed('AGENT_TURNS_EXHAUSTED', 'max turns reached: 60');
    expect(describeStop(scene, { ...turns, ...triedBy('implementer', 3, 'large') }).message).toBe(
      'The implementer did not finish T-004 "Add the toggle": it used all of its 60 turns. It was tried 3 times, last with the large model.',
    );
    const late = failed('AGENT_TIMED_OUT', 'not done within 60 minutes of work');
    expect(describeStop(errand, { ...late, ...triedBy('implementer', 1, 'small') }).message).toBe(
      'The implementer did not finish the errand: it was not done within 60 minutes of work. It was tried once, with the small model.',
    );
  });

  it('says if nobody could answer, which is no fault of the task', () => {
    const { message } = describeStop(scene, { ...failed('MODEL_UNREACHABLE'), ...triedBy('healer', 1, 'small') });
    expect(message).toMatch(
      /^The healer cannot work on T-004 .*: the provider of its model cannot be reached\. It was/,
    );
  });

  it('names the work of those that have no task', () => {
    const said = (role: string): string =>
      describeStop(
        { ...scene, context: { scenarios: listed([scenarioOf('S-002')]) } },
        { ...failed('X'), ...triedBy(role, 2, 'small') },
      ).message;
    expect(said('work-planner')).toMatch(/^The planner did not finish the plan: raw words\. /);
    expect(said('acceptance-tester')).toMatch(/^The acceptance tester did not finish S-002 "Title of S-002": /);
    expect(said('sde-iii')).toMatch(/^The agent sde-iii did not finish its task: /);
  });

  it('is one line, and keeps the code and the words of the agent below', () => {
    const block = describeStop(scene, failed('AGENT_FAILED', 'a\nb', 'half is done'));
    expect(block.message).toBe('The agent did not finish T-004 "Add the toggle": its program ended with an error.');
    expect(block).toMatchObject({ cause: 'agent', code: 'AGENT_FAILED', output: 'AGENT_FAILED: a\nb\nhalf is done' });
  });
});
