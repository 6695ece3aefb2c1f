import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Field, openField } from '../harness/field.js';
import { type ReceivedSpan, startOtlpEndpoint } from '../harness/otlp-endpoint.js';

const DRILL = { parameters: { rounds: 1, width: 2, workMs: 0, coolMs: 20 }, gates: { approval: false } };

describe('the spans of a project', () => {
  let field: Field;
  let endpoint: Awaited<ReturnType<typeof startOtlpEndpoint>>;
  beforeAll(async () => {
    field = await openField();
    endpoint = await startOtlpEndpoint();
  });
  afterAll(async () => {
    await field.close();
    await endpoint.stop();
  });

  it('are one tree at a real OTLP endpoint, from the request to the end, across a kill -9', async () => {
    const otel = { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint.url, OTEL_BSP_SCHEDULE_DELAY: '20' };
    const orchestrator = await field.orchestrator({ ...otel, QRALPH_WORKER: 'off' });
    const { api } = orchestrator;
    const killAt = { machine: 'drill', state: 'CHECKING', moment: 'effect-ran' } as const;
    const victim = await field.process({ role: 'worker', killAt }, otel);
    const { id, traceId } = await api.startDrill({ ...DRILL, parameters: { ...DRILL.parameters, workMs: 300 } });
    expect(await victim.ended).toBe('SIGKILL');
    const heir = await field.process({ role: 'worker' }, otel);
    await api.untilStatus(id, 'completed');
    await heir.kill('SIGTERM');
    await orchestrator.kill('SIGTERM');
    const tree = endpoint.spans.filter((span) => span.traceId === traceId);
    const byId = new Map(tree.map((span) => [span.spanId, span]));
    const root = tree.find((span) => span.parentId === '');
    expect(root?.name).toMatch(/POST \/v1\/projects$/);
    expect(tree.filter((span) => span !== root && !byId.has(span.parentId))).toEqual([]);
    const by = (pid: number): ReceivedSpan[] => tree.filter(({ process }) => process.endsWith(`-${String(pid)}`));
    for (const pid of [victim.pid, heir.pid]) {
      const names = new Set(by(pid).map(({ name }) => name));
      for (const kind of ['queue', 'invoke_workflow', 'activity', 'effect', 'transition'])
        expect(
          [...names].some((name) => name.includes(kind)),
          `${kind} in ${[...names].join()}`,
        ).toBe(true);
    }
    const ancestors = (span: ReceivedSpan): string[] => {
      const parent = byId.get(span.parentId);
      return parent ? [parent.name, ...ancestors(parent)] : [];
    };
    const effect = by(heir.pid).find(({ name }) => name.includes('effect'));
    const line = effect ? ancestors(effect).join(' < ') : '';
    expect(line).toMatch(/activity < invoke_workflow drill(-task)? < .*POST \/v1\/projects$/);
  });

  it('go nowhere when tracing is switched off, or when no endpoint is named', async () => {
    const before = endpoint.spans.length;
    const off = { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint.url, OTEL_BSP_SCHEDULE_DELAY: '20', OTEL_SDK_DISABLED: 'true' };
    for (const env of [off, {}]) {
      const orchestrator = await field.orchestrator(env);
      const { api } = orchestrator;
      const { id, traceId } = await api.startDrill(DRILL);
      expect(traceId).toMatch(/^[0-9a-f]{32}$/);
      await api.untilStatus(id, 'completed');
      await orchestrator.kill('SIGTERM');
    }
    expect(endpoint.spans.length).toBe(before);
  });
});
