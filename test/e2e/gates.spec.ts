import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Gate, NewApiKey, Problem, ProjectTask } from '#contracts';
import { eventually } from '#testing';
import type { Api } from '../harness/api.js';
import { did, inTurn, RIGHT, type Says, THEME_TEST, writes } from './coding-team.js';
import { type CodingCase, CodingWorld } from './coding-world.js';
import { gitIn } from './errand-world.js';

/** One service; gates that projects were started with. */
let world: CodingWorld;
beforeAll(async () => {
  world = await CodingWorld.open();
});
afterAll(() => world.close());

const QUICK = { agents: { pin: ['sde-iii', 'ux-designer', 'docs-writer'], count: 3 } };
const README = { 'README.md': '# Themes\n' };
/** The feedback is about another file than the request. */
const execute: Says = (asked) =>
  asked.prompt.includes('wants changed')
    ? inTurn(writes(README), did('wrote a README'))(asked)
    : inTurn(writes({ 'theme.mjs': RIGHT, 'theme.test.mjs': THEME_TEST }), did('toggle(theme)'))(asked);

async function keyOf(
  principal: 'human' | 'service',
  name: string,
): Promise<{ readonly id: string; readonly api: Api }> {
  const { api } = world.world;
  const scopes = ['projects:read', 'projects:write', 'gates:decide'];
  const { id, key } = await api.must<NewApiKey>('POST', '/v1/api-keys', { name, principal, scopes });
  return { id, api: api.with(key) };
}

/** Waits for the nth time that the gate is asked. */
async function atGate(one: CodingCase, state: string, nth = 1): Promise<Gate> {
  await eventually(
    `${one.id} comes to ${state}`,
    async () =>
      (await one.states()).filter((entered) => entered === state).length === nth &&
      (await one.api.project(one.id)).status === 'waiting',
    { deadlineMs: 120_000, everyMs: 100 },
  );
  const { data } = await one.read<{ data: Gate[] }>('gates');
  const [gate] = data;
  if (!gate) throw new Error('it waits for nobody');
  return gate;
}

const path = (one: CodingCase, gate: string): string => `/v1/projects/${one.id}/gates/${gate}`;
const decide = (one: CodingCase, gate: string, body: object): Promise<unknown> =>
  one.api.must('POST', path(one, gate), body);

