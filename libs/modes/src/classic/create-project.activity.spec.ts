import { expect, it } from 'vitest';
import type { AgentOutcome } from '#agents';
import { eventOf, fakeParts, Visit } from '../coding/coding.fixture.js';
import { createClassic } from './create-project.activity.js';

const asked = { question: 'Which theme?', why: 'It is shown first.', fallback: 'light' };
const failed = (code: string): Partial<AgentOutcome> => ({ kind: 'failed', code, message: 'too slow', said: '' });

async function created(agent: Partial<AgentOutcome>) {
  const { parts } = fakeParts({ agent: () => agent });
  const visit = new Visit({ commit: 'base' }, { state: 'INIT' });
  return eventOf(await createClassic(parts)(visit.activity));
}

it('asks what the request leaves open', async () => {
  const { type, patch, data } = await created({ output: { questions: [asked] } });
  expect([type, data['questions'], patch['why']]).toEqual([
    'project:created',
    1,
    expect.stringContaining('Which theme?') as string,
  ]);
});

it('goes on without questions if the clarifier fails after all tries', async () => {
  const { type, patch, data } = await created(failed('AGENT_TIMED_OUT'));
  expect([type, patch['questions'], data]).toEqual([
    'project:created',
    [],
    expect.objectContaining({ questions: 0, fallback: 'No questions were asked: too slow' }),
  ]);
});

it('asks a person if no model answers: the planner would get no answer either', async () => {
  const { type, patch } = await created(failed('MODEL_UNREACHABLE'));
  expect([type, patch['block']]).toEqual(['work:blocked', expect.objectContaining({ cause: 'agent' })]);
});
