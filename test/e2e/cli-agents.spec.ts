import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { type AgentTask, type CliLimits, CLIS, type CliSpec, findCli } from '#agents';
import { systemClock } from '#kernel';
import type { ModelRef } from '#models';
import { PgLedger } from '#persistence';
import { byTurn, hasBwrap, hasCli, type ScriptedToolCall } from '#testing';
import { hold, WORKER } from '../../libs/persistence/src/ledger/ledger.fixture.js';
import { insertBudget } from '../../libs/persistence/src/ledger/budget-rows.js';
import { useDatabase } from '../../libs/persistence/src/projects/database.fixture.js';
import { openCliWorld, PROVIDER_KEY } from './cli-world.js';

const database = useDatabase('cli-agents');
const PATH = process.env['PATH'] ?? '';
const NEW_FILE = '*** Begin Patch\n*** Add File: made.txt\n+made by an agent\n*** End Patch\n';

/** The tool with which each CLI writes a file, as a model calls it. */
const WRITES: Readonly<
  Record<string, { model: ModelRef; call: (file: string, tools: readonly string[]) => ScriptedToolCall }>
> = {
  claude: {
    model: { provider: 'anthropic', model: 'claude-haiku-5-5' },
    call: (file) => ({ name: 'Write', input: { file_path: file, content: 'made by an agent\n' } }),
  },
  codex: {
    model: { provider: 'openai', model: 'gpt-5-codex' },
    // Which one it offers depends on what it knows of the model.
    call: (_file, tools) =>
      tools.includes('apply_patch')
        ? { name: 'apply_patch', argumentsText: NEW_FILE }
        : { name: 'exec_command', input: { cmd: "echo 'made by an agent' > made.txt" } },
  },
  opencode: {
    model: { provider: 'anthropic', model: 'claude-haiku-5-5' },
    call: (file) => ({ name: 'write', input: { filePath: file, content: 'made by an agent\n' } }),
  },
  droid: {
    model: { provider: 'anthropic', model: 'claude-haiku-5-5' },
    call: (file) => ({ name: 'Create', input: { file_path: file, content: 'made by an agent\n' } }),
  },
};

const task: AgentTask = {
  step: 'task',
  role: 'builder',
  purpose: 'build',
  attempt: 1,
  tier: 'small',
  system: 'You are a builder.',
  prompt: 'Make the file made.txt; "quotes", $(shell) and `more` are only words.',
  access: 'write',
  mayRun: false,
  promises: ['COMPLETE'],
  limits: { turns: 20, wallMs: 120_000, maxOutputTokens: 4_000 },
};

const worlds: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.close();
});

const UNLIMITED = { nanoUsd: null, tokens: null };
const OWN_SERVER: ModelRef = { provider: 'compatible', model: 'a-model-of-ones-own' };

async function open(
  spec: CliSpec,
  caps: { nanoUsd: bigint | null; tokens: number | null },
  other?: ModelRef,
  limits: Partial<CliLimits> = {},
) {
  const { pool } = database;
  const projectId = await database.sample();
  await hold(pool, projectId, 1);
  await insertBudget(pool, projectId, caps);
  const ledger = new PgLedger(pool, { clock: systemClock, defaults: caps });
  const model = other ?? WRITES[spec.name]?.model ?? { provider: '', model: '' };
  const world = await openCliWorld(spec, model, PATH, { pool, ledger, limits });
  worlds.push(world);
  const scene = await world.sceneOf({ projectId, workerId: WORKER, epoch: 1 });
  const rows = async () => {
    const sql = `SELECT status, cost_nano AS cost, input, output
      FROM model_call WHERE root_id = $1`;
    return (await pool.query<{ status: string; cost: string; input: number; output: number }>(sql, [projectId])).rows;
  };
  return { world, scene, rows };
}

