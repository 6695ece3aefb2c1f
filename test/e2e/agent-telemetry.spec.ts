import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Project, ProjectCosts } from '#contracts';
import { byTurn } from '#testing';
import { type ReceivedSpan, startOtlpEndpoint } from '../harness/otlp-endpoint.js';
import { inTurn, did, team, THEME_TEST, writes, wrong } from './coding-team.js';
import { ErrandWorld, GOOD_WORK } from './errand-world.js';

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
    world.server.use(byTurn(GOOD_WORK));
    const { id } = await world.start(await world.repository());
    const project = await world.api.untilStatus(id, 'completed', 60_000);
    const { data, total } = await world.api.must<ProjectCosts>('GET', `/v1/projects/${id}/costs`);
    expect(data.map((call) => call.traceId)).toEqual(data.map(() => project.traceId));
    const metrics = await world.api.text('/metrics');
    const calls = 'qralph_model_calls_total{provider="anthropic",model="claude-sonnet-5-5",status="done"}';
    expect(metrics).toContain(`${calls} ${String(GOOD_WORK.length)}`);
    const cost = /^qralph_model_cost_usd_total\{[^}]*\} (.+)$/m.exec(metrics)?.[1];
    expect(Number(cost)).toBeCloseTo(Number(total.costUsd), 9);
    const tree = await treeOf(project);
    expect(counted(tree, 'chat claude-sonnet-5-5')).toBe(GOOD_WORK.length);
    expect(counted(tree, 'execute_tool write_file')).toBe(2);
    for (const name of [/^chat /, /^execute_tool run$/]) {
      expect(lineOf(tree, name)).toMatch(
        / < effect < invoke_agent implementer < activity < invoke_workflow errand < .*POST \/v1\/projects$/,
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
});
