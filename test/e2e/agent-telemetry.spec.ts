import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Project, ProjectCosts } from '#contracts';
import type { Reply } from '#testing';
import { type ReceivedSpan, startOtlpEndpoint } from '../harness/otlp-endpoint.js';
import { did, inTurn, planned, reviewed, runs, team, THEME_TEST, TOGGLES, writes, wrong } from './coding-team.js';
import { ErrandWorld, gitIn, GOOD_WORK } from './errand-world.js';

let endpoint: Awaited<ReturnType<typeof startOtlpEndpoint>>;
let world: ErrandWorld;
beforeAll(async () => {
  endpoint = await startOtlpEndpoint();
  world = await ErrandWorld.open({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint.url, OTEL_BSP_SCHEDULE_DELAY: '20' });
});
afterAll(async () => {
  await world.close();
  await endpoint.stop();
});

/** The spans of a project that has ended, once they hang together: the last ones go out a moment after its end. */
async function treeOf({ traceId }: Project): Promise<readonly ReceivedSpan[]> {
  const ofProject = (): ReceivedSpan[] => endpoint.spans.filter((span) => span.traceId === traceId);
  const loose = (): string[] => {
    const known = new Set(ofProject().map(({ spanId }) => spanId));
    return ofProject().flatMap(({ name, parentId }) => (known.has(parentId) ? [] : [name]));
  };
  await expect.poll(loose, { timeout: 10_000 }).toEqual(['request POST /v1/projects']);
  return ofProject();
}

/** A span with those above it, up to the request. */
function lineOf(tree: readonly ReceivedSpan[], name: RegExp): string {
  const byId = new Map(tree.map((span) => [span.spanId, span]));
  const up = (span: ReceivedSpan | undefined): string[] => (span ? [span.name, ...up(byId.get(span.parentId))] : []);
  return up(tree.find((span) => name.test(span.name))).join(' < ');
}

const counted = (tree: readonly ReceivedSpan[], name: string): number =>
  tree.filter((span) => span.name === name).length;

