import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { AgentOutcome, AgentTask } from '#agents';
import { UserError } from '#kernel';
import { fakeParts, Visit } from './coding.fixture.js';
import { isOutage, runAgent } from './run-agent.js';

const worktree = { projectId: 'p', repo: '/r', folder: '/w', branch: 'b', baseCommit: 'base' };
const prompt = { version: 'build@1', system: 'You build.', render: (input: string) => `Build ${input}.` };

const ORDER = { agents: { pin: [], forbid: [] }, tier: 'medium', runtime: 'api', turns: 41, minutes: 23 };

const failed = (code: string, more: object = {}): Partial<AgentOutcome> => ({
  kind: 'failed',
  code,
  message: `words of ${code}`,
  said: 'half is done',
  commit: 'half',
  ...more,
});
const TURNS = failed('AGENT_TURNS_EXHAUSTED');
const LIMITS = 'You have at most 41 turns and 23 minutes. A turn is one answer with all its tool calls.';
const DONE: Partial<AgentOutcome> = { kind: 'finished', text: 'done', commit: 'whole' };

/** Runs an agent whose tries end in the given ways, one after the other. */
async function runWith(
  outcomes: readonly Partial<AgentOutcome>[],
  { wish = {}, visit = new Visit({ order: ORDER }), parts: given = fakeParts }: RunOptions = {},
) {
  const tasks: AgentTask[] = [];
  const { parts, resets } = given({
    changed: ['theme.mjs'],
    agent: (task) => {
      tasks.push(task);
      return outcomes[tasks.length - 1] ?? {};
    },
  });
  const outcome = await runAgent(
    parts,
    visit.activity,
    { worktree, startCommit: 'start' },
    {
      ...{ step: 'builder', role: 'builder', purpose: 'build', attempt: 4, tier: 'small' as const },
      ...{ prompt, input: 'it', access: 'write' as const, output: { name: 'x', type: z.object({}) }, ...wish },
    },
  );
  return { outcome, tasks, resets, visit, tiers: tasks.map(({ tier }) => tier) };
}

interface RunOptions {
  readonly wish?: {
    readonly tier?: AgentTask['tier'];
    readonly access?: AgentTask['access'];
    readonly limits?: Partial<AgentTask['limits']>;
  };
  readonly visit?: Visit;
  readonly parts?: typeof fakeParts;
}

describe('an agent that finishes', () => {
  it('runs once, under the name of its step', async () => {
    const { outcome, tasks, visit } = await runWith([DONE]);
    expect(outcome).toMatchObject({ kind: 'finished', text: 'done' });
    expect(tasks).toMatchObject([{ step: 'builder', attempt: 4, tier: 'small', prompt: `Build it.\n\n${LIMITS}` }]);
    expect(visit.steps).toEqual([]);
  });
});

describe('every agent', () => {
  it('is told its own limits if they differ from those of the project', async () => {
    const { tasks } = await runWith([DONE], { wish: { limits: { turns: 20, wallMs: 120_000 } } });
    expect(tasks[0]?.prompt).toContain('at most 20 turns and 2 minutes.');
  });
});

