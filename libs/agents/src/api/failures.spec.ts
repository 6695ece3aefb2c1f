import { describe, expect, it } from 'vitest';
import { LeaseLost } from '#engine';
import { UserError } from '#kernel';
import { ModelError } from '#models';
import { AgentStage, sampleTask } from '#testing';
import { apiRuntime } from './api-runtime.js';
import { closesWorktrees, openWorktrees, played, results } from './played.fixture.js';
import { NoSandbox, type Said, ScriptedDesk, turnOf } from './world.fixture.js';

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

  it('a lost lease is nobody’s outcome', async () => {
    const { stage } = await failing(new LeaseLost('gone'));
    expect(stage.outcomes).toEqual([]);
    expect(stage.errors[0]).toBeInstanceOf(LeaseLost);
  });

  async function picky(said: Said) {
    const worktrees = openWorktrees({ 'readme.md': 'x' });
    const desk = new ScriptedDesk((wish) => (turnOf(wish) > 1 ? { text: 'done' } : said));
    const refusing = {
      snapshot: () => Promise.reject(new UserError('WORKTREE_TOO_LARGE', 'giant is too large')),
      reset: worktrees.reset.bind(worktrees),
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
