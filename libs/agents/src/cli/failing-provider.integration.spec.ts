import { expect, it } from 'vitest';
import { AgentStage, type Fault, sampleTask } from '#testing';
import { openCliWorld } from './cli-world.fixture.js';
import { closesWorlds, opened } from './played-cli.fixture.js';

closesWorlds();

/** Asks again and again, whatever it is answered, as some CLIs do; ends well with the first answer that is one. */
const STUBBORN = `
if (process.argv.includes('--version')) { console.log('2.1.197'); process.exit(0); }
const { env: { ANTHROPIC_BASE_URL: base, ANTHROPIC_API_KEY: token } } = process;
const model = process.argv[process.argv.indexOf('--model') + 1];
const body = JSON.stringify({ model, max_tokens: 500, stream: true, messages: [{ role: 'user', content: 'hello' }] });
const ask = async () => {
  try {
    const answer = await fetch(base + '/v1/messages', { method: 'POST', headers: { 'x-api-key': token }, body });
    return (await answer.text()).includes('message_stop');
  } catch { return false; }
};
(async () => {
  while (!(await ask())) await new Promise((resolve) => setTimeout(resolve, 20));
  console.log(JSON.stringify({ type: 'result', subtype: 'success', is_error: false, result: 'Done.' }));
})();
`;

const FEW = 3;

async function stubborn(
  fault: Fault | ((nth: number) => Fault | null),
  models = ['first'],
  { failuresInRow = FEW, wallMs = 60_000 } = {},
) {
  const world = await openCliWorld({
    script: STUBBORN,
    limits: { failuresInRow },
    models: models.map((model) => ({ provider: 'anthropic', model, isSimulated: false })),
  });
  opened.push(world);
  const { worktree, startCommit, server } = world;
  let calls = 0;
  server.use(({ model }) => {
    calls += 1;
    const given = model !== 'first' ? null : typeof fault === 'function' ? fault(calls) : fault;
    return given ? { text: 'something to say', fault: given } : { text: 'Done.' };
  });
  const stage = new AgentStage(world.runtime, sampleTask({ limits: { turns: 1_000, wallMs, maxOutputTokens: 500 } }), {
    worktree,
    startCommit,
  });
  await stage.drive();
  return { ...world, stage, outcome: stage.outcome };
}

it.each<[string, Fault, string, string]>([
  ['answers 500 only', { kind: 'status', status: 500, words: 'on fire' }, 'MODEL_SERVER_ERROR', '500: on fire'],
  ['ends its streams early', { kind: 'cut', afterEvents: 2 }, 'MODEL_CUT_OFF', 'ended too early'],
  ['answers with web pages', { kind: 'html' }, 'MODEL_CUT_OFF', 'ended too early'],
])('a provider that %s ends the run soon, by its own code and words', async (_name, fault, code, words) => {
  const { outcome, server } = await stubborn(fault);
  expect(outcome).toMatchObject({ kind: 'failed', code, message: expect.stringContaining(words) as string });
  // A few more may be sent before anybody has looked.
  expect(server.calls.length).toBeLessThan(FEW * 10);
});

it('a provider that keeps asking to wait is waited for by the project', async () => {
  const { outcome } = await stubborn({ kind: 'status', status: 429, headers: { 'retry-after': '5' }, words: 'later' });
  expect(outcome).toMatchObject({
    kind: 'waits',
    reason: 'rate-limit',
    words: expect.stringContaining('later') as string,
  });
});

it('a provider that keeps failing is left for the tier’s next model', async () => {
  const { outcome, server } = await stubborn({ kind: 'status', status: 500 }, ['first', 'second']);
  expect(outcome).toMatchObject({ kind: 'finished', text: 'Done.' });
  expect(server.calls.at(-1)?.model).toBe('second');
});

it('a provider that fails now and then ends nothing', async () => {
  const { outcome, server } = await stubborn((nth) => (nth < FEW ? { kind: 'status', status: 500 } : null));
  expect(outcome).toMatchObject({ kind: 'finished', text: 'Done.' });
  expect(server.calls).toHaveLength(FEW);
});

it('a provider that fails until the time is over is no other model’s to follow: it would have no time', async () => {
  const few = { failuresInRow: 1_000, wallMs: 5_000 };
  const { outcome, stage } = await stubborn(
    { kind: 'status', status: 500, words: 'on fire' },
    ['first', 'second'],
    few,
  );
  expect(outcome).toMatchObject({ kind: 'failed', code: 'MODEL_SERVER_ERROR' });
  expect(stage.events.filter(({ type }) => type === 'agent.started')).toHaveLength(1);
});
