import { describe, expect, it } from 'vitest';
import { LeaseLost } from '#engine';
import { BLOT, secrets, silentTrace, type SpanFacts, type Trace, UserError } from '#kernel';
import { ModelError } from '#models';
import { AgentStage, sampleTask } from '#testing';
import { apiRuntime } from './api-runtime.js';
import { closesWorktrees, openWorktrees, played, results } from './played.fixture.js';
import { HandClock, NoSandbox, type Said, ScriptedDesk, turnOf } from './world.fixture.js';

closesWorktrees();

describe('what becomes of failures', () => {
  const failing = (error: Error) => played(() => { throw error; }); // prettier-ignore

  it('an error that names no time waits a minute; a time long past, a second', async () => {
    const facts = { remedy: 'wait', provider: 'p', words: 'later', billed: 'nothing' } as const;
    const waits = await failing(new ModelError('MODEL_OVERLOADED', 'overloaded', facts));
    expect(waits.stage.outcome).toEqual({
      kind: 'waits',
      reason: 'rate-limit',
      ms: 60_000,
      words: 'overloaded: later',
    });
    const past = await failing(new ModelError('MODEL_RATE_LIMITED', 'limited', { ...facts, resetAt: 1 }));
    expect(past.stage.outcome).toMatchObject({ kind: 'waits', ms: 1_000 });
  });

  it('each try of a chat that failed is an event, though a later one was answered', async () => {
    const desk = new ScriptedDesk(() => ({ text: 'done' }));
    const send = desk.chat.bind(desk);
    const facts = { provider: 'p', billed: 'nothing' } as const;
    const failures = [
      new ModelError('MODEL_BAD_KEY', 'p refuses the key: No\0 key\nof  ours', { ...facts, remedy: 'give-up', words: 'No\0 key\nof  ours' }),
      new ModelError('MODEL_TIMEOUT', 'p was not done', { ...facts, remedy: 'retry', words: '' }),
      new ModelError('MODEL_SERVER_ERROR', 'p has failed', { ...facts, remedy: 'retry', words: 'blah '.repeat(1_000) }),
    ]; // prettier-ignore
    desk.chat = async (wish, listener) => {
      for (const error of failures) listener.onFailure?.({ provider: 'p', model: error.code.toLowerCase() }, error);
      return send(wish, listener);
    };
    const worktrees = openWorktrees({});
    const runtime = apiRuntime({ desk, worktrees, sandbox: new NoSandbox() });
    const { worktree, startCommit } = worktrees;
    const stage = new AgentStage(runtime, sampleTask(), { worktree, startCommit });
    await stage.drive();
    expect(stage.outcome).toMatchObject({ kind: 'finished' });
    const told = stage.events.filter(({ type }) => type === 'model.failed').map(({ data }) => data);
    const { role, purpose } = sampleTask();
    const words = (expected: string) => expect.stringMatching(expected) as string;
    expect(told).toEqual([
      { role, purpose, provider: 'p', model: 'model_bad_key', code: 'MODEL_BAD_KEY', remedy: 'give-up', words: 'No\ufffd key of ours' },
      { role, purpose, provider: 'p', model: 'model_timeout', code: 'MODEL_TIMEOUT', remedy: 'retry', words: 'p was not done' },
      { role, purpose, provider: 'p', model: 'model_server_error', code: 'MODEL_SERVER_ERROR', remedy: 'retry', words: words('^blah blah.{490}…$') },
    ]); // prettier-ignore
  });

  it('a budget that other calls hold is no rate limit', async () => {
    const words = 'calls under way hold the rest of the budget';
    const facts = { remedy: 'wait', provider: 'p', words, billed: 'nothing', resetAt: Date.now() + 5_000 } as const;
    const { stage } = await failing(new ModelError('MODEL_BUDGET_BUSY', words, facts));
    expect(stage.outcome).toMatchObject({ kind: 'waits', reason: 'budget-busy', words });
  });

  it('time in which other calls hold the budget is not the task’s own: it waits, and has not timed out', async () => {
    const clock = new HandClock();
    const words = 'calls under way hold the rest of the budget';
    const facts = { remedy: 'wait', provider: 'p', words, billed: 'nothing', resetAt: 1 } as const;
    const desk = new ScriptedDesk(() => ({ text: 'done' }));
    const send = desk.chat.bind(desk);
    // By its runs the desk knows how often a chat was waited for.
    const runs: number[] = [];
    desk.chat = async (wish, listener) => {
      await clock.pass(60_001);
      listener.signal.throwIfAborted();
      if (runs.push(wish.about.effect.run) === 1) throw new ModelError('MODEL_BUDGET_BUSY', words, facts);
      return send(wish, listener);
    };
    const worktrees = openWorktrees({});
    const runtime = apiRuntime({ desk, worktrees, sandbox: new NoSandbox(), clock });
    const { worktree, startCommit } = worktrees;
    const stage = new AgentStage(runtime, sampleTask(), { worktree, startCommit }, 2);
    await stage.drive();
    expect(stage.outcomes).toMatchObject([{ kind: 'waits', reason: 'budget-busy' }, { kind: 'finished' }]);
    expect(runs).toEqual([1, 2]);
  });

  it('time from the sending on is the task’s own', async () => {
    const clock = new HandClock();
    const desk = new ScriptedDesk(async (_wish, _asked, signal) => {
      await clock.pass(60_001);
      signal.throwIfAborted();
      return { text: 'done' };
    });
    const worktrees = openWorktrees({});
    const runtime = apiRuntime({ desk, worktrees, sandbox: new NoSandbox(), clock });
    const { worktree, startCommit } = worktrees;
    const stage = new AgentStage(runtime, sampleTask(), { worktree, startCommit });
    await stage.drive();
    expect(stage.outcome).toMatchObject({ kind: 'failed', code: 'AGENT_TIMED_OUT' });
  });

  it('what was said before the time was over is kept, without secrets', async () => {
    const forget = secrets.learn('hush-hush-hush');
    const clock = new HandClock();
    const desk = new ScriptedDesk(async (wish, _asked, signal) => {
      if (turnOf(wish) < 3)
        return { text: `Finding ${String(turnOf(wish))}: hush-hush-hush`, calls: [['list_files', {}]] };
      await clock.pass(60_001);
      signal.throwIfAborted();
      return { text: 'too late' };
    });
    const worktrees = openWorktrees({});
    const runtime = apiRuntime({ desk, worktrees, sandbox: new NoSandbox(), clock });
    const { worktree, startCommit } = worktrees;
    const stage = new AgentStage(runtime, sampleTask(), { worktree, startCommit });
    await stage.drive();
    forget();
    const said = `Finding 1: ${BLOT}\n\nFinding 2: ${BLOT}`;
    expect(stage.outcome).toMatchObject({ kind: 'failed', code: 'AGENT_TIMED_OUT', said });
  });

  it('one that failed before the first word has said nothing', async () => {
    const facts = { remedy: 'give-up', provider: 'p', words: 'no', billed: 'nothing' } as const;
    const { stage } = await failing(new ModelError('MODEL_BAD_KEY', 'p refuses the key', facts));
    expect(stage.outcome).toMatchObject({ kind: 'failed', code: 'MODEL_BAD_KEY', said: '' });
  });

  it('a lost lease is nobody’s outcome', async () => {
    const { stage } = await failing(new LeaseLost('gone'));
    expect(stage.outcomes).toEqual([]);
    expect(stage.errors[0]).toBeInstanceOf(LeaseLost);
  });

  async function picky(said: Said) {
    const worktrees = openWorktrees({ 'readme.md': 'x' });
    const desk = new ScriptedDesk((wish) => (turnOf(wish) > 1 ? { text: 'done' } : said));
    const refusing = {
      head: worktrees.head.bind(worktrees),
      snapshot: () => Promise.reject(new UserError('WORKTREE_TOO_LARGE', 'giant is too large')),
      reset: worktrees.reset.bind(worktrees),
      mustHold: worktrees.mustHold.bind(worktrees),
    };
    const runtime = apiRuntime({ desk, worktrees: refusing, sandbox: new NoSandbox() });
    const { worktree, startCommit } = worktrees;
    const stage = new AgentStage(runtime, sampleTask({ mayRun: true }), { worktree, startCommit });
    await stage.drive();
    expect(worktrees.filesNow()).toEqual({ 'readme.md': 'x' });
    return { desk, stage, startCommit };
  }

  it('files of a command that cannot be kept are taken back, and the agent hears why', async () => {
    const { desk, stage, startCommit } = await picky({
      calls: [
        ['run', { command: 'echo > giant' }],
        ['finish', { summary: '' }],
      ],
    });
    expect(results(desk.wishes[1])[0]).toMatchObject({ isError: true });
    expect(results(desk.wishes[1])[0]?.text).toContain('giant is too large');
    expect(stage.outcome).toMatchObject({ kind: 'finished', text: 'done', commit: startCommit });
  });

  it('files that cannot be kept at the end are a failure, not an end', async () => {
    const { stage, startCommit } = await picky({
      calls: [
        ['write_file', { path: 'giant', content: 'x' }],
        ['finish', { summary: '' }],
      ],
    });
    expect(stage.outcome).toMatchObject({ kind: 'failed', code: 'AGENT_FILES_REFUSED', commit: startCommit });
  });
});

