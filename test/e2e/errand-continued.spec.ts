import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { byTurn, type Reply } from '#testing';
import { ErrandWorld, gitIn, GOOD_WORK } from './errand-world.js';

let world: ErrandWorld;
beforeAll(async () => {
  world = await ErrandWorld.open();
});
afterAll(() => world.close());

const blockOf = async (id: string): Promise<Record<string, unknown>> => {
  const { checkpoint } = await world.api.project(id);
  const { snapshot } = await world.api.checkpoint(id, checkpoint.seq);
  return (snapshot as { context: { block: Record<string, unknown> } }).context.block;
};

describe('an errand whose agent runs out of turns', () => {
  it('continues in a fresh conversation, and asks nobody', async () => {
    const good = byTurn(GOOD_WORK);
    const draft = { name: 'write_file', input: { path: 'draft.txt', content: 'half of it\n' } };
    const list = { toolCalls: [{ name: 'list_files', input: {} }] };
    world.errands.use((call) => {
      if (JSON.stringify(call.body).includes('# Continue earlier work')) return good(call);
      return call.turn === 0 ? { text: 'I begin with a draft.', toolCalls: [draft] } : list;
    });
    const before = world.errands.calls.length;
    const repo = await world.repository();
    const { id } = await world.start(repo, { parameters: { turns: GOOD_WORK.length } });
    const ended = await world.api.untilStatus(id, 'completed', 60_000);
    const calls = world.errands.calls.slice(before).map(({ body }) => JSON.stringify(body));
    expect(calls.map((body) => body.includes('limits are nearly reached')).indexOf(true)).toBe(GOOD_WORK.length - 1);
    expect(calls[GOOD_WORK.length]).toMatch(/Files changed so far[^]*draft\.txt[^]*I begin with a draft\./);
    expect(calls).toHaveLength(2 * GOOD_WORK.length);
    const { branch = '' } = ended.workspace ?? {};
    expect(await gitIn(repo, 'ls-tree', '--name-only', branch)).toMatch(/draft\.txt[^]*theme\.mjs/);
  });

  it('asks a person if a fresh conversation and the next tier run out too', async () => {
    world.errands.use(() => ({ toolCalls: [{ name: 'list_files', input: {} }] }));
    const before = world.errands.calls.length;
    const { id } = await world.start(await world.repository(), { parameters: { turns: 2 } });
    await world.api.untilStatus(id, 'blocked', 60_000);
    expect(await blockOf(id)).toMatchObject({ cause: 'agent', code: 'AGENT_TURNS_EXHAUSTED' });
    const models = world.errands.calls.slice(before).map(({ body }) => body['model']);
    expect(models).toHaveLength(6);
    expect(new Set(models.slice(0, 4)).size).toBe(1);
    expect(models[4]).not.toBe(models[0]);
    await world.api.command(id, 'ABORT');
  });
});

describe('an errand that a person sends back after its heals', () => {
  const BAD_WORK: readonly Reply[] = JSON.parse(
    JSON.stringify(GOOD_WORK).replace("return theme === 'light' ? 'dark' : 'light';", "return 'purple';"),
  ) as Reply[];

  it('works on with the ordered tier, and climbs the ladder again before it asks', async () => {
    let conversations = 0;
    const models: unknown[] = [];
    world.errands.use((call) => {
      if (call.turn === 0) models[conversations++] = call.body['model'];
      return byTurn(conversations === 4 ? GOOD_WORK : BAD_WORK)(call);
    });
    const before = world.errands.calls.length;
    const { id } = await world.start(await world.repository(), { parameters: { attempts: 1 } });
    await world.api.untilStatus(id, 'waiting', 60_000);
    const feedback = 'Light becomes dark, and dark becomes light.';
    await world.api.must('POST', `/v1/projects/${id}/gates/unproven`, { decision: 'revise', feedback });
    const ended = await world.api.untilStatus(id, 'completed', 60_000);
    expect([conversations, ended.proven]).toEqual([4, 'yes']);
    // The first attempt and the revision have the ordered tier, and each has a heal of the small one.
    const [first, heal, revision, secondHeal] = models;
    expect([revision, secondHeal]).toEqual([first, heal]);
    expect(heal).not.toBe(first);
    const said = world.errands.calls.slice(before).map(({ body }) => JSON.stringify(body).includes(feedback));
    const perConversation = GOOD_WORK.length;
    expect([said[perConversation * 2 - 1], said[perConversation * 2], said[perConversation * 3]]).toEqual([
      false,
      true,
      true,
    ]);
  });
});
