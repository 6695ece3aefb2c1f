import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ArtifactContent, Gate, NewApiKey, Project, ProjectDiff, ProjectTask, Team } from '#contracts';
import {
  type Asked,
  askedBy,
  did,
  inTurn,
  json,
  planned,
  RIGHT,
  team,
  THEME_TEST,
  TOGGLES,
  writes,
} from './coding-team.js';
import { ErrandWorld, gitIn } from './errand-world.js';

/** One service; each project is known to the pretended model by its request. */
let world: ErrandWorld;
const prompts: Asked[] = [];
beforeAll(async () => {
  world = await ErrandWorld.open();
  world.server.use(
    team({
      clarify: ({ prompt }) => json({ questions: prompt.includes('plainly') ? [] : QUESTIONS }),
      draft: (asked) => {
        prompts.push(asked);
        const steps = asked.prompt.includes('in two steps') ? TWO_STEPS : [STEP];
        return json({ summary: 'A module', steps, risks: ['none'] });
      },
      execute: (asked) => (asked.prompt.includes('# Your task: T-007') ? writesPage(asked) : writesToggle(asked)),
      plan: () => planned({ title: 'light becomes dark', command: TOGGLES }),
    }),
  );
});
afterAll(() => world.close());

const STEP = { title: 'write it', check: 'node --test', minutes: { low: 2, expected: 5, high: 9 } };
const TWO_STEPS = [
  { ...STEP, title: 'Write the toggle' },
  { ...STEP, title: 'Write the page about themes', check: 'docs/themes.md names both themes' },
];
const writesToggle = inTurn(writes({ 'theme.mjs': RIGHT, 'theme.test.mjs': THEME_TEST }), did('toggle(theme)'));
const writesPage = inTurn(writes({ 'docs/themes.md': 'There are two themes, light and dark.\n' }), did('a page'));
const QUESTIONS = [
  { question: 'Which theme comes first?', why: 'It is the default', fallback: 'light' },
  { question: 'Is it kept over a restart?', why: 'It needs a store', fallback: 'no' },
];

interface Begun {
  readonly id: string;
  readonly repo: string;
}

async function start(request: string, more: Readonly<Record<string, unknown>> = {}): Promise<Begun> {
  const repo = await world.repository();
  const { id } = await world.start(repo, { request, mode: 'classic', verify: ['node --test'], ...more });
  return { id, repo };
}

const read = <T>(id: string, what: string): Promise<T> => world.api.must<T>('GET', `/v1/projects/${id}/${what}`);
const page = async (id: string, name: string): Promise<string> =>
  (await read<ArtifactContent>(id, `artifacts/${name}`)).content;

/** By state, the commits and files that the last of its readable checkpoints names. */
async function madeOf(id: string): Promise<Readonly<Record<string, readonly string[]>>> {
  const { data } = await read<{ data: { name: string }[] }>(id, 'artifacts');
  const made: Record<string, readonly string[]> = {};
  for (const name of data
    .map((one) => one.name)
    .filter((one) => /^checkpoints\/\d+\.json$/.test(one))
    .toSorted()) {
    const state = JSON.parse(await page(id, name)) as {
      state: string;
      git_commits: string[];
      files_modified: string[];
    };
    if (state.state !== 'INIT') made[state.state] = [...state.git_commits, ...state.files_modified];
  }
  return made;
}

async function atGate(id: string, name: string): Promise<Gate> {
  await world.api.until(id, `waits at ${name}`, ({ waitingFor }) => waitingFor?.['gate'] === name, 90_000);
  const { data } = await read<{ data: Gate[] }>(id, 'gates');
  const gate = data.find((one) => one.name === name);
  if (!gate) throw new Error(`there is no gate ${name}`);
  return gate;
}

const decide = (id: string, gate: string, body: object): Promise<unknown> =>
  world.api.must('POST', `/v1/projects/${id}/gates/${gate}`, body);

async function statesOf(id: string): Promise<unknown[]> {
  const told = await world.api.events(id);
  return told.flatMap(({ type, data }) => (type === 'state.entered' ? [data['to']] : []));
}

const commitsOf = async ({ repo }: Begun, { workspace }: Project): Promise<string[]> =>
  (await gitIn(repo, 'log', '--reverse', '--format=%s', `HEAD..${workspace?.branch ?? ''}`)).split('\n');