it('the span of an agent names it, how it ended, and by which code it failed', async () => {
  const spans: SpanFacts[] = [];
  const trace: Trace = {
    ...silentTrace,
    within: (kind, about, facts, work) =>
      kind === 'agent' ? work((more) => spans.push({ about, ...facts, ...more })) : work(() => undefined),
  };
  const worktrees = openWorktrees({});
  const desk = new ScriptedDesk(() => ({ text: 'No.', stop: 'refused' }));
  const runtime = apiRuntime({ desk, worktrees, sandbox: new NoSandbox(), trace });
  const { worktree, startCommit } = worktrees;
  const task = sampleTask({ promptVersion: 'review@1' });
  await new AgentStage(runtime, task, { worktree, startCommit }).drive();
  const facts = { agent: 'builder', runtime: 'api', prompt: 'review@1' };
  expect(spans).toMatchObject([{ ...facts, outcome: 'failed', errorCode: 'MODEL_REFUSED' }]);
});

it('an agent whose worktree another process works in by now writes nothing more', async () => {
  const worktrees = openWorktrees({ 'readme.md': 'x' });
  const desk = new ScriptedDesk((wish) => {
    worktrees.isTaken = turnOf(wish) > 1;
    return { calls: [['write_file', { path: `${String(turnOf(wish))}.txt`, content: 'mine' }]] };
  });
  const { worktree, startCommit } = worktrees;
  const runtime = apiRuntime({ desk, worktrees, sandbox: new NoSandbox() });
  const stage = new AgentStage(runtime, sampleTask(), { worktree, startCommit });
  await stage.drive();
  expect(worktrees.filesNow()).toEqual({ 'readme.md': 'x', '1.txt': 'mine' });
  expect(stage.errors).toMatchObject([{ code: 'WORKTREE_TAKEN' }]);
});
