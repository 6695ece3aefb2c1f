import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { ModelError, usdOf } from '#models';
import { AgentStage, sampleTask } from '#testing';
import type { Sandbox } from '#workspace';
import { openCliWorld } from './cli-world.fixture.js';
import { around, closesWorlds, opened, played } from './played-cli.fixture.js';

closesWorlds();

it('a provider that is overrun is left for the tier’s next model', async () => {
  const models = ['first', 'second'].map((model) => ({ provider: 'anthropic', model, isSimulated: false }));
  const world = await openCliWorld({ ...around({}), models });
  opened.push(world);
  const { worktree, startCommit, server } = world;
  server.use(({ model }) => (model === 'first' ? { fault: { kind: 'status', status: 529 } } : { text: 'Done.' }));
  const stage = new AgentStage(world.runtime, sampleTask(), { worktree, startCommit });
  await stage.drive();
  expect(stage.outcome).toMatchObject({ kind: 'finished', text: 'Done.' });
  expect(server.calls.map(({ model }) => model)).toEqual(['first', 'second']);
});

it('a provider that fails is left for the tier’s next model, which has what is left of the time', async () => {
  const models = ['first', 'second'].map((model) => ({ provider: 'anthropic', model, isSimulated: false }));
  const world = await openCliWorld({ ...around({}), models });
  opened.push(world);
  const { worktree, startCommit, server, data } = world;
  server.use(({ model }) => (model === 'first' ? { fault: { kind: 'status', status: 500 } } : { text: 'Done.' }));
  const times: number[] = [];
  const { sandbox } = world;
  const timed: Sandbox = {
    ...sandbox,
    run: (order) => {
      times.push(order.timeoutMs);
      return sandbox.run(order);
    },
  };
  const stage = new AgentStage(world.runtime, sampleTask(), { worktree, startCommit, sandbox: timed });
  await stage.drive();
  expect(stage.outcome).toMatchObject({ kind: 'finished', text: 'Done.' });
  expect(times[1]).toBeLessThan(times[0] ?? 0);
  const [project = ''] = readdirSync(join(data, 'transcripts'));
  const kept = readdirSync(join(data, 'transcripts', project)).toSorted();
  expect(kept.map((name) => name.slice(-10))).toEqual(['.1.1.jsonl', '.1.2.jsonl']);
});

it('the last model’s failure is that of the task, by the code of the model', async () => {
  const world = await openCliWorld(around({}));
  opened.push(world);
  const { worktree, startCommit, server } = world;
  server.use(() => ({ fault: { kind: 'status', status: 401, words: 'no such key' } }));
  const stage = new AgentStage(world.runtime, sampleTask(), { worktree, startCommit });
  await stage.drive();
  expect(stage.outcome).toMatchObject({ kind: 'failed', code: 'MODEL_BAD_KEY' });
});

it('a run whose budget others hold waits for them', async () => {
  const models = ['first', 'second'].map((model) => ({ provider: 'anthropic', model, isSimulated: false }));
  const world = await openCliWorld({ ...around({}), models });
  opened.push(world);
  const { worktree, startCommit, server, ledger } = world;
  const words = 'calls under way hold the rest of the budget';
  const facts = {
    remedy: 'wait',
    provider: 'anthropic',
    words,
    resetAt: Date.now() + 30_000,
    billed: 'nothing',
  } as const;
  ledger.reserve = () => Promise.reject(new ModelError('MODEL_BUDGET_BUSY', words, facts));
  const stage = new AgentStage(world.runtime, sampleTask(), { worktree, startCommit });
  await stage.drive();
  expect(stage.outcome).toMatchObject({ kind: 'waits', reason: 'budget-busy', words });
  expect(server.calls).toEqual([]);
  // The tier's other model would draw on the same budget.
  expect(stage.events.filter(({ type }) => type === 'agent.started')).toHaveLength(1);
});

it('a CLI that reports its use without end has finished all the same', async () => {
  const last = `
    const deep = '['.repeat(20000) + ']'.repeat(20000);
    console.log('{"type":"result","subtype":"success","is_error":false,"result":"deep","usage":' + deep + '}');`;
  const { outcome } = await played(around({ last }));
  expect(outcome).toMatchObject({ kind: 'finished', text: 'deep', report: { reported: { usage: null } } });
});

it('what a CLI says that it cost stands beside what it really did', async () => {
  const { stage, ledger } = await played(around({}));
  const ended = stage.events.filter(({ type }) => type === 'agent.finished').map(({ data }) => data);
  expect(ended).toMatchObject([{ reportedCostUsd: 0.5, costUsd: usdOf(ledger.cost()) }]);
});

it.each(['review@1', undefined])('every call of a run is kept with the version of its prompt: %s', async (version) => {
  const { ledger, server } = await played(around({}), version === undefined ? {} : { promptVersion: version });
  expect(server.calls).toHaveLength(2);
  expect(ledger.calls.map(({ about }) => about.prompt)).toEqual([version ?? null, version ?? null]);
});

it('a run that gets no folder gets no token either', async () => {
  const world = await openCliWorld(around({}));
  opened.push(world);
  const { worktree, startCommit, data, proxy } = world;
  writeFileSync(join(data, 'runs'), 'no folder');
  const admit = vi.spyOn(proxy, 'admit');
  const stage = new AgentStage(world.runtime, sampleTask(), { worktree, startCommit });
  await stage.drive();
  expect([stage.errors.length > 0, admit.mock.calls]).toEqual([true, []]);
});

it('a run that ended well though a call of it went past the cap says so, once', async () => {
  const world = await openCliWorld(
    around({
      last: `
        for (const nth of [1, 2]) await ask({ model: argument('--model'), max_tokens: 500, messages });
        emit({ type: 'result', subtype: 'success', is_error: false, result: 'Done all the same.' });`,
    }),
  );
  opened.push(world);
  const { worktree, startCommit, server, ledger } = world;
  server.use(() => {
    ledger.capNanoUsd = 1n;
    return { text: 'Done.' };
  });
  const stage = new AgentStage(world.runtime, sampleTask(), { worktree, startCommit });
  await stage.drive();
  expect(stage.outcome).toMatchObject({ kind: 'finished', text: 'Done all the same.' });
  const told = stage.events.filter(({ type }) => type === 'budget.exceeded').map(({ data }) => data);
  expect(told).toMatchObject([{ name: 'usd', cap: '1' }]);
});
