import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FindingList, HealProblemList, MessageList, Project, TaskList, Team, type TeamMessage } from '#contracts';
import { type Json, type JsonObject, newId } from '#kernel';
import { sampleSeed } from '#testing';
import { useDatabase } from '../projects/database.fixture.js';
import { insertProject } from '../projects/new-project.js';
import { inTransaction } from '../projects/pool.js';
import { type ApiStores, openApiStores } from './index.js';
import type { EndedChild } from './prisma-ended-children.js';

const database = useDatabase('teams');
let stores: ApiStores;
/** What readers were told of children that have ended, each time that they were asked for. */
const told: (readonly EndedChild[])[] = [];
beforeAll(() => {
  stores = openApiStores(database.pool, undefined, ({ team, tasks, messages }, ended) => {
    told.push(ended);
    const members = team?.members.map((one) => ({ ...one, status: 'done' as const })) ?? [];
    return { team: team && { ...team, members }, tasks, messages: ended.length === 0 ? messages : [said(ended)] };
  });
});
const said = (ended: readonly EndedChild[]): TeamMessage => ({ ...message, text: JSON.stringify(ended) });
afterAll(() => stores.close());

interface Child {
  readonly parent: { readonly id: string; readonly visit: number; readonly key: string };
  readonly incarnation: number;
  readonly status: 'running' | 'completed' | 'aborted' | 'failed';
}

/** A project whose first checkpoint has this context; returns its id. */
async function projectWith(
  context: JsonObject,
  at: { readonly visit?: number; readonly incarnation?: number; readonly child?: Child } = {},
): Promise<string> {
  const { child, ...place } = at;
  const { facts, snapshot, ...rest } = sampleSeed({}, child ? { parent: child.parent } : {});
  const seed = {
    ...rest,
    facts: { ...facts, repo: { path: '/repo', ref: 'main' } },
    snapshot: { ...snapshot, context, ...place },
    status: child?.status ?? rest.status,
  };
  const parentIncarnation = child?.incarnation ?? null;
  const more = { number: null, mode: 'sample', options: {}, labels: {}, parentIncarnation, events: [] };
  await inTransaction(database.pool, (client) => insertProject(client, { ...seed, ...more }, null));
  return facts.id;
}

const KEY = `sk-ant-api03-${'A1b2'.repeat(20)}`;
const page = { limit: 50 };

const member = {
  agent: 'security-reviewer', teammate: 'security-1', tier: 'medium', source: 'built-in', isCritical: true,
  skills: [], score: 12.5, reasons: ['"login" in the request'], status: 'done',
}; // prettier-ignore
const team = { name: 'qralph-001-login', domains: ['auth'], members: [member], status: 'working' };
const task = (nth: number) => ({
  id: `T-${String(nth)}`, kind: 'finding', title: 'Mend it', detail: '…', owner: null, status: 'pending',
  finding: 'F-001', commit: null, note: null,
}); // prettier-ignore
const message: TeamMessage = {
  seq: 1,
  from: 'lead',
  to: 'security-1',
  kind: 'task',
  text: `review; the key is ${KEY}`,
};
const finding = (priority: string, id: string) => ({
  id, priority, title: 'Open redirect', body: 'long '.repeat(100), file: 'src/a.ts', line: 3, confidence: 0.9,
  agents: ['security-reviewer'], outcome: { kind: 'open', commit: null, reason: null },
}); // prettier-ignore
const attempt = (number: number) => ({
  number, tier: 'small', model: 'claude-haiku-5-5', usedPattern: false, outcome: 'failed', tried: 'this', why: 'red',
  costUsd: '0.01', diff: '', output: '', rolledBack: false,
}); // prettier-ignore
const problem = (id: string, attempts: Json[]) => ({
  id, signature: 'a'.repeat(64), title: 'TypeError', error: 'x is undefined', command: 'npm test', task: 'T-1',
  status: 'open', reason: null, attempts,
}); // prettier-ignore
const oddities: Json[] = [
  null,
  7,
  'text',
  [],
  {},
  { id: 'T-9' },
  { ...task(9), status: 'mood' },
  JSON.parse('{"__proto__":{}}') as Json,
];

