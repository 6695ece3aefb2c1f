import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LeaseLost } from '#engine';
import type { Json } from '#kernel';
import { BudgetExceeded } from '#models';
import { AgentStage, sampleTask } from '#testing';
import { apiRuntime } from './api-runtime.js';
import { FolderWorktrees, NoSandbox, type Said, ScriptedDesk, turnOf } from './world.fixture.js';

type Call = readonly [name: string, input: Json];

/** Calls that leave another world when they are done twice, or half. */
const call: fc.Arbitrary<Call> = fc.constantFrom<Call>(
  ['read_file', { path: 'log.txt' }],
  ['list_files', {}],
  ['search', { pattern: 'x' }],
  ['write_file', { path: 'new/file.txt', content: 'fresh' }],
  ['edit_file', { path: 'log.txt', old: '\n', new: '\nmore ', all: true }],
  ['run', { command: 'echo x >> log.txt' }],
  ['run', { command: 'rm -f new/file.txt; date +%s%N > ignored; exit 3' }],
  ['read_file', { path: '../outside' }],
);
const turns = fc.array(fc.array(call, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 4 });

async function world(script: readonly (readonly Call[])[], kind: 'bubblewrap' | 'limited' = 'bubblewrap') {
  const worktrees = new FolderWorktrees({ 'log.txt': 'begin\n' });
  const sent = new Map<string, number>();
  const desk = new ScriptedDesk((wish): Said => {
    const { key } = wish.about.effect;
    sent.set(key, (sent.get(key) ?? 0) + 1);
    const calls = script[turnOf(wish) - 1];
    return calls ? { calls } : { text: 'done' };
  });
  const sandbox = new NoSandbox(kind);
  const runtime = apiRuntime({ desk, worktrees, sandbox });
  const { worktree, startCommit } = worktrees;
  const stage = new AgentStage(runtime, sampleTask({ mayRun: true }), { worktree, startCommit });
  return { worktrees, desk, stage, sent, sandbox };
}

const withoutTime = (files: Record<string, string>): Record<string, string> => ({
  ...files,
  ...('ignored' in files && { ignored: '' }),
});

