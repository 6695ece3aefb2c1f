import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ErrandWorld } from './errand-world.js';
import { breaks, byConversation, HealCases, heals, healsWrongly } from './heal-cases.js';

let world: ErrandWorld;
let cases: HealCases;
beforeAll(async () => {
  world = await ErrandWorld.open({}, {}, 'openai');
  cases = new HealCases(world);
});
afterAll(() => world.close());

const LADDER = ['gpt-6-luna', 'gpt-6-luna', 'gpt-6-sol', 'gpt-6-sol', 'gpt-6-astra'];

describe.concurrent('a problem in coding mode, where OpenAI is the only provider', () => {
  it('climbs the ladder of its models, through a rollback, to the fifth attempt', async () => {
    const wrongly = ['red', 'green', 'blue', 'white'].map(healsWrongly);
    const one = await cases.start({ execute: breaks, heal: byConversation(...wrongly, heals) });
    await one.completed();
    const [problem] = await one.problems();
    expect(problem?.status).toBe('fixed');
    expect(problem?.attempts.map(({ model }) => model)).toEqual(LADDER);
    expect(one.heals().map(({ call }) => call.model)).toEqual(LADDER);
    expect(new Set(one.asked().map(({ call }) => call.protocol))).toEqual(new Set(['responses']));
    const calls = await one.ledger();
    expect(
      calls
        .filter(({ attempt }, nth) => attempt !== calls[nth - 1]?.attempt)
        .map(({ provider, model }) => `${provider}:${model}`),
    ).toEqual(LADDER.map((model) => `openai:${model}`));
    expect(await one.events('heal.rolled-back')).toMatchObject([{ problem: 'P-001' }]);
  });

  it('blocks after its last attempt, and is mended when a person sends it back', async () => {
    const heal = byConversation(healsWrongly('red'), healsWrongly('green'), heals);
    const one = await cases.start({ execute: breaks, heal }, { parameters: { healAttempts: 2 } });
    const { cause, why } = await one.blocked();
    expect([cause, why]).toEqual(['problem', expect.stringContaining('after 2 attempts')]);
    await one.decide('resolve');
    await one.completed();
    const [problem] = await one.problems();
    expect(problem?.attempts.map(({ outcome, model }) => `${outcome} ${model ?? ''}`)).toEqual([
      'failed gpt-6-luna',
      'failed gpt-6-luna',
      'fixed gpt-6-sol',
    ]);
  });
});
