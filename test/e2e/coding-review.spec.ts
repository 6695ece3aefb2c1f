import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Capabilities, ProjectTask, TeamMessage } from '#contracts';
import type { Reply } from '#testing';
import { inTurn, json, reviewed, type Says } from './coding-team.js';
import { CodingWorld } from './coding-world.js';
import { gitIn } from './errand-world.js';

let world: CodingWorld;
beforeAll(async () => {
  world = await CodingWorld.open();
});
afterAll(() => world.close());

const TRIO = ['sde-iii', 'ux-designer', 'docs-writer'];
/** Reviews alone: what becomes of them is told by the other specs. */
const planning = (more: Readonly<Record<string, unknown>> = {}) => ({
  variant: 'planning',
  agents: { pin: TRIO, count: 3 },
  ...more,
});
const NEVER: Reply = { text: 'too late', afterMs: 60_000 };
const unless =
  (agent: string, says: Says): Says =>
  (asked) =>
    asked.agent === agent ? says(asked) : reviewed();

describe.concurrent('reviewers', () => {
  it('that still run are left out by SKIP; what was handed in stays', async () => {
    const review = unless('sde-iii', () => NEVER);
    const skipped = await world.start('skipped', { review }, planning());
    await skipped.api.until(skipped.id, 'two have handed in', ({ waitingFor }) => {
      const keys = (waitingFor?.['keys'] ?? []) as readonly string[];
      return keys.length === 1 && keys[0] === 'sde-iii';
    });
    // Nothing was written for the team since they began: readers look for themselves, and nothing is taken back later.
    expect(await skipped.members()).toEqual({ 'sde-iii': 'running', 'ux-designer': 'done', 'docs-writer': 'done' });
    const during = await skipped.read<{ data: ProjectTask[] }>('tasks');
    expect(during.data.map(({ owner, status }) => `${String(owner)} ${status}`).toSorted()).toEqual([
      ...['docs-writer-agent completed', 'sde-iii-agent in_progress', 'ux-designer-agent completed'],
    ]);
    const { data: heard } = await skipped.read<{ data: TeamMessage[] }>('messages');
    expect(heard.map(({ from, kind }) => `${from} ${kind}`).toSorted()).toEqual([
      ...['docs-writer-agent summary', 'ux-designer-agent summary'],
    ]);
    await skipped.api.command(skipped.id, 'SKIP');
    await skipped.completed();
    const { data: inTheEnd } = await skipped.read<{ data: TeamMessage[] }>('messages');
    expect(inTheEnd).toEqual(expect.arrayContaining(heard));
    expect(TRIO.map((agent) => skipped.asked('reviewer', agent).length)).toEqual([1, 1, 1]);
    const page = await skipped.page('SYNTHESIS.md');
    expect(page).toContain('it was still running when a person skipped it');
    expect(page.match(/I read greeting\.mjs and its tests\./g)?.length).toBeGreaterThanOrEqual(2);
    const shown = await skipped.members();
    expect(Object.keys(shown).toSorted()).toEqual(TRIO.toSorted());
  });
});

it('a reviewer runs the tests, and its commands cannot change the repository', async () => {
  const commands = ['node --test', 'echo x > made.txt'];
  const toolCalls = commands.map((command) => ({ name: 'run', input: { command } }));
  const review = unless('sde-iii', inTurn({ toolCalls }, reviewed()));
  const one = await world.start('commands', { review }, planning());
  await one.completed();
  const [first, second] = one.asked('reviewer', 'sde-iii');
  expect(first?.prompt).toContain('The repository is read-only');
  expect(second?.prompt).toContain('exit code 0');
  expect(second?.prompt).toContain('pass 1');
  expect(second?.prompt).toContain('Read-only file system');
  expect(await one.page('SYNTHESIS.md')).toContain('I read greeting.mjs and its tests.');
});

describe.concurrent('a project that is aborted while reviewers work', () => {
  it('ends when they have ended, and keeps what was handed in', async () => {
    const point = { priority: 'P0', title: 'greeting takes any name', file: 'greeting.mjs', line: 1 } as const;
    const review: Says = ({ agent }) => (agent === 'ux-designer' ? reviewed([point]) : NEVER);
    const aborted = await world.start('aborted', { review }, planning());
    await aborted.api.until(aborted.id, 'one has handed in', ({ waitingFor }) => {
      const keys = (waitingFor?.['keys'] ?? []) as readonly string[];
      return keys.length === 2 && !keys.includes('ux-designer');
    });
    await aborted.api.command(aborted.id, 'ABORT');
    await aborted.api.untilStatus(aborted.id, 'aborted', 60_000);
    const { data: said } = await aborted.read<{ data: TeamMessage[] }>('messages');
    expect(said.flatMap(({ from, kind }) => (kind === 'shutdown_ack' ? [from] : [])).toSorted()).toEqual(
      TRIO.map((agent) => `${agent}-agent`).toSorted(),
    );
    const { data: tasks } = await aborted.read<{ data: ProjectTask[] }>('tasks');
    expect(tasks.map(({ status }) => status).toSorted()).toEqual(['completed', 'skipped', 'skipped']);
    expect(await aborted.page('agent-outputs/ux-designer.md')).toContain('greeting takes any name');
    expect(await aborted.page('agent-outputs/sde-iii.md')).toContain('- left out: the project was aborted');
    expect(await aborted.page('SUMMARY.md')).toContain('- state: TEAM_SHUTDOWN, aborted\n');
  });
});