describe('the trace', () => {
  it('of an errand has the agent, its calls of the model and of its tools, one inside the other; figures and ledger agree', async () => {
    world.server.use(team({ execute: inTurn(...GOOD_WORK) }));
    const { id } = await world.start(await world.repository());
    const project = await world.api.untilStatus(id, 'completed', 60_000);
    const { data, total } = await world.api.must<ProjectCosts>('GET', `/v1/projects/${id}/costs`);
    expect(data.map((call) => call.traceId)).toEqual(data.map(() => project.traceId));
    const prompts = ['plancheck@5', 'checks@5', 'inspect@7', 'errand@6'];
    expect(new Set(data.map(({ prompt }) => prompt))).toEqual(new Set(prompts));
    const metrics = await world.api.text('/metrics');
    const calls = 'qralph_model_calls_total{provider="anthropic",model="claude-sonnet-5-5",status="done"}';
    expect(metrics).toContain(`${calls} ${String(data.length)}`);
    const cost = /^qralph_model_cost_usd_total\{[^}]*\} (.+)$/m.exec(metrics)?.[1];
    expect(Number(cost)).toBeCloseTo(Number(total.costUsd), 9);
    const tree = await treeOf(project);
    expect(counted(tree, 'chat claude-sonnet-5-5')).toBe(data.length);
    expect(counted(tree, 'execute_tool write_file')).toBe(3);
    for (const name of [/^chat /, /^execute_tool run$/]) {
      expect(lineOf(tree, name)).toMatch(
        / < effect < invoke_agent (work-planner|implementer) < activity < invoke_workflow errand < .*POST \/v1\/projects$/,
      );
    }
  });

  it('of a coding project is one tree with its reviewers, healer and verify commands; what its team reports is counted', async () => {
    const breaks = inTurn(writes({ 'theme.mjs': wrong(), 'theme.test.mjs': THEME_TEST }), did('toggle(theme)'));
    world.server.use(team({ execute: breaks }));
    const order = { mode: 'coding', verify: ['node --test'] };
    const { id } = await world.start(await world.repository(), order);
    const project = await world.api.untilStatus(id, 'completed', 60_000);
    const tree = await treeOf(project);
    expect(lineOf(tree, /^command verify$/)).toMatch(
      /^command verify < effect < activity < invoke_workflow qralph-coding/,
    );
    expect(lineOf(tree, /^invoke_agent sde-iii$/)).toMatch(
      / < activity < invoke_workflow review < .*POST \/v1\/projects$/,
    );
    expect(lineOf(tree, /^chat claude-haiku-5-5$/)).toMatch(/ < invoke_agent healer < activity < invoke_workflow /);
    const metrics = await world.api.text('/metrics');
    for (const figure of [
      'qralph_heal_attempts_total{machine="qralph-coding",tier="small",outcome="fixed"} 1',
      'qralph_scenarios_total{machine="qralph-coding",verdict="passed"} 1',
      'qralph_findings_total{machine="qralph-coding",priority="P0"} 0',
    ]) {
      expect(metrics).toContain(figure);
    }
  });

  it('of a project whose repository holds keys has none of them, nor has anything else that it tells, sends or leaves', async () => {
    const keys = { token: 'ghp_R4nd0mT0kenR4nd0mT0kenR4nd0mT0ken12', password: 'hG7xk2Qp9zLm4Rt8' };
    const settings = `GITHUB_TOKEN=${keys.token}\nDATABASE_URL=postgres://app:${keys.password}@db.internal/x\n`;
    const says =
      "import { readFileSync } from 'node:fs';\nconst settings = readFileSync('.env', 'utf8');\nconsole.log(settings);\n";
    const loud = `${THEME_TEST.replace("'dark')", "'dark', settings)")}${says}`;
    const shows: Reply = { toolCalls: [{ name: 'read_file', input: { path: '.env' } }, { name: 'search', input: { pattern: 'TOKEN' } }] }; // prettier-ignore
    world.server.use(
      team({
        review: inTurn(shows, reviewed([{ priority: 'P2', title: `A key: ${keys.token}`, body: settings }])),
        execute: inTurn(runs('cat .env'), writes({ 'theme.mjs': wrong(), 'theme.test.mjs': loud }), did(settings)),
        plan: () => planned({ title: 'shows', command: `cat .env; ${TOGGLES}` }),
      }),
    );
    const calls = world.server.calls.length;
    const repo = await world.repository();
    await writeFile(join(repo, '.env'), settings);
    await gitIn(repo, 'add', '-A');
    await gitIn(repo, '-c', 'user.name=x', '-c', 'user.email=x@y', 'commit', '-q', '-m', 'Settings');
    const { id } = await world.start(repo, { mode: 'coding', verify: ['node --test'] });
    const project = await world.api.untilStatus(id, 'completed', 60_000);
    await treeOf(project);
    const reads = ['events?limit=1000', 'team', 'tasks', 'messages', 'findings', 'problems', 'diff', 'costs'];
    const { data: links } = await world.api.must<{ data: { seq: number }[] }>('GET', `/v1/projects/${id}/checkpoints`);
    const told = await Promise.all(
      [...reads, ...links.map(({ seq }) => `checkpoints/${String(seq)}`)].map((path) =>
        world.api.text(`/v1/projects/${id}/${path}`),
      ),
    );
    const pages = await readdir(join(repo, '.qralph'), { recursive: true, withFileTypes: true });
    const left = await Promise.all(
      // One that is being written has another name until it is whole.
      pages.flatMap((page) =>
        page.isFile() && !page.name.endsWith('.part') ? [readFile(join(page.parentPath, page.name), 'utf8')] : [],
      ),
    );
    const places = {
      prompts: JSON.stringify(world.server.calls.slice(calls).map(({ body }) => body)),
      told: told.join('\n'),
      left: left.join('\n'),
      kept: (await world.api.text('/v1/memory')) + (await world.api.text('/v1/patterns')),
      log: world.service.log.join('\n'),
      spans: Buffer.concat(endpoint.requests).toString('latin1'),
      commits: await gitIn(repo, 'log', '--all', '--format=%B'),
    };
    expect(places.told).toContain('[secret]');
    for (const [place, text] of Object.entries(places))
      for (const key of Object.values(keys)) expect(text.includes(key), `${key} in ${place}`).toBe(false);
  });
});
