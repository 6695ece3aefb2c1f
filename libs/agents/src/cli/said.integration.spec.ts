import { expect, it } from 'vitest';
import { BLOT } from '#kernel';
import { AgentStage, sampleTask } from '#testing';
import { openCliWorld } from './cli-world.fixture.js';
import { around, closesWorlds, opened, played } from './played-cli.fixture.js';

closesWorlds();

const says = (text: string): string =>
  `emit({ type: 'assistant', message: { content: [{ type: 'text', text: ${JSON.stringify(text)} }] } });`;
const HANGS = 'await new Promise((resolve) => setTimeout(resolve, 60_000));';
const short = { limits: { turns: 10, wallMs: 2_000, maxOutputTokens: 500 } };

it('a CLI that hangs after some words leaves these, without secrets', async () => {
  const first = [says('P0: no tests'), says(`P1: ghp_${'a1B2'.repeat(9)}`), HANGS].join('\n');
  const { outcome } = await played(around({ first }), short);
  expect(outcome).toMatchObject({ kind: 'failed', code: 'AGENT_TIMED_OUT', said: `P0: no tests\n\nP1: ${BLOT}` });
});

it('a CLI that never says a word leaves none', async () => {
  const { outcome } = await played(around({ first: 'process.exit(3);' }));
  expect(outcome).toMatchObject({ kind: 'failed', code: 'AGENT_FAILED', said: '' });
});

it('a CLI that says more than is told of it leaves the end of that', async () => {
  const first = `for (let n = 0; n < 3000; n += 1) { ${says('word')} }\n${says('the end')}\nprocess.stdout.write('', () => process.exit(3)); ${HANGS}`;
  const { outcome } = await played(around({ first }));
  expect(outcome.kind === 'failed' && outcome.said).toMatch(/^(?:word\s+)+the end$/);
});

it('what a run said that had to wait is there when the one after it fails, also if it is read back', async () => {
  const world = await openCliWorld(around({}));
  opened.push(world);
  const { server, worktree, startCommit, runtime } = world;
  const input = { file_path: `${worktree.folder}/made.txt`, content: 'made\n' };
  const limit = { fault: { kind: 'status', status: 429, headers: { 'retry-after': '3600' } } } as const;
  let runs = 0;
  server.use(({ turn }) => {
    if (turn === 0) runs += 1;
    if (turn === 0) return { text: `Run ${String(runs)}.`, toolCalls: [{ name: 'Write', input }] };
    return runs === 1 ? limit : { fault: { kind: 'status', status: 401 } };
  });
  const stage = new AgentStage(runtime, sampleTask(), { worktree, startCommit }, 2);
  await stage.drive();
  expect(stage.outcomes).toMatchObject([
    { kind: 'waits', reason: 'rate-limit' },
    { kind: 'failed', code: 'MODEL_BAD_KEY', said: 'Run 1.\n\nRun 2.' },
  ]);
  expect(stage.outcomes[0]).not.toHaveProperty('soFar');
});