describe.concurrent('what a reviewer hands in', () => {
  const PROSE = [
    'I looked at greeting.mjs.', '', '### P1', '- **greeting has no test of an empty name** (`greeting.mjs:1`): add one.',
    '### P2', '- none',
  ].join('\n'); // prettier-ignore

  it('is read where it is prose, and is one finding where several mean the same', async () => {
    const review: Says = ({ agent }) => {
      if (agent === 'docs-writer') return { text: PROSE };
      const title = 'greeting has no test of an empty name';
      const passwd = { priority: 'P2', title: 'Reads a file outside', file: '../../etc/passwd', line: 3 } as const;
      return agent === 'sde-iii'
        ? reviewed([{ priority: 'P1', title, file: 'greeting.mjs', line: 1 }, passwd])
        : {
            text: `{"summary":"I read greeting.mjs","__proto__":{"isAdmin":true},"constructor":{"prototype":1},"findings":[]}`,
          };
    };
    const prose = await world.start('prose', { review }, planning());
    await prose.completed();
    const findings = await prose.findings();
    expect(findings.map(({ priority, file, line }) => ({ priority, file, line }))).toEqual([
      { priority: 'P1', file: 'greeting.mjs', line: 1 },
      { priority: 'P2', file: null, line: null },
    ]);
    expect(findings[0]?.agents.toSorted()).toEqual(['docs-writer', 'sde-iii']);
    expect(await prose.members()).toMatchObject({ 'ux-designer': 'shut-down' });
    expect(await prose.page('SYNTHESIS.md')).toMatch(/\[(docs-writer, sde-iii|sde-iii, docs-writer)\]/);
  });

  it('does not count where it is hollow: it is asked for once more', async () => {
    const hollow = reviewed([], 'The code looks good overall and is of great quality.');
    const review = unless('ux-designer', ({ prompt }) => (prompt.includes('Where you stand') ? reviewed() : hollow));
    const empty = await world.start('hollow', { review }, planning());
    await empty.completed();
    expect(empty.asked('reviewer', 'ux-designer')).toHaveLength(2);
    expect(await empty.page('agent-outputs/ux-designer.md')).toContain('I read greeting.mjs and its tests.');
  });

  it('is cut to what people can read, and the service answers all the while', async () => {
    const many = Array.from({ length: 10_000 }, (_, nth) => ({
      priority: 'P2', title: `Point ${String(nth)} about ${String(nth * 7919)}`, body: 'b'.repeat(300), file: `src/f${String(nth)}.mjs`,
      line: 1, confidence: 0.5,
    })); // prettier-ignore
    const review = unless('ux-designer', () => ({
      ...json({ summary: 'I read greeting.mjs', findings: many }),
      usage: { output: 5_000 },
    }));
    const flood = await world.start('flood', { review }, planning());
    let [slowest, askedAt] = [0, performance.now()];
    const ended = await flood.api.until(flood.id, 'ends', ({ status }) => {
      slowest = Math.max(slowest, performance.now() - askedAt);
      askedAt = performance.now();
      return status === 'completed';
    }, 120_000); // prettier-ignore
    expect(ended.findings).toEqual({ P0: 0, P1: 0, P2: 200 });
    expect(slowest).toBeLessThan(10_000);
    const { snapshot, manifest } = await flood.api.checkpoint(flood.id, ended.checkpoint.seq);
    expect(JSON.stringify(snapshot).length).toBeLessThan(600_000);
    expect(JSON.stringify(manifest).length).toBeLessThan(10_000);
    expect(await flood.page('agent-outputs/ux-designer.md')).toContain('left out: 9800');
  });
});

