import { expect, it } from 'vitest';
import { z } from 'zod';
import { AgentStage, sampleTask } from '#testing';
import { openCliWorld } from './cli-world.fixture.js';
import { around, closesWorlds, opened } from './played-cli.fixture.js';

closesWorlds();

const COLOUR = { name: 'colour', type: z.object({ colour: z.string() }) };
const REPAIR = 'It does not have the form that is asked for';

/** A run that writes a file and says something of another shape; what follows it says `then`. */
async function misshapen(then: string) {
  const world = await openCliWorld(around({}));
  opened.push(world);
  const { server, worktree, startCommit, runtime } = world;
  const input = { file_path: `${worktree.folder}/made.txt`, content: 'made\n' };
  server.use(({ turn, body }) => {
    if (JSON.stringify(body).includes(REPAIR)) return { text: then };
    return turn === 0 ? { toolCalls: [{ name: 'Write', input }] } : { text: '{"colour": 7}' };
  });
  const stage = new AgentStage(runtime, sampleTask({ output: COLOUR }), { worktree, startCommit });
  return { ...world, stage };
}

it('an output of another shape may be mended by one more run, which knows what was said and why it is none', async () => {
  const { stage, server, fileAt, ledger } = await misshapen('{"colour": "red"}');
  await stage.drive();
  const { outcome } = stage;
  expect(outcome).toMatchObject({ kind: 'finished', output: { colour: 'red' } });
  expect(outcome.kind === 'finished' && (await fileAt(outcome.commit, 'made.txt'))).toBe('made\n');
  expect(ledger.ends()).toEqual(['done', 'done', 'done']);
  expect(JSON.stringify(server.calls.at(-1)?.body)).toContain('colour');
});

it('an output that one more run does not mend is a failure by name, its files kept', async () => {
  const { stage, fileAt, ledger } = await misshapen('{"colour": 8}');
  await stage.drive();
  const { outcome } = stage;
  const said = '{"colour": 7}\n\n{"colour": 8}';
  expect(outcome).toMatchObject({ kind: 'failed', code: 'AGENT_OUTPUT_INVALID', said });
  expect(outcome.kind === 'failed' && (await fileAt(outcome.commit, 'made.txt'))).toBe('made\n');
  expect(ledger.ends()).toHaveLength(3);
});

it('an output is mended whenever the worker dies', async () => {
  const whole = await misshapen('{"colour": "red"}');
  await whole.stage.drive();
  for (let at = 1; at <= whole.stage.store.writes; at += 1) {
    const { stage } = await misshapen('{"colour": "red"}');
    await stage.drive(at);
    await stage.drive();
    expect(stage.outcome, `died at write ${String(at)}`).toMatchObject({ kind: 'finished', output: { colour: 'red' } });
  }
});
