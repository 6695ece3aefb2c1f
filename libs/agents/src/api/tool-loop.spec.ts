import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { ChatWish } from '#models';
import { AgentStage, sampleTask } from '#testing';
import type { AgentTask } from '../agent.port.js';
import { apiRuntime } from './api-runtime.js';
import { closesWorktrees, openWorktrees, played, results } from './played.fixture.js';
import { HandClock, NoSandbox, type Said, ScriptedDesk } from './world.fixture.js';

closesWorktrees();

const READ: Said = { calls: [['read_file', { path: 'readme.md' }]] };
const limits = (change: Partial<AgentTask['limits']>) => ({
  limits: { turns: 10, wallMs: 60_000, maxOutputTokens: 1_000, ...change },
});

describe('the tool loop', () => {
  it('takes a summary of nothing for an end only where something has changed', async () => {
    const finish = ['finish', { summary: ' ' }] as const;
    const idle = await played(() => ({ calls: [finish] }));
    expect(idle.stage.outcome).toMatchObject({ kind: 'failed', code: 'AGENT_SILENT' });
    const same = await played(() => ({
      calls: [['write_file', { path: 'readme.md', content: '# A project\n' }], finish],
    }));
    const other = await played(() => ({ calls: [['write_file', { path: 'readme.md', content: 'x' }], finish] }));
    expect(other.stage.outcome).toMatchObject({ kind: 'finished' });
    const said = await played(() => ({ text: 'There is nothing to do.', calls: [finish] }));
    expect(said.stage.outcome).toMatchObject({ kind: 'finished' });
    expect(same.stage.outcome).toMatchObject({ kind: 'failed', code: 'AGENT_SILENT' });
  });

  it('gives the results of all calls back in their order, writing ones one after the other', async () => {
    const { desk, worktrees, stage } = await played((turn) =>
      turn > 1
        ? { text: 'done' }
        : {
            calls: [
              ['write_file', { path: 'a.txt', content: 'one' }],
              ['read_file', { path: 'a.txt' }],
              ['list_files', {}],
              ['edit_file', { path: 'a.txt', old: 'one', new: 'two' }],
              ['read_file', { path: 'a.txt' }],
            ],
          },
    );
    expect(results(desk.wishes[1]).map(({ text }) => text)).toEqual([
      'made "a.txt"', '1\tone', 'a.txt\nreadme.md', 'replaced one place', '1\ttwo',
    ]); // prettier-ignore
    // One at the end: what file tools wrote is in the journal.
    expect(worktrees.snapshots).toBe(1);
    expect(stage.outcome).toMatchObject({ kind: 'finished', turns: 2 });
  });

  it('takes no snapshot where nothing can have changed', async () => {
    const { worktrees, stage } = await played((turn) => {
      if (turn === 1) return READ;
      if (turn === 2) return { calls: [['write_file', { path: '../x', content: '' }]] };
      return { text: 'done' };
    });
    expect(worktrees.snapshots).toBe(0);
    expect(stage.outcome).toMatchObject({ kind: 'finished', commit: worktrees.startCommit });
  });

  it('ends with finish, after the other calls of the same answer', async () => {
    const { stage, worktrees, desk } = await played(() => ({
      text: 'I am through.',
      calls: [
        ['write_file', { path: 'a.txt', content: 'one' }],
        ['finish', { summary: 'wrote a.txt' }],
      ],
    }));
    expect(stage.outcome).toMatchObject({ kind: 'finished', text: 'wrote a.txt', turns: 1 });
    expect(stage.outcome.kind === 'finished' && worktrees.fileAt(stage.outcome.commit, 'a.txt')).toBe('one');
    expect(desk.answers).toBe(1);
  });

  it('does not take finish for an end where another call of the answer failed', async () => {
    const { stage, desk } = await played((turn) =>
      turn === 1
        ? {
            calls: [
              ['read_file', { path: 'none' }],
              ['finish', { summary: 'all good' }],
            ],
          }
        : { calls: [['finish', { summary: 'not all good' }]] },
    );
    expect(stage.outcome).toMatchObject({ kind: 'finished', text: 'not all good' });
    expect(results(desk.wishes[1]).map(({ isError }) => isError)).toEqual([true, true]);
  });

  it('is bounded: a model that calls tools for ever has not finished', async () => {
    const { stage, desk, told } = await played(() => READ, limits({ turns: 3 }));
    expect(stage.outcome).toMatchObject({ kind: 'failed', code: 'AGENT_TURNS_EXHAUSTED' });
    expect(stage.outcome.kind === 'failed' && stage.outcome.message).toContain('max turns reached');
    expect(desk.answers).toBe(3);
    expect(told('agent.finished')).toMatchObject([{ data: { outcome: 'failed', code: 'AGENT_TURNS_EXHAUSTED' } }]);
  });

  const toldOf = (wish: ChatWish | undefined): readonly string[] =>
    wish?.messages.flatMap((one) =>
      one.role === 'user' && one.text.includes('limits are nearly reached') ? [one.text] : [],
    ) ?? [];

  it('tells the agent once, beside tool results, when 80 % of its turns are used', async () => {
    const { desk } = await played(() => READ, limits({ turns: 5 }));
    expect(desk.wishes.map((wish) => toldOf(wish).length)).toEqual([0, 0, 0, 0, 1]);
    expect(desk.wishes[4]?.messages.slice(-2).map(({ role }) => role)).toEqual(['tools', 'user']);
    expect(toldOf(desk.wishes[4])[0]).toContain('1 turn of 5');
    const longer = await played(() => READ, limits({ turns: 10 }));
    expect(toldOf(longer.desk.wishes[9])).toHaveLength(1);
  });

  it('tells the agent when 80 % of its time is used', async () => {
    const [worktrees, clock] = [openWorktrees({ 'readme.md': '# A project\n' }), new HandClock()];
    const desk = new ScriptedDesk(async (_wish, asked) => {
      if (asked > 1) return { text: 'done' };
      await clock.pass(50_000);
      return READ;
    });
    const runtime = apiRuntime({ desk, worktrees, sandbox: new NoSandbox(), clock });
    const stage = new AgentStage(runtime, sampleTask(limits({ wallMs: 60_000 })), worktrees);
    await stage.drive();
    expect(toldOf(desk.wishes[1])[0]).toContain('10 seconds of 60 seconds left');
    expect(stage.outcome).toMatchObject({ kind: 'finished', text: 'done' });
  });

  it('leaves the last command and its result if it runs out of turns', async () => {
    const { stage } = await played(
      (turn) => (turn === 1 ? { text: 'I test it.', calls: [['run', { command: 'echo red; exit 3' }]] } : READ),
      { mayRun: true, ...limits({ turns: 3 }) },
    );
    const lastCommand = { command: 'echo red; exit 3', result: 'exit code 3\nstdout:\nred\n' };
    expect(stage.outcome).toMatchObject({ code: 'AGENT_TURNS_EXHAUSTED', said: 'I test it.', lastCommand });
  });

  it('is bounded: nonsense is answered until the turns are used up', async () => {
    const { stage, desk } = await played(() => ({ calls: [['no_such_tool', 'rubbish']] }), limits({ turns: 4 }));
    expect(stage.outcome).toMatchObject({ kind: 'failed', code: 'AGENT_TURNS_EXHAUSTED' });
    expect(results(desk.wishes[1])[0]?.text).toContain('there are: read_file');
  });

  it('is bounded: of very many calls in one answer only so many are done', async () => {
    const { desk, told } = await many(40);
    const said = results(desk.wishes[1]);
    expect(said).toHaveLength(40);
    expect(said.filter(({ isError }) => isError)).toHaveLength(8);
    const events = told('tool.called').map(({ data }) => [data['tool'], data['ok'], data['about']]);
    expect(events).toHaveLength(40);
    expect(events.filter(([, ok]) => ok === false)).toEqual(
      Array.from({ length: 8 }, () => ['unknown', false, 'list_files (refused)']),
    );
  });

  it('is bounded: of calls without end in one answer the history hears one by one, then in one sum', async () => {
    const { desk, told } = await many(2_000);
    expect(results(desk.wishes[1]).filter(({ isError }) => isError)).toHaveLength(1_968);
    const events = told('tool.called');
    expect(events).toHaveLength(32 + 100 + 1);
    expect(events.at(-1)?.data).toMatchObject({ ok: false, about: '1868 more calls (refused)' });
  });

  const many = (length: number) =>
    played((turn) =>
      turn > 1 ? { text: 'done' } : { calls: Array.from({ length }, () => ['list_files', {}] as const) },
    );

  it('counts time over crashes and waits by what its turns took', async () => {
    const { stage } = await played(
      (turn) => (turn < 5 ? { calls: [['run', { command: 'sleep 0.3' }]] } : { text: 'x' }),
      {
        mayRun: true,
        ...limits({ wallMs: 500 }),
      },
    );
    expect(stage.outcome).toMatchObject({ kind: 'failed', code: 'AGENT_TIMED_OUT' });
  });

  it('asks once for a shorter answer when one was cut, and then gives up', async () => {
    const cut: Said = { text: 'very lo', stop: 'length' };
    const mended = await played((turn) => (turn === 1 ? cut : { text: 'short' }));
    expect(mended.stage.outcome).toMatchObject({ kind: 'finished', text: 'short' });
    expect(mended.desk.wishes[1]?.messages.at(-1)).toMatchObject({ role: 'user' });
    const never = await played(() => cut);
    expect(never.stage.outcome).toMatchObject({ kind: 'failed', code: 'AGENT_ANSWER_CUT' });
    expect(never.desk.answers).toBe(2);
  });

  it('does no call of an answer that was cut', async () => {
    const { desk, worktrees } = await played((turn) =>
      turn > 1 ? { text: 'done' } : { stop: 'length', calls: [['write_file', { path: 'a.txt', content: 'ha' }]] },
    );
    expect(results(desk.wishes[1])).toMatchObject([{ isError: true }]);
    expect(Object.keys(worktrees.filesNow())).toEqual(['readme.md']);
  });

  it('fails with its words when the model refuses', async () => {
    const { stage } = await played(() => ({ text: 'I will not do that.', stop: 'refused' }));
    expect(stage.outcome).toMatchObject({ kind: 'failed', code: 'MODEL_REFUSED' });
    expect(stage.outcome.kind === 'failed' && stage.outcome.message).toContain('I will not do that.');
  });

  it('does not believe an answer that is nested without end', async () => {
    let deep: Said['raw'] = null;
    for (let depth = 0; depth < 10_000; depth += 1) deep = [deep];
    const { stage } = await played(() => ({ text: 'x', raw: deep ?? null }));
    expect(stage.outcome).toMatchObject({ kind: 'failed', code: 'MODEL_ANSWER_MALFORMED' });
  });

  it('stays with the model that answered first, and says what is known of the size', async () => {
    const { desk } = await played((turn) => (turn === 1 ? READ : { text: 'done' }));
    const [first, second] = desk.wishes;
    expect(first?.pinned).toBeUndefined();
    expect(second).toMatchObject({
      pinned: { provider: 'scripted', model: 'one' },
      known: { messages: 2, tokens: 110, cached: 0 },
    });
    expect(second?.about).toMatchObject({ agent: 'builder', purpose: 'build', prompt: null, effect: { run: 1 } });
  });

  it('names the version of its prompt in every call', async () => {
    const { desk } = await played((turn) => (turn === 1 ? READ : { text: 'done' }), { promptVersion: 'review@1' });
    expect(desk.wishes.map(({ about }) => about.prompt)).toEqual(['review@1', 'review@1']);
  });
});