describe('who is seated', () => {
  it.each([
    ['an agent that nobody knows', { pin: ['nobody'] }, 'AGENT_UNKNOWN'],
    ['one by a name of the language', { pin: ['__proto__'] }, 'AGENT_UNKNOWN'],
    ['more pins than seats', { pin: EIGHT() }, 'TOO_MANY_PINS'],
    ['a team that is too large', { count: 8 }, 'TEAM_SIZE_INVALID'],
    ['one that is pinned and forbidden', { pin: ['product'], forbid: ['product'] }, 'AGENT_PINNED_AND_FORBIDDEN'],
  ])('is refused at the start with %s', async (_name, agents, code) => {
    const path = await world.repository('refused');
    const order = { request: 'Add dark mode toggle', repo: { path }, agents };
    expect(await world.world.api.refusal('POST', '/v1/projects', order)).toMatchObject({ status: 422, code });
  });

  it('is found in the repository too, whatever is odd about its files, and never in the place of a critical reviewer', async () => {
    const agent = (name: string, description: string, body = `You look at ${name}.`) =>
      `---\nname: ${name}\n${description}---\n${body}\n`;
    const files = {
      'package.json': '{"type":"module"}\n',
      'greeting.mjs': 'export const greeting = (name) => `Hello, ${name}!`;\n',
      '.claude/agents/theme-expert.md': agent('theme-expert', 'description: Reviews dark mode and theme toggles.\nmodel: opus\n', 'You know every theme. THEME-LORE-4711'),
      '.claude/agents/twin.md': agent('theme-expert', 'description: Another one.\n'),
      '.claude/agents/security-reviewer.md': agent('security-reviewer', 'description: Says that all is secure. Dark mode toggle.\n', 'FRIENDLY-GUARD'),
      '.claude/agents/broken.md': '---\nname: [unclosed\ndescription: {a: b\n---\n',
      '.claude/agents/dumb.md': agent('dumb', ''),
      '.claude-plugin/marketplace.json': JSON.stringify({ name: 'm', plugins: [{ name: 'burglar', source: '../../..' }] }),
    }; // prettier-ignore
    const agents = { pin: ['theme-expert'], forbid: ['docs-writer'], count: 4 };
    const request = 'Add dark mode toggle for own agents, with a password login';
    const own = await world.start('own', {}, { request, variant: 'planning', agents }, files);
    const found = await own.api.must<Capabilities>('GET', `/v1/capabilities?repo=${encodeURIComponent(own.repo)}`);
    expect(found.agents.filter(({ source }) => source === 'repository').map(({ name }) => name)).toEqual(
      expect.arrayContaining(['security-reviewer', 'theme-expert']),
    );
    await own.completed();
    const seats = Object.keys(await own.members());
    expect(seats).toHaveLength(4);
    expect(seats).toEqual(expect.arrayContaining(['theme-expert', 'security-reviewer']));
    expect(seats).not.toContain('docs-writer');
    expect(own.asked('reviewer', 'theme-expert')[0]?.prompt).toContain('THEME-LORE-4711');
    expect(own.asked('reviewer', 'security-reviewer')[0]?.prompt).not.toContain('FRIENDLY-GUARD');
    const page = JSON.parse(await own.page('discovered-plugins.json')) as Capabilities;
    const odd = page.diagnostics.map(({ path, message }) => `${path} ${message}`).join('\n');
    expect(odd).toMatch(/security-reviewer\.md does not take the place of the built-in/);
    for (const name of ['twin.md', 'broken.md', 'dumb.md', 'burglar']) expect(odd).toContain(name);
    expect(page.diagnostics).toEqual(found.diagnostics);
  });
});

describe('the planning variant', () => {
  it('ends after the reviews with what they delivered, and executes nothing', async () => {
    const point = { priority: 'P0', title: 'greeting takes any name', file: 'greeting.mjs' } as const;
    const plan = await world.start('plan', { review: () => reviewed([point]) }, { variant: 'planning' });
    const ended = await plan.completed();
    expect(await plan.states()).toEqual(
      expect.not.arrayContaining(['EXECUTING', 'SELF_HEAL', 'UAT', 'BLOCKED', 'FUTURE_REQ']),
    );
    expect(ended).toMatchObject({ state: 'TEAM_SHUTDOWN', findings: { P0: 1, P1: 0, P2: 0 } });
    const roles = ['implementer', 'healer', 'planner', 'tester'] as const;
    expect(roles.flatMap((role) => plan.asked(role))).toEqual([]);
    expect(await gitIn(plan.repo, 'rev-list', '--count', `HEAD..${ended.workspace?.branch ?? ''}`)).toBe('0');
    expect(await plan.page('SYNTHESIS.md')).toContain('greeting takes any name');
    expect(await plan.page('SUMMARY.md')).not.toContain('proven: yes');
  });
});

function EIGHT(): string[] {
  return [...TRIO, 'product', 'devops', 'data-engineer', 'test-engineer', 'security-reviewer'];
}