describe.concurrent('a project with gates of its own', () => {
  it('is let in by one of two people, revised before it is complete, and completed', async () => {
    const gates = { execute: true, complete: true };
    const one = await world.start('both', { execute }, { ...QUICK, gates });
    const asked = await atGate(one, 'BEFORE_EXECUTING');
    expect(asked).toMatchObject({ name: 'execute', options: ['approve', 'reject'], default: null });
    expect(Object.keys(asked.consequences)).toEqual(asked.options);
    expect(asked.why).toContain('T-004 Add toggle(theme)');
    const inbox = await one.api.must<{ data: Gate[] }>('GET', '/v1/gates?limit=200');
    expect(inbox.data).toContainEqual(asked);
    const times = inbox.data.map(({ openedAt }) => openedAt);
    expect(times).toEqual(times.toSorted());

    const robot = await keyOf('service', 'robot');
    const before = await one.api.project(one.id);
    const refused = await robot.api.refusal('POST', path(one, 'execute'), { decision: 'approve' });
    expect(refused).toMatchObject({ status: 403, code: 'HUMAN_REQUIRED' });
    expect(await one.told('gate.refused')).toMatchObject([{ by: 'service', key: robot.id, decision: 'approve' }]);
    const flood = { decision: 'approve', feedback: 'x'.repeat(100_000) };
    const tooLong = await one.api.refusal('POST', path(one, 'execute'), flood);
    expect(tooLong).toMatchObject({ status: 422, code: 'TEXT_TOO_LONG', issues: [{ path: 'feedback' }] });
    const stale = { decision: 'approve', checkpoint: asked.checkpoint.seq - 1 };
    expect(await one.api.refusal('POST', path(one, 'execute'), stale)).toMatchObject({
      status: 409,
      code: 'GATE_CHANGED',
      details: { to: asked.checkpoint.seq, state: 'BEFORE_EXECUTING', gate: 'execute' },
    });
    expect((await one.api.project(one.id)).checkpoint).toEqual(before.checkpoint);

    const people = await Promise.all([keyOf('human', 'ada'), keyOf('human', 'bob')]);
    const word = { decision: 'approve', feedback: 'Use ESM only.', checkpoint: asked.checkpoint.seq };
    const answers = await Promise.all(
      people.flatMap(({ id, api }) =>
        [1, 2, 3].map(async () => ({ id, ...(await api.call<Problem>('POST', path(one, 'execute'), word)) })),
      ),
    );
    const [winner] = answers.filter(({ status }) => status === 202);
    const losers = answers.filter(({ status }) => status === 409);
    expect([answers.length - losers.length, losers.length]).toEqual([1, 5]);
    for (const { body } of losers) {
      expect(['GATE_DECIDED', 'GATE_CHANGED', 'GATE_NOT_OPEN']).toContain(body.code);
      // By name of the key, whether the project had heard of it by then or not.
      expect(JSON.stringify(body.details)).toContain(winner?.id);
    }
    expect(await one.told('gate.decided')).toHaveLength(1);

    await atGate(one, 'BEFORE_COMPLETE');
    expect(one.asked('implementer').every(({ prompt }) => prompt.includes('Use ESM only.'))).toBe(true);
    expect(await one.told('project.completed')).toEqual([]);
    const wordless = await one.api.refusal('POST', path(one, 'complete'), { decision: 'revise', feedback: ' ' });
    expect(wordless).toMatchObject({ status: 422, code: 'FEEDBACK_REQUIRED' });
    await decide(one, 'complete', { decision: 'revise', feedback: 'Say in a README what it is for.' });
    const again = await atGate(one, 'BEFORE_COMPLETE', 2);
    expect(again.why).toContain('As a person wanted it: Say in a README what it is for.: passed');
    const { data: tasks } = await one.read<{ data: ProjectTask[] }>('tasks');
    expect(tasks.at(-1)).toMatchObject({ kind: 'feedback', status: 'completed', detail: 'Say in a README what it is for.' }); // prettier-ignore
    await decide(one, 'complete', { decision: 'approve', checkpoint: again.checkpoint.seq });
    const { name } = await one.completed();
    expect((await one.states()).filter((state) => state === 'BEFORE_EXECUTING')).toHaveLength(1);
    expect(await gitIn(one.repo, 'show', `qralph/${name}:README.md`)).toBe('# Themes');
    expect(await one.page('SUMMARY.md')).toContain('- proven: yes');
    expect(await one.page('decisions.log')).toContain('decided revise at complete: Say in a README');
  });

  it('of classic mode ends as aborted when a person rejects what was accepted', async () => {
    const gates = { plan: false, execute: true, complete: true };
    const one = await world.start('classic', { execute }, { mode: 'classic', gates });
    await atGate(one, 'BEFORE_EXECUTING');
    await decide(one, 'execute', { decision: 'approve' });
    await atGate(one, 'BEFORE_COMPLETE');
    await decide(one, 'complete', { decision: 'reject', feedback: 'We chose another way.' });
    const { state } = await one.api.untilStatus(one.id, 'aborted', 60_000);
    expect(state).toBe('TEAM_SHUTDOWN');
    expect(await one.told('project.completed')).toEqual([]);
    const summary = await one.page('SUMMARY.md');
    expect(summary).toContain('- state: TEAM_SHUTDOWN, aborted');
    expect(summary).toContain('A person rejected it at the gate complete.\n\n    We chose another way.');
  });

  it('of the planning variant is asked before COMPLETE alone, and keeps a decision until it is resumed', async () => {
    const order = { request: 'Add a toggle', variant: 'planning', repo: { path: await world.repository('refused') } };
    const refusal = await world.world.api.refusal('POST', '/v1/projects', { ...order, gates: { execute: true } });
    expect(refusal).toMatchObject({ status: 422, code: 'OPTION_NOT_AVAILABLE', details: { known: ['complete'] } });
    const robot = await keyOf('service', 'starter');
    expect(await robot.api.refusal('POST', '/v1/projects', { ...order, gates: { approval: true } })).toMatchObject({
      code: 'OPTION_NOT_AVAILABLE',
      details: { unknown: ['approval'], known: ['execute', 'complete'] },
    });
    const one = await world.start('plan', {}, { ...QUICK, variant: 'planning', gates: { complete: true } });
    expect((await atGate(one, 'BEFORE_DELIVERY')).options).toEqual(['approve', 'reject']);
    await one.api.command(one.id, 'PAUSE');
    await one.api.untilStatus(one.id, 'paused');
    const ada = await keyOf('human', 'ada');
    await ada.api.must('POST', path(one, 'complete'), { decision: 'approve' });
    expect(await one.api.refusal('POST', path(one, 'complete'), { decision: 'reject' })).toMatchObject({
      status: 409,
      code: 'GATE_DECIDED',
      details: { decided: { decision: 'approve', by: 'human', key: ada.id } },
    });
    await one.api.command(one.id, 'RESUME');
    await one.completed();
    expect((await one.states()).slice(-3)).toEqual(['BEFORE_DELIVERY', 'COMPLETE', 'TEAM_SHUTDOWN']);
    expect(await one.page('SUMMARY.md')).not.toContain('Why it stopped');
  });
});