describe('the output of a task', () => {
  const output: NonNullable<AgentTask['output']> = {
    name: 'count',
    type: z.object({ n: z.number(), of: z.string().optional() }),
  };

  it('is asked for by a schema that is the same in the request and in finish, and is closed', async () => {
    const { desk } = await played(() => ({ text: '{"n": 1, "of": null}' }), { output });
    const [wish] = desk.wishes;
    const schema = wish?.output?.schema;
    expect(schema).toMatchObject({ required: ['n', 'of'], additionalProperties: false });
    const finish = wish?.tools.find(({ name }) => name === 'finish');
    expect(finish?.schema).toMatchObject({ properties: { output: schema }, required: ['summary', 'output'] });
  });

  it('is taken from finish, from a last message, and from between fences', async () => {
    const scripts: Said[] = [
      { calls: [['finish', { summary: 'counted', output: { n: 1 } }]] },
      { calls: [['finish', { summary: '{"n": 1}' }]] },
      { text: '{"n": 1}' },
      { text: '```json\n{"n": 1}\n```' },
      { text: 'So:\n```json\n{"n": 1, "of": null}\n```\n<promise>COMPLETE</promise>' },
      { calls: [['finish', { summary: 'counted', output: { n: 1, of: null, more: true } }]] },
    ];
    for (const said of scripts) {
      const { stage } = await played(() => said, { output });
      expect(stage.outcome.kind === 'finished' && stage.outcome.output).toEqual({ n: 1 });
    }
  });

  it('is mended once', async () => {
    const { stage, desk } = await played((turn) => ({ text: turn === 1 ? '{"n": "one"}' : '{"n": 1}' }), { output });
    expect(stage.outcome).toMatchObject({ kind: 'finished', output: { n: 1 } });
    expect(desk.wishes[1]?.messages.at(-1)).toMatchObject({ role: 'user' });
    expect(JSON.stringify(desk.wishes[1]?.messages.at(-1))).toMatch(/expected number.*at n/);
    const finish = await played(
      (turn) => ({ calls: [['finish', { summary: '', output: { n: turn === 1 ? 'x' : 2 } }]] }),
      { output },
    );
    expect(finish.stage.outcome).toMatchObject({ kind: 'finished', output: { n: 2 } });
  });

  it('fails when it is still wrong', async () => {
    const scripts: [Said, string][] = [
      [{ text: 'no json' }, 'no json'],
      [{ calls: [['finish', { summary: 'so', output: [7] }]] }, 'so\n\n[7]'],
    ];
    for (const [said, words] of scripts) {
      const { stage, desk } = await played(() => said, { output });
      const twice = `${words}\n\n${words}`;
      expect(stage.outcome).toMatchObject({ kind: 'failed', code: 'AGENT_OUTPUT_INVALID', said: twice });
      expect(desk.answers).toBe(2);
    }
  });
});
