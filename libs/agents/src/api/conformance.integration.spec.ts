import { afterEach, describe, expect, it } from 'vitest';
import { silentTrace, systemClock } from '#kernel';
import { anthropicProvider, MeteringDesk, type ModelDesk } from '#models';
import { AgentStage, type AgentUnderTest, type Deed, describeAgentRuntime, type Reply, sampleTask } from '#testing';
import { openCliWorld } from '../cli/cli-world.fixture.js';
import { meterOn, MODEL, PRICE, PROVIDER_KEY } from '../proxy/proxy-under-test.fixture.js';
import { apiRuntime } from './api-runtime.js';
import type { ApiLimits } from './limits.js';

type World = Awaited<ReturnType<typeof openCliWorld>>;

/** The real desk over the official SDK, git's own worktrees, and the best sandbox that this machine has. */
function runtimeOn({ server, ledger, secrets, worktrees, sandbox }: World, limits: Partial<ApiLimits> = {}) {
  const ref = { provider: 'anthropic', model: MODEL };
  const provider = anthropicProvider({ apiKey: PROVIDER_KEY, baseUrl: server.url, redactor: secrets });
  const desk: ModelDesk = new MeteringDesk({
    providers: new Map([['anthropic', provider]]),
    tiers: { small: [ref], medium: [ref], large: [ref] },
    prices: { priceOf: () => PRICE, contextOf: () => 200_000 },
    meter: meterOn(ledger),
    clock: systemClock,
    trace: silentTrace,
    policy: { tries: 1, backoffMs: 1, contextTokens: 200_000 },
  });
  return apiRuntime({ desk, worktrees, sandbox, redactor: secrets, limits });
}

async function open(deeds: readonly Deed[]): Promise<AgentUnderTest> {
  const world = await openCliWorld();
  const { server, ledger, worktree, startCommit, fileAt, close } = world;
  const capAt = deeds.findIndex((deed) => deed.do === 'over-budget');
  const { capNanoUsd } = ledger;
  let failures = 0;
  server.use(({ turn }) => {
    const nth = turn + failures;
    const deed = deeds[nth];
    if (deed?.do === 'rate-limit') failures += 1;
    if (nth + 1 === capAt) ledger.capNanoUsd = 1n;
    return replyTo(deed);
  });
  if (capAt === 0) ledger.capNanoUsd = 1n;
  return {
    runtime: runtimeOn(world),
    worktree,
    startCommit,
    paid: () => ledger.ends().filter((end) => end === 'done').length,
    raiseCap: () => {
      ledger.capNanoUsd = capNanoUsd;
      failures = capAt + 1;
    },
    sent: () => server.calls.map(({ body }) => JSON.stringify(body)).join('\n'),
    fileAt,
    close,
  };
}

function replyTo(deed: Deed | undefined): Reply {
  switch (deed?.do) {
    case 'write':
      return { toolCalls: [{ name: 'write_file', input: { path: deed.path, content: deed.content } }] };
    case 'read':
      return { toolCalls: [{ name: 'read_file', input: { path: deed.path } }] };
    case 'say':
      return { text: deed.text };
    case 'hang':
      return { fault: { kind: 'silence', afterEvents: 0 } };
    case 'rate-limit':
      return {
        fault: { kind: 'status', status: 429, words: deed.words, headers: { 'retry-after': String(deed.ms / 1_000) } },
      };
    case 'bad-key':
      return { fault: { kind: 'status', status: 401, words: deed.words } };
    case 'over-budget':
    case undefined:
      return { fault: { kind: 'status', status: 400, words: 'asked more often than there are deeds' } };
  }
}

describeAgentRuntime(
  'the api runtime on a real desk, git and a sandbox',
  { journalsEachAnswer: true, isSimulated: false },
  open,
);

let world: World | undefined;
afterEach(async () => {
  await world?.close();
  world = undefined;
});

it('says that a long answer is coming while it comes', async () => {
  world = await openCliWorld();
  const { server, worktree, startCommit } = world;
  server.use([{ text: 'A long story of many words.', pieces: 8, everyMs: 50 }]);
  const runtime = runtimeOn(world, { answeringMs: 100 });
  const stage = new AgentStage(runtime, sampleTask(), { worktree, startCommit });
  await stage.drive();
  const told = stage.events.filter(({ type }) => type.startsWith('model.'));
  expect(told.length).toBeGreaterThan(1);
  expect(told.map(({ type }) => type)).toEqual([...told.slice(1).map(() => 'model.answering'), 'model.called']);
  const bytes = told.slice(0, -1).map(({ data }) => data['bytes'] as number);
  expect(bytes).toEqual([...bytes].sort((a, b) => a - b));
});

describe('an api agent with commands', () => {
  async function stageOf(...commands: string[]) {
    world = await openCliWorld();
    const { server, worktree, startCommit } = world;
    server.use(({ turn }) => {
      const command = commands[turn];
      return command === undefined ? { text: 'done' } : { toolCalls: [{ name: 'run', input: { command } }] };
    });
    const stage = new AgentStage(runtimeOn(world), sampleTask({ mayRun: true }), { worktree, startCommit });
    const said = (nth: number): string => JSON.stringify(server.calls[nth]?.body);
    return { world, stage, said };
  }

  it('runs them in the worktree, keeps what they did, and hears their output', async () => {
    const {
      stage,
      said,
      world: place,
    } = await stageOf('echo made > made.txt; echo on-stdout; echo on-stderr >&2; exit 3');
    await stage.drive();
    expect(said(1)).toContain('exit code 3');
    expect(said(1)).toContain('on-stdout');
    expect(said(1)).toContain('on-stderr');
    expect(stage.outcome).toMatchObject({ kind: 'finished', text: 'done' });
    if (stage.outcome.kind === 'finished') expect(await place.fileAt(stage.outcome.commit, 'made.txt')).toBe('made\n');
    expect(place.registry.records.size).toBe(0);
    expect(place.ledger.ends()).toEqual(['done', 'done']);
  });

  it('does a half-done turn again from where the worktree was before it', async () => {
    const { stage, world: place } = await stageOf('echo one >> log.txt', 'echo two >> log.txt');
    // Dies when the second turn is to be kept: its command has run, and nobody knows.
    await stage.drive(8);
    await stage.drive();
    if (place.sandbox.kind !== 'bubblewrap') {
      expect(stage.outcomes, 'a person is asked').toEqual([]);
      return;
    }
    expect(stage.outcome).toMatchObject({ kind: 'finished' });
    if (stage.outcome.kind !== 'finished') return;
    expect(await place.fileAt(stage.outcome.commit, 'log.txt')).toBe('one\ntwo\n');
    expect(place.ledger.ends()).toEqual(['done', 'done', 'done']);
  });
});
