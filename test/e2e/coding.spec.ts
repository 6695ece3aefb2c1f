import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ArtifactContent, Finding, Project, ProjectCosts, ProjectTask, Team, TeamMessage } from '#contracts';
import { inTurn, RIGHT, did, reviewed, team, THEME_TEST, writes } from './coding-team.js';
import { ErrandWorld, gitIn } from './errand-world.js';

let world: ErrandWorld;
beforeAll(async () => {
  world = await ErrandWorld.open();
});
afterAll(() => world.close());

const start = async (repo: string, more: Readonly<Record<string, unknown>> = {}): Promise<Project> =>
  world.start(repo, { mode: 'coding', verify: ['node --test'], ...more });

const read = async <T>(id: string, what: string): Promise<T> => world.api.must<T>('GET', `/v1/projects/${id}/${what}`);

describe('a coding project', () => {
  it('goes from INIT to TEAM_SHUTDOWN at the first try: reviewed, executed, proven, accepted, told', async () => {
    world.server.use(
      team({
        review: ({ agent }) =>
          agent === 'ux-designer'
            ? reviewed([{ priority: 'P2', title: 'Name both themes in one place', file: 'greeting.mjs' }])
            : reviewed([
                { priority: 'P1', title: 'greeting has no test of an empty name', file: 'greeting.mjs', line: 1 },
              ]),
        execute: (asked) =>
          asked.prompt.includes('Priority P1.')
            ? inTurn(writes({ 'empty.test.mjs': EMPTY_TEST }), did('a test of the empty name'))(asked)
            : inTurn(writes({ 'theme.mjs': RIGHT, 'theme.test.mjs': THEME_TEST }), did('toggle(theme)'))(asked),
      }),
    );
    const repo = await world.repository();
    const { id, name } = await start(repo);
    const ended = await world.api.untilStatus(id, 'completed', 90_000);
    expect(ended).toMatchObject({ state: 'TEAM_SHUTDOWN', simulated: false, findings: { P0: 0, P1: 1, P2: 1 } });

    const states = (await world.api.events(id)).flatMap(({ type, data }) =>
      type === 'state.entered' ? [data['to']] : [],
    );
    expect([...new Set(states)]).toEqual([
      'INIT',
      'DISCOVERING',
      'REVIEWING',
      'SCOPING',
      'EXECUTING',
      'UAT',
      'COMPLETE',
      'TEAM_SHUTDOWN',
    ]);

    const { data: findings } = await read<{ data: Finding[] }>(id, 'findings');
    expect(findings.map(({ priority, outcome }) => `${priority} ${outcome.kind}`)).toEqual(['P1 fixed', 'P2 deferred']);
    expect(findings[0]?.agents.length).toBeGreaterThan(1);
    const { data: tasks } = await read<{ data: ProjectTask[] }>(id, 'tasks');
    expect(tasks.every(({ status }) => status === 'completed')).toBe(true);
    const branch = ended.workspace?.branch ?? '';
    const commits = (await gitIn(repo, 'log', '--format=%H %s', `HEAD..${branch}`)).split('\n');
    expect(commits.map((line) => line.slice(41, 44))).toEqual(['T-0', 'F-0']);
    expect(findings[0]?.outcome.commit).toBe(commits[1]?.slice(0, 40));

    expect(await read<Team>(id, 'team')).toMatchObject({ name: `qralph-${name}`, status: 'deleted' });
    const { data: messages } = await read<{ data: TeamMessage[] }>(id, 'messages');
    expect(new Set(messages.map(({ kind }) => kind))).toEqual(new Set(['summary', 'shutdown_request', 'shutdown_ack']));
    const { data: artifacts } = await read<{ data: { name: string }[] }>(id, 'artifacts');
    expect(artifacts.map((one) => one.name)).toEqual(
      expect.arrayContaining([
        ...['CONTROL.md', 'STATE.md', 'SUMMARY.md', 'SYNTHESIS.md', 'UAT.md', 'decisions.log', 'PLAN.md'],
        ...['ASSUMPTIONS.md', 'CHECKS.md', 'DEFERRED.md'],
        ...['discovered-plugins.json', 'state.json', 'checkpoints/latest.json', 'agent-outputs/sde-iii.md'],
      ]),
    );
    const { content } = await read<ArtifactContent>(id, 'artifacts/SUMMARY.md');
    expect(content).toContain('- proven: yes');
    expect(content).toContain('The check "toggle gives the other theme" failed before and passes now.');
    const { data: calls } = await read<ProjectCosts>(id, 'costs?limit=200');
    expect(new Set(calls.map(({ prompt }) => prompt))).toEqual(
      new Set(['review@5', 'planner@3', 'checks@5', 'inspect@7', 'look@3', 'execute@9', 'scenarios@6']),
    );
    expect(await world.api.verify(id)).toMatchObject({ valid: true });
    await goesOnFrom(repo, id, commits);
  });
});

/** A fork from behind the first task, brought back to its own beginning: with that task's commit and files both times. */
async function goesOnFrom(repo: string, id: string, commits: readonly string[]): Promise<void> {
  const [, first = ''] = commits.map((line) => line.slice(0, 40));
  const seq = await checkpointAfter(id, first);
  const fork = await world.api.must<Project>('POST', `/v1/projects/${id}/checkpoints/${String(seq)}/fork`);
  await world.api.command(fork.id, 'PAUSE');
  await world.api.untilStatus(fork.id, 'paused', 60_000);
  await world.api.must('POST', `/v1/projects/${fork.id}/checkpoints/1/restore`);
  const back = { state: 'EXECUTING', status: 'paused', workspace: { headCommit: first } };
  expect(await world.api.project(fork.id)).toMatchObject(back);
  await world.api.command(fork.id, 'RESUME');
  const { workspace } = await world.api.untilStatus(fork.id, 'completed', 90_000);
  expect(workspace?.branch).toBe(`qralph/${fork.name}`);
  const made = (await gitIn(repo, 'log', '--format=%H %s', `HEAD..qralph/${fork.name}`)).split('\n');
  expect([made.length, made[1]]).toEqual([2, commits[1]]);
  expect(made[0]).not.toBe(commits[0]);
  expect(await world.api.verify(fork.id)).toMatchObject({ valid: true });
  const page = async (name: string): Promise<string> =>
    (await read<ArtifactContent>(fork.id, `artifacts/${name}`)).content;
  expect(JSON.parse(await page('state.json'))).toMatchObject({
    state: 'TEAM_SHUTDOWN',
    project_id: fork.name,
    git_commits: made.map((line) => line.slice(0, 40)).toReversed(),
  });
  expect(await page('SUMMARY.md')).toMatch(/TEAM_SHUTDOWN, completed\n- proven: yes/);
  expect(await page('decisions.log')).toContain('restored checkpoint 1');
  expect(await page('SYNTHESIS.md')).toContain('greeting has no test of an empty name');
  expect(await page('PLAN.md')).toContain(`# Plan of ${fork.name}`);
}

async function checkpointAfter(id: string, commit: string): Promise<number> {
  const { checkpoint } = await world.api.project(id);
  for (let seq = 1; seq <= checkpoint.seq; seq += 1) {
    const { snapshot } = await world.api.checkpoint(id, seq);
    if ((snapshot as { context: { commit?: string } }).context.commit === commit) return seq;
  }
  throw new Error(`no checkpoint has the commit ${commit}`);
}

const EMPTY_TEST =
  "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { greeting } from './greeting.mjs';\n\n" +
  "test('greets an empty name', () => assert.equal(greeting(''), 'Hello, !'));\n";