describe('readers of a team', () => {
  it('see what the newest checkpoint holds, short values and long ones', async () => {
    const tasks = [1, 2, 3].map(task);
    const id = await projectWith({ team, tasks, messages: [message], findings: [finding('P1', 'F-001')] });
    expect(Team.parse(await stores.teams.team(id))).toEqual(team);
    expect(TaskList.parse(await stores.teams.tasks(id, page))).toEqual({ data: tasks, nextCursor: null });
    const messages = MessageList.parse(await stores.teams.messages(id, page));
    expect(messages.data).toMatchObject([
      { seq: 1, from: 'lead', text: expect.not.stringContaining('A1b2') as string },
    ]);
    const findings = FindingList.parse(await stores.teams.findings(id, page));
    // An older release stored it without a relation.
    expect(findings.data).toEqual([{ ...finding('P1', 'F-001'), relation: 'aside' }]);
  });

  it('see the documents that it was to write, and nothing that is none', async () => {
    const commit = 'c'.repeat(40);
    const document = { path: 'docs/a.md', commit, task: 'T-001' };
    const known = { ...document, path: `docs/${KEY}.md` };
    const id = await projectWith({ deliverables: [document, ...oddities, { path: 7, commit, task: 'T-1' }, known] });
    const [first, second, ...rest] = await stores.teams.deliverables(id);
    expect([first, second?.path.includes('A1b2'), rest]).toEqual([document, false, []]);
    expect(await stores.teams.deliverables(await projectWith({}))).toEqual([]);
  });

  it('go through a list page by page, of one priority where they like', async () => {
    const all = Array.from({ length: 7 }, (_, nth) => finding(nth % 2 === 0 ? 'P0' : 'P2', `F-00${String(nth)}`));
    const id = await projectWith({ findings: all });
    const seen: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const query = { limit: 3, priority: 'P0' as const, ...(cursor !== undefined && { cursor }) };
      const next = await stores.teams.findings(id, query);
      seen.push(...next.data.map((one) => one.id));
      cursor = next.nextCursor;
    }
    expect(seen).toEqual(['F-000', 'F-002', 'F-004', 'F-006']);
    const refused = stores.teams.tasks(id, { limit: 1, cursor: 'bm9wZQ' });
    await expect(refused).rejects.toMatchObject({ code: 'CURSOR_INVALID' });
  });

  it('see each attempt with its diff and output, which have keys of their own', async () => {
    const id = await projectWith({
      problems: [problem('P-001', [attempt(1), attempt(2), attempt(3)]), problem('__proto__', [attempt(1), 'odd'])],
      'attempt-P-001-1': { diff: '+1', output: `${'no '.repeat(100)} ${KEY}` },
      'attempt-P-001-2': { diff: 2, output: 'odd' },
    });
    const { data } = HealProblemList.parse(await stores.teams.problems(id, page));
    expect(data.map((one) => [one.id, one.signature.length, one.attempts.length])).toEqual([
      ['P-001', 64, 3],
      ['__proto__', 64, 1],
    ]);
    const [first, second, third] = data[0]?.attempts ?? [];
    expect(first).toMatchObject({ diff: '+1', output: expect.stringMatching(/^no no/) as string });
    expect(first?.output).not.toContain('A1b2');
    expect([second, third]).toMatchObject([
      { number: 2, diff: '', output: '' },
      { number: 3, diff: '' },
    ]);
  });

  it('are spared what does not fit', async () => {
    const id = await projectWith({
      team: { ...team, members: [member, ...oddities] },
      tasks: [...oddities, task(1)],
      messages: { length: 3 },
      findings: [finding('P7', 'F-1'), { ...finding('P0', 'F-2'), extra: 1 }, finding('P0', 'F-3')],
      problems: oddities,
    });
    expect((await stores.teams.team(id)).members).toEqual([member]);
    expect((await stores.teams.tasks(id, page)).data).toEqual([task(1)]);
    expect((await stores.teams.messages(id, page)).data).toEqual([]);
    expect((await stores.teams.findings(id, page)).data.map((one) => one.id)).toEqual(['F-3']);
    expect((await stores.teams.problems(id, page)).data).toEqual([]);
  });

  it('see nothing of what is damaged, missing, or of no project', async () => {
    const id = await projectWith({ team, tasks: [task(1)], why: 'short', findings: [finding('P0', 'F-1')] });
    await database.pool.query(`UPDATE blob SET content = '\\x7b' WHERE content LIKE '%Open redirect%'::bytea`);
    expect((await stores.teams.findings(id, page)).data).toEqual([]);
    for (const manifest of ['[]', '7', '{"team": 7}', '{"team": "=nonsense", "tasks": "no-such-hash"}']) {
      await database.pool.query('UPDATE checkpoint SET manifest = $2 WHERE project_id = $1', [id, manifest]);
      await expect(stores.teams.team(id)).rejects.toMatchObject({ code: 'TEAM_NONE' });
      expect(await stores.teams.tasks(id, page)).toEqual({ data: [], nextCursor: null });
      expect(await stores.reads.get(id)).toMatchObject({ id, team: null });
    }
    expect(await stores.teams.messages(newId(), page)).toEqual({ data: [], nextCursor: null });
  });
});

