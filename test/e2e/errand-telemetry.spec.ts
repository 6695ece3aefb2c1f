import { describe, expect, it } from 'vitest';
import type { ProjectCosts } from '#contracts';
import { byTurn } from '#testing';
import { startOtlpEndpoint } from '../harness/otlp-endpoint.js';
import { ErrandWorld, GOOD_WORK } from './errand-world.js';

describe('the trace of an errand', () => {
  it('has the agent, its calls of the model and of its tools, one inside the other; figures and ledger agree', async () => {
    const endpoint = await startOtlpEndpoint();
    const otel = { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint.url, OTEL_BSP_SCHEDULE_DELAY: '20' };
    const world = await ErrandWorld.open(otel);
    try {
      world.server.use(byTurn(GOOD_WORK));
      const { id, traceId } = await world.start(await world.repository());
      await world.api.untilStatus(id, 'completed', 60_000);
      const { data, total } = await world.api.must<ProjectCosts>('GET', `/v1/projects/${id}/costs`);
      expect(data.map((call) => call.traceId)).toEqual(data.map(() => traceId));
      expect(new Set(data.map(({ prompt }) => prompt))).toEqual(new Set(['errand@1']));
      const metrics = await world.api.text('/metrics');
      const calls = 'qralph_model_calls_total{provider="anthropic",model="claude-sonnet-5-5",status="done"}';
      expect(metrics).toContain(`${calls} ${String(GOOD_WORK.length)}`);
      const cost = /^qralph_model_cost_usd_total\{[^}]*\} (.+)$/m.exec(metrics)?.[1];
      expect(Number(cost)).toBeCloseTo(Number(total.costUsd), 9);
      await world.service.kill('SIGTERM');
      const tree = endpoint.spans.filter((span) => span.traceId === traceId);
      const byId = new Map(tree.map((span) => [span.spanId, span]));
      const above = (spanId: string): string[] => {
        const span = byId.get(spanId);
        return span ? [span.name, ...above(span.parentId)] : [];
      };
      const named = (name: string) => tree.filter((span) => span.name === name);
      expect(named('chat claude-sonnet-5-5')).toHaveLength(GOOD_WORK.length);
      expect(named('execute_tool write_file')).toHaveLength(2);
      for (const name of ['chat claude-sonnet-5-5', 'execute_tool run']) {
        expect(above(named(name)[0]?.parentId ?? '').join(' < ')).toMatch(
          /effect < invoke_agent implementer < activity < .*project < .*POST \/v1\/projects$/,
        );
      }
    } finally {
      await world.close();
      await endpoint.stop();
    }
  });
});