describe('an agent whose worker dies', () => {
  it('leaves the same files and the same end as one whose worker lives, and no finished chat is sent again', async () => {
    await fc.assert(
      fc.asyncProperty(
        turns,
        fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 3 }),
        async (script, deaths) => {
          const undisturbed = await world(script);
          const killed = await world(script);
          try {
            await undisturbed.stage.drive();
            for (const death of deaths) await killed.stage.drive(death);
            await killed.stage.drive();
            expect(withoutTime(killed.worktrees.filesNow())).toEqual(withoutTime(undisturbed.worktrees.filesNow()));
            const { stage } = killed;
            expect(stage.outcome).toMatchObject({ kind: 'finished', text: 'done', turns: script.length + 1 });
            for (const [key, times] of killed.sent) {
              const starts = stage.starts.get(key.split('/').slice(2).join('/'));
              expect(times, `${key} was sent as often as it was begun`).toBe(starts);
            }
            // Each death can cost the one chat that was under way.
            expect(killed.desk.answers).toBeLessThanOrEqual(undisturbed.desk.answers + deaths.length);
          } finally {
            await undisturbed.worktrees.close();
            await killed.worktrees.close();
          }
        },
      ),
      { numRuns: 25 },
    );
  }, 60_000);

  it('leaves what its finished turns wrote also where the budget is used up afterwards, and the files were lost', async () => {
    for (let death = 1; death <= 8; death += 1) {
      const worktrees = new FolderWorktrees({ 'log.txt': 'begin\n' });
      const desk = new ScriptedDesk((wish): Said => {
        if (turnOf(wish) > 1)
          throw new BudgetExceeded({ name: 'usd', cap: '1', used: '1', reserved: '0', wanted: '1' });
        return { calls: [['write_file', { path: 'made.txt', content: 'made' }]] };
      });
      const runtime = apiRuntime({ desk, worktrees, sandbox: new NoSandbox() });
      const { worktree, startCommit } = worktrees;
      const stage = new AgentStage(runtime, sampleTask(), { worktree, startCommit });
      await stage.drive(death);
      if (stage.outcomes.length === 0) {
        await worktrees.reset(worktree, startCommit);
        worktrees.put('half-done.txt', '');
        await stage.drive();
      }
      const { outcome } = stage;
      const left = { ...worktrees.filesNow() };
      const made = outcome.kind === 'over-budget' ? worktrees.fileAt(outcome.commit, 'made.txt') : null;
      await worktrees.close();
      expect(outcome, `died at write ${String(death)}`).toMatchObject({ kind: 'over-budget', isSimulated: true });
      expect([left['made.txt'], made]).toEqual(['made', 'made']);
    }
  });

  it('reads back every finished chat, wherever the worker dies', async () => {
    const script: Call[][] = [
      [['run', { command: 'echo x >> log.txt' }]],
      [['read_file', { path: 'log.txt' }]],
      [
        ['write_file', { path: 'b', content: 'b' }],
        ['run', { command: 'echo y >> log.txt' }],
      ],
    ];
    const whole = await world(script);
    await whole.stage.drive();
    const { writes } = whole.stage.store;
    for (let death = 1; death <= writes; death += 1) {
      const { stage, desk, worktrees } = await world(script);
      await stage.drive(death);
      const finished = [...stage.starts].filter(([step]) => step.endsWith('/chat') && isDone(stage, step)).length;
      const before = desk.answers;
      await stage.drive();
      expect(desk.answers - before, `died at write ${String(death)}`).toBe(4 - finished);
      expect(worktrees.filesNow()).toEqual({ 'log.txt': 'begin\nx\ny\n', b: 'b' });
      await worktrees.close();
    }
    await whole.worktrees.close();
  }, 30_000);

  it('has said the same when it fails, wherever the worker dies', async () => {
    const opens = () => {
      const worktrees = new FolderWorktrees({ 'log.txt': 'begin\n' });
      const desk = new ScriptedDesk((wish): Said => ({
        text: `Turn ${String(turnOf(wish))}.`,
        calls: [['read_file', { path: 'log.txt' }]],
      }));
      const runtime = apiRuntime({ desk, worktrees, sandbox: new NoSandbox() });
      const { worktree, startCommit } = worktrees;
      const task = sampleTask({ limits: { turns: 3, wallMs: 60_000, maxOutputTokens: 1_000 } });
      return { worktrees, stage: new AgentStage(runtime, task, { worktree, startCommit }) };
    };
    const whole = opens();
    await whole.stage.drive();
    await whole.worktrees.close();
    const said = 'Turn 1.\n\nTurn 2.\n\nTurn 3.';
    expect(whole.stage.outcome).toMatchObject({ kind: 'failed', code: 'AGENT_TURNS_EXHAUSTED', said });
    for (let death = 1; death <= whole.stage.store.writes; death += 1) {
      const { stage, worktrees } = opens();
      await stage.drive(death);
      await stage.drive();
      await worktrees.close();
      expect(stage.outcome, `died at write ${String(death)}`).toMatchObject({ kind: 'failed', said });
    }
  });

  it('leaves no trace of a turn that it did by half', async () => {
    const { stage, worktrees, sandbox } = await world([
      [['write_file', { path: 'early', content: 'early' }]],
      [
        ['write_file', { path: 'a', content: 'a' }],
        ['run', { command: 'echo x >> log.txt; echo y > left-behind' }],
        ['edit_file', { path: 'log.txt', old: 'x', new: 'xx' }],
      ],
    ]);
    const run = sandbox.run.bind(sandbox);
    let deaths = 0;
    sandbox.run = async (command) => {
      const result = await run({
        ...command,
        args: ['-c', deaths === 0 ? `${command.args[1] ?? ''}` : 'echo x >> log.txt'],
      });
      deaths += 1;
      if (deaths === 1) throw new LeaseLost('died in the middle');
      return result;
    };
    await stage.drive();
    expect(Object.keys(worktrees.filesNow()).sort()).toEqual(['a', 'early', 'left-behind', 'log.txt']);
    await stage.drive();
    expect(stage.outcome).toMatchObject({ kind: 'finished' });
    expect(worktrees.filesNow()).toEqual({ early: 'early', a: 'a', 'log.txt': 'begin\nxx\n' });
    await worktrees.close();
  });

  it('brings a worktree that was made anew to where the last turn left it', async () => {
    const { stage, worktrees } = await world([[['write_file', { path: 'a', content: 'a' }]]]);
    // Dies when the last chat is to be kept: everything else is read back.
    await stage.drive(6);
    await worktrees.reset(worktrees.worktree, worktrees.startCommit);
    await stage.drive();
    expect(stage.outcome).toMatchObject({ kind: 'finished' });
    expect(worktrees.filesNow()).toEqual({ 'log.txt': 'begin\n', a: 'a' });
    await worktrees.close();
  });

  it('asks a person before it repeats commands that ran outside of a full sandbox, not before it repeats files', async () => {
    const commands = await world([[['run', { command: 'echo x >> log.txt' }]]], 'limited');
    await commands.stage.drive(4);
    await commands.stage.drive();
    expect(commands.stage.outcomes).toEqual([]);
    expect(commands.stage.store.projects.get(commands.stage.id)?.status).toBe('waiting');
    await commands.worktrees.close();
    const files = await world([[['write_file', { path: 'a', content: 'a' }]]], 'limited');
    await files.stage.drive(4);
    await files.stage.drive();
    expect(files.stage.outcome).toMatchObject({ kind: 'finished' });
    await files.worktrees.close();
  });
});

function isDone(stage: AgentStage, step: string): boolean {
  const effects = [...(stage.store.projects.get(stage.id)?.effects.values() ?? [])];
  return effects.some(({ key, status }) => key.endsWith(step) && status === 'done');
}