for (const spec of CLIS) {
  describe.runIf(hasCli(spec.name))(`the real ${spec.name}, through the proxy`, () => {
    it('is new enough to be used', async () => {
      expect(await findCli(spec, PATH)).toHaveProperty('found');
    });

    it('changes a file, and costs in the ledger what its calls cost together', async () => {
      const { world, scene, rows } = await open(spec, UNLIMITED);
      const { server, git } = world;
      const file = `${scene.worktree.folder}/made.txt`;
      const write = (tools: readonly string[]): ScriptedToolCall[] => [
        WRITES[spec.name]?.call(file, tools) ?? { name: '' },
      ];
      const usage = { input: 1_200, output: 80, cacheRead: 0, cacheWrite: 0 };
      const done = { text: 'It is made.\n<promise>COMPLETE</promise>', usage };
      const sideCalls = { text: 'A title', usage };
      server.use((call) => byTurn([{ toolCalls: write(call.tools), usage }, done], { sideCalls })(call));
      expect(await world.runtime.unavailable()).toBeNull();
      if (hasBwrap()) expect(world.sandbox.kind).toBe('bubblewrap');

      const outcome = await world.runtime.run(task, scene);
      expect(outcome).toMatchObject({ kind: 'finished', promise: 'COMPLETE', isSimulated: false });
      if (outcome.kind !== 'finished') return;
      expect(git('show', `${outcome.commit}:made.txt`)).toBe('made by an agent\n');

      const calls = await rows();
      expect(calls.length).toBe(server.calls.length);
      expect(calls.map(({ status }) => status)).toEqual(server.calls.map(() => 'done'));
      const sum = calls.reduce((total, { cost }) => total + BigInt(cost), 0n);
      expect(sum).toBeGreaterThan(0n);
      expect(outcome.report?.metered).toMatchObject({
        calls: calls.length,
        costNanoUsd: sum.toString(),
        unknownCosts: 0,
      });
      const { input, output } = server.billed();
      expect(calls.reduce((total, one) => total + one.input, 0)).toBe(input);
      expect(calls.reduce((total, one) => total + one.output, 0)).toBe(output);
      expect(outcome.report?.metered.usage).toMatchObject({ input, output });
      expect(server.calls.every(({ headers }) => JSON.stringify(headers).includes(PROVIDER_KEY))).toBe(true);

      const types = world.told.map(({ type }) => type);
      expect(types).toEqual(expect.arrayContaining(['agent.started', 'tool.called', 'model.called', 'agent.finished']));
      const transcript = readFileSync(outcome.report?.transcript.file ?? '', 'utf8');
      expect(transcript).toContain('It is made.');
      expect(`${transcript}${JSON.stringify(world.told)}`).not.toMatch(/qr_run_/);
      expect(readdirSync(`${world.data}/runs`)).toEqual([]);
      expect(world.errors).toEqual([]);
    });

    if (spec.wires.includes('compatible')) {
      it('changes a file with a model of one’s own server', async () => {
        const { world, scene, rows } = await open(spec, UNLIMITED, OWN_SERVER);
        const { server, git } = world;
        const write = WRITES[spec.name]?.call(`${scene.worktree.folder}/made.txt`, []) ?? { name: '' };
        server.use(byTurn([{ toolCalls: [write] }, { text: 'It is made.' }], { sideCalls: { text: 'A title' } }));
        const outcome = await world.runtime.run(task, scene);
        expect(outcome).toMatchObject({ kind: 'finished', isSimulated: false });
        expect(outcome.kind === 'finished' && git('show', `${outcome.commit}:made.txt`)).toBe('made by an agent\n');
        for (const { protocol, body } of server.calls) {
          expect([protocol, body['max_tokens'], body['max_completion_tokens']]).toEqual([
            'completions',
            expect.any(Number),
            undefined,
          ]);
        }
        expect((await rows()).map(({ status }) => status)).toEqual(server.calls.map(() => 'done'));
      });
    } else {
      it('says that it cannot speak to one’s own server', async () => {
        const { world } = await open(spec, UNLIMITED, OWN_SERVER);
        expect(await world.runtime.unavailable()).toContain(`speaks to models over ${spec.wires.join(' or ')} only`);
      });
    }

    it('ends soon, typed and with the provider’s words, where the provider answers 500 only', async () => {
      const { world, scene, rows } = await open(spec, UNLIMITED, undefined, { failuresInRow: 3 });
      world.server.use(() => ({ fault: { kind: 'status', status: 500, words: 'the machine room is on fire' } }));
      const outcome = await world.runtime.run(task, scene);
      expect(outcome).toMatchObject({
        kind: 'failed',
        code: 'MODEL_SERVER_ERROR',
        message: expect.stringContaining('500: the machine room is on fire') as string,
      });
      expect(new Set((await rows()).map(({ status }) => status))).toEqual(new Set(['failed']));
    });

    it('stops at the cap instead of trying again for ever', async () => {
      const { world, scene, rows } = await open(spec, { nanoUsd: 10n, tokens: null });
      const outcome = await world.runtime.run(task, scene);
      expect(outcome).toMatchObject({ kind: 'over-budget', breaker: { name: 'usd' } });
      expect(await rows()).toEqual([]);
      expect(world.server.calls).toEqual([]);
    });
  });
}