const filesOf = async ({ repo }: Begun, { workspace }: Project): Promise<string[]> =>
  (await gitIn(repo, 'ls-tree', '-r', '--name-only', workspace?.branch ?? '')).split('\n');

/** The entries of a tree's root, the readable files aside. */
const rootOf = async ({ repo }: Begun, tree: string): Promise<string[]> =>
  (await gitIn(repo, 'ls-tree', tree)).split('\n').filter((entry) => !entry.endsWith('\t.qralph'));

async function robot(): Promise<string> {
  const scopes = ['projects:read', 'projects:write', 'gates:decide'];
  const order = { name: 'robot', principal: 'service', scopes };
  return (await world.api.must<NewApiKey>('POST', '/v1/api-keys', order)).key;
}

describe.concurrent('a project', () => {
  it('of classic mode asks, plans until a person approves, and ends with five reviews and its commits by name', async () => {
    const begun = await start('Add dark mode toggle as asked');
    const { id } = begun;
    const { why } = await atGate(id, 'clarify');
    expect(why).toContain('Q1: Which theme comes first?\n  why it matters: It is the default\n  default: light');
    expect(why).toContain('Q2: Is it kept over a restart?');
    const service = world.api.with(await robot());
    const refusal = { status: 403, code: 'HUMAN_REQUIRED' };
    const answer = { decision: 'answer', answers: { Q1: 'dark\n# not a heading' }, feedback: 'And soon.' };
    const typo = { decision: 'answer', answers: { q1: 'dark' } };
    const invalid = { status: 422, code: 'ANSWERS_INVALID', details: { questions: ['Q1', 'Q2'] } };
    expect(await world.api.refusal('POST', `/v1/projects/${id}/gates/clarify`, typo)).toMatchObject(invalid);
    expect(await service.refusal('POST', `/v1/projects/${id}/gates/clarify`, answer)).toMatchObject(refusal);
    await decide(id, 'clarify', answer);

    expect((await atGate(id, 'plan')).why).toContain('1. write it');
    const plan = await page(id, 'PLAN.md');
    expect(plan.match(/^## .*$/gm)?.map((line) => line.slice(3))).toEqual(
      expect.arrayContaining(['Request', 'Domains', 'Skills', 'Agents', 'Steps', 'Escalation']),
    );
    expect(plan).toContain('   - check: node --test\n   - estimate: 5 minutes, from 2 to 9\n');
    expect(plan).toContain('- a problem is not fixed after 5 attempts\n- the same error occurs 3 times\n');
    const assumptions = await page(id, 'ASSUMPTIONS.md');
    expect(assumptions).toContain('answered by a person: dark \\# not a heading');
    expect(assumptions).toContain('assumed, the safe default: no');
    expect(assumptions).toContain('    And soon.\n');
    const approve = { decision: 'approve', feedback: 'Without a new dependency.' };
    expect(await service.refusal('POST', `/v1/projects/${id}/gates/plan`, approve)).toMatchObject(refusal);
    await decide(id, 'plan', { decision: 'revise', feedback: 'Name the module theme.mjs.' });
    const second = async (): Promise<boolean> =>
      (await statesOf(id)).filter((state) => state === 'USER_REVIEW').length === 2;
    await expect.poll(second, { timeout: 60_000 }).toBe(true);
    expect(await page(id, 'PLAN-FEEDBACK.md')).toContain('Name the module theme.mjs.');
    const [draft, again] = prompts.filter(({ prompt }) => prompt.includes('as asked'));
    expect(draft?.prompt).toContain('Answered: dark');
    expect(draft?.prompt).not.toContain('Name the module');
    expect(again?.prompt).toContain('Name the module theme.mjs.');
    expect(again?.prompt).toContain('Answered: dark');
    await decide(id, 'plan', approve);

    const ended = await world.api.untilStatus(id, 'completed', 120_000);
    expect(await page(id, 'PLAN-FEEDBACK.md')).toContain('## 2\n\n    Without a new dependency.');
    // Whoever works after the approval knows what was approved, and what was answered.
    const heard = world.server.calls.map(askedBy).filter(({ prompt }) => prompt.includes('toggle as asked'));
    for (const role of ['reviewer', 'implementer', 'planner'] as const) {
      const all = heard.filter((one) => one.role === role);
      expect(all.length).toBeGreaterThan(0);
      for (const { prompt } of all) {
        expect(prompt).toContain('The approved plan: A module\\n1. write it (node --test)');
        expect(prompt).toContain('Said with the approval: Without a new dependency.');
      }
    }
    expect([...new Set(await statesOf(id))]).toEqual([
      ...['INIT', 'CLARIFYING', 'PLANNING', 'USER_REVIEW', 'REVIEWING', 'SCOPING', 'EXECUTING', 'UAT'],
      'COMPLETE',
      'TEAM_SHUTDOWN',
    ]);
    const { members } = await read<Team>(id, 'team');
    expect(members.map(({ status }) => status)).toEqual(Array.from({ length: 5 }, () => 'shut-down'));
    const { data: tasks } = await read<{ data: ProjectTask[] }>(id, 'tasks');
    expect(tasks.filter(({ kind }) => kind === 'review')).toHaveLength(5);

    const commits = await commitsOf(begun, ended);
    expect(commits).toEqual([
      `QRALPH: Start ${ended.name}`,
      'QRALPH: Reviews complete',
      expect.stringMatching(/^T-006: /),
      'QRALPH: Complete',
    ]);
    const ids = (await gitIn(begun.repo, 'rev-list', '--reverse', `HEAD..${ended.workspace?.branch ?? ''}`)).split(
      '\n',
    );
    const [first, reviewed, task] = ids;
    const work = [first, reviewed, task, 'theme.mjs', 'theme.test.mjs'];
    // At gates too, where no activity runs.
    expect(await madeOf(id)).toEqual({
      CLARIFYING: [first],
      PLANNING: [first],
      USER_REVIEW: [first],
      REVIEWING: [first],
      SCOPING: [first, reviewed],
      ...{ EXECUTING: work, UAT: work, COMPLETE: work },
      TEAM_SHUTDOWN: [...ids, 'theme.mjs', 'theme.test.mjs'],
    });
    const folder = `.qralph/projects/${ended.name}`;
    const pages = 'ASSUMPTIONS DEFERRED PLAN PLAN-FEEDBACK SUMMARY SYNTHESIS UAT'.split(' ');
    const kept = [...pages.map((name) => `${name}.md`), 'state.json'];
    expect(await filesOf(begun, ended)).toEqual(expect.arrayContaining(kept.map((name) => `${folder}/${name}`)));
    const last = await gitIn(begun.repo, 'show', '--format=', '--name-only', ended.workspace?.branch ?? '');
    expect(last.split('\n').every((path) => path.startsWith(folder))).toBe(true);
    // What was accepted is what the branch ends with: its readable files are no part of it.
    const accepted = /^- tree: ([0-9a-f]{40})$/m.exec(await page(id, 'UAT.md'))?.[1] ?? '';
    expect(await gitIn(begun.repo, 'ls-tree', accepted)).toContain('theme.mjs');
    expect(await rootOf(begun, ended.workspace?.branch ?? '')).toEqual(await rootOf(begun, accepted));
    expect(await gitIn(begun.repo, 'ls-tree', '--name-only', accepted)).not.toContain('.qralph');
    const { files } = await read<ProjectDiff>(id, 'diff');
    expect(files.map(({ path }) => path)).toEqual(expect.arrayContaining(['theme.mjs', 'theme.test.mjs']));
    expect(await page(id, 'SUMMARY.md')).toContain('- proven: yes');
  });

  it('of classic mode takes the safe defaults when nobody answers in time; a rejected plan aborts it', async () => {
    const begun = await start('Add dark mode toggle in silence', { parameters: { clarifyTimeoutMs: 1_000 } });
    const { id } = begun;
    await atGate(id, 'plan');
    const assumptions = await page(id, 'ASSUMPTIONS.md');
    expect(assumptions).toContain('- assumed, the safe default: light');
    expect(assumptions).toContain('- assumed, the safe default: no');
    expect(prompts.find(({ prompt }) => prompt.includes('in silence'))?.prompt).toContain('Assumed: light');
    await decide(id, 'plan', { decision: 'reject' });
    const ended = await world.api.untilStatus(id, 'aborted', 60_000);
    expect(ended.state).toBe('TEAM_SHUTDOWN');
    expect(await commitsOf(begun, ended)).toEqual([`QRALPH: Start ${ended.name}`]);
    expect(await page(id, 'decisions.log')).toContain('decided reject at plan');
  });

  it('of classic mode takes them at once on SKIP, and passes no plan gate that a person switched off', async () => {
    const order = { gates: { plan: false }, commitArtifacts: false };
    const asRobot = world.api.with(await robot());
    const wanted = { request: 'Add a toggle', mode: 'classic', repo: { path: await world.repository() }, ...order };
    expect(await asRobot.refusal('POST', '/v1/projects', wanted)).toMatchObject({ code: 'HUMAN_REQUIRED' });
    const begun = await start('Add dark mode toggle by default', order);
    const { id } = begun;
    await atGate(id, 'clarify');
    await world.api.command(id, 'SKIP');
    const ended = await world.api.untilStatus(id, 'completed', 120_000);
    expect(await statesOf(id)).not.toContain('USER_REVIEW');
    expect(await page(id, 'ASSUMPTIONS.md')).toContain('- assumed, the safe default: light');
    expect((await commitsOf(begun, ended)).at(-1)).toBe('QRALPH: Complete');
    expect((await filesOf(begun, ended)).filter((path) => path.startsWith('.qralph'))).toEqual([]);
  });

  it('of classic mode carries out every step of its plan, with a commit each', async () => {
    const begun = await start('Add dark mode toggle plainly, in two steps', { gates: { plan: false } });
    const ended = await world.api.untilStatus(begun.id, 'completed', 120_000);
    expect(await statesOf(begun.id)).not.toContain('BLOCKED');
    expect(await commitsOf(begun, ended)).toEqual([
      `QRALPH: Start ${ended.name}`,
      'QRALPH: Reviews complete',
      'T-006: Write the toggle',
      'T-007: Write the page about themes',
      'QRALPH: Complete',
    ]);
    expect(await filesOf(begun, ended)).toEqual(expect.arrayContaining(['theme.mjs', 'docs/themes.md']));
    const heard = world.server.calls.map(askedBy).filter(({ prompt }) => prompt.includes('in two steps'));
    const second = heard.find(({ role, prompt }) => role === 'implementer' && prompt.includes('# Your task: T-007'));
    expect(second?.prompt).toMatch(/Your step of the plan for it \(material\):[^]*Write the page about themes/);
    expect(second?.prompt).toContain('docs/themes.md names both themes');
    expect(await page(begun.id, 'SUMMARY.md')).toContain('- proven: yes');
  });

  it('of classic mode goes straight to PLANNING where there is nothing to ask', async () => {
    const { id } = await start('Add dark mode toggle plainly');
    await atGate(id, 'plan');
    expect(await statesOf(id)).toEqual(['INIT', 'PLANNING', 'USER_REVIEW']);
    expect(await page(id, 'ASSUMPTIONS.md')).toContain('None: the request left no question open.');
    await world.api.command(id, 'ABORT');
    await world.api.untilStatus(id, 'aborted', 60_000);
    expect(await page(id, 'SUMMARY.md')).not.toContain('Answer with');
  });

  it('of classic mode refuses a time to wait for answers that is none', async () => {
    for (const clarifyTimeoutMs of [0, 999, 1.5, '1000', 1e12]) {
      const order = { request: 'Add a toggle', mode: 'classic', repo: { path: await world.repository() } };
      const refused = await world.api.refusal('POST', '/v1/projects', { ...order, parameters: { clarifyTimeoutMs } });
      expect(refused).toMatchObject({ status: 422, code: 'PARAMETER_INVALID' });
    }
  });

  it.each([true, false])(
    'of coding mode puts its readable files on its branch where that is asked for: %s',
    async (isAsked) => {
      const begun = await start('Add dark mode toggle', { mode: 'coding', commitArtifacts: isAsked });
      const ended = await world.api.untilStatus(begun.id, 'completed', 120_000);
      const readable = (await filesOf(begun, ended)).filter((path) => path.startsWith('.qralph/'));
      const commits = await commitsOf(begun, ended);
      if (isAsked) {
        expect(readable).toContain(`.qralph/projects/${ended.name}/SUMMARY.md`);
        expect(commits.at(-1)).toBe(`Readable files of ${ended.name}`);
      } else {
        expect(readable).toEqual([]);
        expect(commits).toEqual([expect.stringMatching(/^T-\d+: /)]);
      }
    },
  );
});
