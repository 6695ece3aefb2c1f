import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ProjectTask } from '#contracts';
import type { Reply } from '#testing';
import { type Asked, reviewed, type Says } from './coding-team.js';
import { CodingWorld } from './coding-world.js';

let world: CodingWorld;
beforeAll(async () => {
  world = await CodingWorld.open();
});
afterAll(() => world.close());

const TRIO = ['sde-iii', 'ux-designer', 'docs-writer'];
const planning = (more: Readonly<Record<string, unknown>> = {}) => ({
  variant: 'planning',
  agents: { pin: TRIO, count: 3 },
  ...more,
});
const HASTE = { parameters: { reviewSeconds: 2 } };

const HALF = 'I have read greeting.mjs as far as its first line';
const NEVER: Reply = { text: 'too late', afterMs: 60_000 };
/** Says something, looks at a file, and then does not end in time. */
const dawdles = ({ call }: Asked): Reply =>
  call.turn === 0 ? { text: HALF, toolCalls: [{ name: 'read_file', input: { path: 'greeting.mjs' } }] } : NEVER;

const unless =
  (agent: string, says: Says): Says =>
  (asked) =>
    asked.agent === agent ? says(asked) : reviewed();

describe.concurrent('reviewers that do not hand in', () => {
  it('work at the same time; one that is late twice is left out, and its second try reads what the first one said', async () => {
    const met = new Set<string>();
    let meet: () => void = () => undefined;
    const together = new Promise<void>((resolve) => (meet = resolve));
    const review: Says = async (asked) => {
      if (asked.agent === 'ux-designer') return dawdles(asked);
      // Each answers only when the other one has asked too: one after the other they would never end.
      met.add(asked.agent);
      if (met.size === 2) meet();
      await together;
      return reviewed();
    };
    const late = await world.start('late', { review }, planning(HASTE));
    await late.completed();
    expect([...met].toSorted()).toEqual(['docs-writer', 'sde-iii']);
    const [first, , second, ...more] = late.asked('reviewer', 'ux-designer');
    expect(first?.prompt).not.toContain(HALF);
    expect(second?.call.turn).toBe(0);
    expect(second?.prompt).toContain('What you had said by then');
    expect(second?.prompt).toContain(HALF);
    expect(more).toHaveLength(1);
    expect(await late.read('team')).toMatchObject({ status: 'deleted' });
    const { data } = await late.read<{ data: ProjectTask[] }>('tasks');
    expect(data.map(({ owner, status }) => `${String(owner)} ${status}`)).toEqual(
      expect.arrayContaining(['sde-iii-agent completed', 'docs-writer-agent completed', 'ux-designer-agent skipped']),
    );
    expect(await late.page('SYNTHESIS.md')).toContain('AGENT_TIMED_OUT');
  });

  it('give the seat of a critical one that is late twice to the next tier, which hands in', async () => {
    let calls = 0;
    const review = unless('sde-iii', (asked) => (++calls > 4 ? reviewed() : dawdles(asked)));
    const raised = await world.start('raised', { review }, planning(HASTE));
    await raised.completed();
    const asked = raised.asked('reviewer', 'sde-iii');
    expect(asked.map(({ call }) => call.turn)).toEqual([0, 1, 0, 1, 0]);
    const [first, , second, , third] = asked.map(({ call }) => call.body['model']);
    expect(second).toBe(first);
    expect(third).not.toBe(first);
    expect(asked[4]?.prompt).toContain(HALF);
    expect(await raised.states()).not.toContain('BLOCKED');
    expect(await raised.page('agent-outputs/sde-iii.md')).toContain('I read greeting.mjs and its tests.');
  });

  it('use the partial output of a critical one that is late every time, show it as such, and ask nobody', async () => {
    const half = `${HALF}\n\n### P2\n- **greeting has no test of an empty name** (\`greeting.mjs:1\`)`;
    const review = unless('sde-iii', (asked) => ({ ...dawdles(asked), ...(asked.call.turn === 0 && { text: half }) }));
    const late = await world.start('partial', { review }, planning(HASTE));
    await late.completed();
    expect(await late.states()).not.toContain('BLOCKED');
    expect(TRIO.map((agent) => late.asked('reviewer', agent).length)).toEqual([6, 1, 1]);
    expect((await late.findings()).map(({ title, agents }) => [title, agents])).toEqual([
      ['greeting has no test of an empty name', ['sde-iii']],
    ]);
    expect(await late.page('SYNTHESIS.md')).toMatch(/### sde-iii\n\nPartial output only \(AGENT_TIMED_OUT/);
    expect(await late.page('agent-outputs/sde-iii.md')).toContain('- partial output: AGENT_TIMED_OUT');
    const { data } = await late.read<{ data: ProjectTask[] }>('tasks');
    expect(data.find(({ owner }) => owner === 'sde-iii-agent')).toMatchObject({ status: 'completed' });
  });

  it('ask a person if none has any output with a larger model; only the critical one is seated again', async () => {
    let isFixed = false;
    const review: Says = () => (isFixed ? reviewed() : { text: '' });
    const lost = await world.start('lost', { review }, planning());
    const { cause, why, event } = await lost.blocked();
    expect({ cause, event }).toEqual({ cause: 'reviewer', event: 'critical-reviewer:lost' });
    expect(why).toMatch(
      /Missing: sde-iii\.[^]*sde-iii: its review is silent[^]*`defer` continues without the reviews that are missing/,
    );
    expect(await lost.members()).toEqual({ 'sde-iii': 'lost', 'ux-designer': 'lost', 'docs-writer': 'lost' });
    isFixed = true;
    await lost.api.command(lost.id, 'RETRY');
    await lost.completed();
    expect(TRIO.map((agent) => lost.asked('reviewer', agent).length)).toEqual([7, 6, 6]);
    expect(await lost.findings()).toEqual([]);
    expect(await lost.page('agent-outputs/sde-iii.md')).toContain('I read greeting.mjs and its tests.');
  });

  it('are left out if a person defers the lost ones', async () => {
    const silent = await world.start('silent', { review: () => ({ text: '' }) }, planning());
    const { cause, why } = await silent.blocked();
    expect(cause).toBe('reviewer');
    expect(why).toContain('sde-iii: its review is silent');
    await silent.decide('defer');
    await silent.completed();
    expect(await silent.states()).toContain('FUTURE_REQ');
    expect(await silent.findings()).toEqual([]);
    expect(await silent.page('SYNTHESIS.md')).toContain('a person went on without it');
    expect(await silent.page('DEFERRED.md')).toMatch(/DEFER-001[^]*sde-iii/);
  });

  it('go on without a critical one that says nothing, and keep what the others found', async () => {
    const point = { priority: 'P2', title: 'Name both themes in one place', file: 'greeting.mjs' } as const;
    const review: Says = (asked) => (asked.agent === 'sde-iii' ? { text: '' } : reviewed([point]));
    const one = await world.start('speechless', { review }, planning());
    await one.completed();
    expect(await one.states()).not.toContain('BLOCKED');
    const [finding, ...others] = await one.findings();
    expect(others).toEqual([]);
    expect(finding?.agents.toSorted()).toEqual(['docs-writer', 'ux-designer']);
    expect(await one.page('SYNTHESIS.md')).toContain('It handed in nothing that counts (its review is silent).');
  });
});