describe('an agent that runs out of its limits', () => {
  it('continues in a fresh conversation of the same tier, from the files as it left them', async () => {
    const { outcome, tasks, resets, visit } = await runWith([TURNS, DONE]);
    expect(outcome).toMatchObject({ kind: 'finished', commit: 'whole' });
    expect(tasks[1]).toMatchObject({ step: 'builder/try/2', attempt: 5, tier: 'small', purpose: 'build' });
    expect(tasks[1]?.limits).toEqual(tasks[0]?.limits);
    expect(tasks[1]?.prompt).toContain(`Build it.\n\n${LIMITS}\n\n# Continue earlier work\n`);
    expect(tasks[1]?.prompt).toContain('```\ntheme.mjs\n```');
    expect(tasks[1]?.prompt).toContain('```\nhalf is done\n```');
    expect(resets).toEqual(['half']);
    expect(visit.facts.get('agent.continued')).toEqual({ role: 'builder', why: 'turns', tier: 'small', try: 2 });
  });

  it('continues with the next tier after the second time, and fails after the third', async () => {
    const late = failed('AGENT_TIMED_OUT', { commit: 'more' });
    const { outcome, tiers, tasks, resets, visit } = await runWith([TURNS, late, { ...TURNS, said: 'the end' }]);
    expect(tiers).toEqual(['small', 'small', 'medium']);
    expect(tasks.map(({ step }) => step)).toEqual(['builder', 'builder/try/2', 'builder/try/3']);
    expect(resets).toEqual(['half', 'more']);
    expect(outcome).toMatchObject({ kind: 'failed', code: 'AGENT_TURNS_EXHAUSTED', said: 'the end' });
    expect(visit.facts.get('agent.continued')).toEqual({ role: 'builder', why: 'time', tier: 'medium', try: 3 });
    // Only the words of the try before: the third one is not told of the first.
    expect(tasks[2]?.prompt.match(/# Continue earlier work/g)).toHaveLength(1);
  });

  it('has two tries if it is of the largest tier, or if the next tier has no provider', async () => {
    expect((await runWith([TURNS, TURNS, DONE], { wish: { tier: 'large' } })).tiers).toEqual(['large', 'large']);
    const refuse = () => {
      throw new UserError('PROVIDER_UNKNOWN', 'there is no provider');
    };
    const without: typeof fakeParts = (more) => {
      const world = fakeParts(more);
      return { ...world, parts: { ...world.parts, desk: { candidates: refuse } } };
    };
    const { tiers, outcome, visit } = await runWith([TURNS, TURNS, DONE], { parts: without });
    expect(tiers).toEqual(['small', 'small']);
    expect(outcome).toMatchObject({ kind: 'failed', code: 'AGENT_TURNS_EXHAUSTED' });
    expect(visit.told).toEqual(['agent.continued']);
  });

  it('does not touch the files if it only reads', async () => {
    const { tasks, resets } = await runWith([TURNS, DONE], { wish: { access: 'read' } });
    expect(resets).toEqual([]);
    expect(tasks[1]?.prompt).toContain('It changed no files.');
  });

  it('stays simulated if any of its tries was', async () => {
    const { outcome } = await runWith([{ ...TURNS, isSimulated: true }, DONE]);
    expect(outcome).toMatchObject({ kind: 'finished', isSimulated: true });
  });
});

describe('an agent that was tried', () => {
  it('says how often, and which tier was last', async () => {
    expect((await runWith([TURNS, TURNS, TURNS])).outcome).toMatchObject({
      tried: { role: 'builder', times: 3, tier: 'medium' },
    });
    expect((await runWith([TURNS, DONE])).outcome).toMatchObject({ tried: { times: 2, tier: 'small' } });
    expect((await runWith([failed('MODEL_UNREACHABLE')])).outcome).toMatchObject({
      tried: { times: 1, tier: 'small' },
    });
  });
});

describe('an agent whose output is invalid', () => {
  it('is told what was wrong in a fresh conversation', async () => {
    const { outcome, tasks, visit } = await runWith([failed('AGENT_OUTPUT_INVALID'), DONE]);
    expect(outcome.kind).toBe('finished');
    expect(tasks[1]?.prompt).toContain('words of AGENT_OUTPUT_INVALID');
    expect(visit.facts.get('agent.continued')).toMatchObject({ why: 'output' });
  });
});

describe('an agent that crashes', () => {
  it('is followed by a fresh conversation, then by the next tier, before anybody is asked', async () => {
    const { outcome, tiers, visit } = await runWith([failed('AGENT_KILLED'), failed('AGENT_FILES_REFUSED'), DONE]);
    expect([outcome.kind, tiers]).toEqual(['finished', ['small', 'small', 'medium']]);
    expect(visit.facts.get('agent.continued')).toMatchObject({ why: 'files', tier: 'medium' });
  });
});

describe('an agent whose conversation is too long for its model', () => {
  const TOO_LONG = failed('MODEL_CONTEXT_EXCEEDED', { commit: 'start' });

  it('climbs to the large tier if it had changed nothing', async () => {
    const { outcome, tiers } = await runWith([TOO_LONG, TOO_LONG, DONE]);
    expect([outcome.kind, tiers]).toEqual(['finished', ['small', 'medium', 'large']]);
  });

  it('continues with the same tier if a fresh conversation has less to read: the files hold its work', async () => {
    expect((await runWith([{ ...TOO_LONG, commit: 'half' }, DONE])).tiers).toEqual(['small', 'small']);
  });

  it('is no outage: a larger model may hold it', async () => {
    expect(isOutage((await runWith([TOO_LONG, TOO_LONG, TOO_LONG])).outcome)).toBe(false);
    expect(isOutage((await runWith([failed('MODEL_UNREACHABLE')])).outcome)).toBe(true);
  });
});

describe('an agent whose model refuses', () => {
  const REFUSED = failed('MODEL_REFUSED', { said: 'I will not do this.' });

  it('is followed by the next tier, which does not read the words of the refusal', async () => {
    const { outcome, tasks, tiers, visit } = await runWith([REFUSED, DONE]);
    expect(outcome.kind).toBe('finished');
    expect(tiers).toEqual(['small', 'medium']);
    expect(tasks[1]?.prompt).not.toContain('I will not do this.');
    expect(visit.facts.get('agent.continued')).toMatchObject({ why: 'refusal', tier: 'medium' });
  });

  it('fails after all tiers have refused', async () => {
    const { outcome, tiers } = await runWith([REFUSED, REFUSED, REFUSED, DONE]);
    expect(tiers).toEqual(['small', 'medium', 'large']);
    expect(outcome).toMatchObject(REFUSED);
  });
});

describe('no further try', () => {
  it.each<[string, Partial<AgentOutcome>]>([
    ['a spent budget', { kind: 'over-budget', breaker: { kind: 'usd' } }],
    ['a wait', { kind: 'waits', reason: 'rate-limit', ms: 1, words: '' }],
    ['an outage', failed('MODEL_UNREACHABLE')],
  ])('follows %s', async (_name, outcome) => {
    expect((await runWith([outcome, DONE])).tiers).toEqual(['small']);
    const later = await runWith([TURNS, outcome, DONE]);
    expect(later.tiers).toEqual(['small', 'small']);
    expect(later.outcome).toMatchObject(outcome);
  });
});

it('an agent that is run again after a crash comes to the same tries and tells of them once', async () => {
  const visit = new Visit({});
  const first = await runWith([TURNS, TURNS, DONE], { visit });
  const again = await runWith([TURNS, TURNS, DONE], { visit });
  expect(again.tasks).toEqual(first.tasks);
  expect(again.resets).toEqual([]);
  expect(visit.told).toEqual(['agent.continued', 'agent.continued']);
  expect(visit.steps).toEqual(['builder/try/2/begin', 'builder/try/3/begin']);
});