describe('readers of a team at work', () => {
  const atWork = { team: { ...team, members: [{ ...member, status: 'running' }] }, tasks: [task(1)] };
  const byKey = (ended: readonly EndedChild[] | undefined): EndedChild[] =>
    [...(ended ?? [])].sort((one, other) => one.key.localeCompare(other.key));

  it('see at once who has ended of those that it waits for, and nobody of another time', async () => {
    const id = await projectWith(atWork, { visit: 4, incarnation: 2 });
    const bear = (key: string, visit: number, status: Child['status'], incarnation = 2, result: Json = { key }) =>
      projectWith(result === null ? {} : { result }, { child: { parent: { id, visit, key }, incarnation, status } });
    await bear('done', 4, 'completed', 2, { long: `${'so '.repeat(100)} ${KEY}` });
    await bear('lost', 4, 'aborted', 2, null);
    await bear('stopped', 3, 'aborted');
    await bear('running', 4, 'running');
    await bear('older', 2, 'completed');
    await bear('undone', 4, 'completed', 1);
    told.length = 0;
    expect((await stores.teams.team(id)).members[0]?.status).toBe('done');
    expect(byKey(told[0])).toEqual([
      { key: 'done', result: { long: expect.stringContaining('so so') as string }, isLeft: false },
      { key: 'lost', result: null, isLeft: false },
      { key: 'stopped', result: { key: 'stopped' }, isLeft: true },
    ]);
    expect((await stores.teams.tasks(id, page)).data).toEqual([task(1)]);
    const [heard] = (await stores.teams.messages(id, page)).data;
    expect(heard?.text).toContain('so so');
    expect(heard?.text).not.toContain('A1b2');
    await database.pool.query(`UPDATE checkpoint SET body = '' WHERE project_id = $1`, [id]);
    await stores.teams.team(id);
    expect([told.length, told.at(-1)]).toEqual([4, []]);
  });

  it('ask for nobody where nobody is at work', async () => {
    const id = await projectWith({ team, tasks: [task(1)] }, { visit: 4, incarnation: 2 });
    const child = { parent: { id, visit: 4, key: 'done' }, incarnation: 2, status: 'completed' } as const;
    await projectWith({ result: { key: 'done' } }, { child });
    told.length = 0;
    await Promise.all([stores.teams.team(id), stores.teams.tasks(id, page), stores.teams.messages(id, page)]);
    expect(told).toEqual([[], [], []]);
  });
});

describe('the view of a project', () => {
  it('has its team, findings and healing in short', async () => {
    const agents = ['security-reviewer', 'architecture-reviewer', 'a'.repeat(200)];
    const healing = { attempt: 3, model: 'claude-sonnet-5', problem: 'P-001' };
    const findingCounts = { P0: 1, P1: 2, P2: 3 };
    const id = await projectWith({ teamName: 'qralph-001-login', agents, findingCounts, healing });
    const shown = Project.parse(await stores.reads.get(id));
    expect(shown).toMatchObject({ team: { name: 'qralph-001-login', agents }, findings: findingCounts, healing });
    const listed = (await stores.reads.list({ limit: 200 })).data.find((one) => one.id === id);
    expect(listed).toEqual(shown);
  });

  it('has nothing where the context says nothing, or nonsense', async () => {
    const none = { team: null, findings: { P0: 0, P1: 0, P2: 0 }, healing: { attempt: 0, model: null, problem: null } };
    for (const context of [{}, { teamName: 7, agents: [], findingCounts: { P0: 'x' }, healing: [] }]) {
      expect(await stores.reads.get(await projectWith(context))).toMatchObject(none);
    }
    const odd = await projectWith({ teamName: `t ${KEY}`, agents: ['one', 2, null] });
    const shown = await stores.reads.get(odd);
    expect(shown.team?.agents).toEqual(['one']);
    expect(shown.team?.name).not.toContain('A1b2');
  });
});
