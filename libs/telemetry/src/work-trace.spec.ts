import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import { describe, expect, it } from 'vitest';
import { BLOT, secrets, UserError } from '#kernel';
import { KeepingExporter } from './keeping-exporter.fixture.js';
import { createMetrics } from './metrics.js';
import { startTracing } from './tracing.js';
import { telemetryTrace } from './work-trace.js';

const settings = {
  isExporting: false,
  serviceName: 'test',
  sampler: 'always_on',
  samplerRatio: 1,
  exportEveryMs: 10,
} as const;

async function spansOf(work: () => Promise<unknown>): Promise<ReadableSpan[]> {
  const exporter = new KeepingExporter();
  const tracing = await startTracing(settings, 'i', exporter);
  await work();
  await tracing.stop(1_000);
  return exporter.kept;
}

describe('the trace of agents and models', () => {
  it('names spans and facts by the conventions, one inside the other, in one trace', async () => {
    const work = telemetryTrace();
    let traceId: string | null = null;
    const spans = await spansOf(() =>
      work.within('agent', 'implementer', { agent: 'implementer' }, () =>
        work.within(
          'chat',
          'some-model',
          { provider: 'anthropic', model: 'some-model', prompt: 'review@1' },
          async (note) => {
            traceId = work.traceId();
            note({ input: 12, output: 3, cacheRead: 0, costUsd: '0.01', answeredBy: null });
          },
        ),
      ),
    );
    const [chat, agent] = spans;
    expect(agent?.name).toBe('invoke_agent implementer');
    expect(chat?.name).toBe('chat some-model');
    expect(chat?.parentSpanContext?.spanId).toBe(agent?.spanContext().spanId);
    expect(traceId).toBe(chat?.spanContext().traceId);
    expect(chat?.attributes).toEqual({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'anthropic',
      'gen_ai.request.model': 'some-model',
      'gen_ai.usage.input_tokens': 12,
      'gen_ai.usage.output_tokens': 3,
      'gen_ai.usage.cache_read.input_tokens': 0,
      'qralph.prompt.version': 'review@1',
      'qralph.cost.usd': '0.01',
    });
  });

  it('lets no secret out with a span, its name or its error', async () => {
    const forget = secrets.learn('hush-hush-hush');
    const spans = await spansOf(() =>
      telemetryTrace()
        .within('tool', 'run hush-hush-hush', { command: 'echo hush-hush-hush' }, async () => {
          throw new UserError('BAD', 'it said hush-hush-hush');
        })
        .catch(() => undefined),
    );
    forget();
    const [span] = spans;
    expect(span?.name).toBe(`execute_tool run ${BLOT}`);
    expect(span?.attributes['qralph.command']).toBe(`echo ${BLOT}`);
    expect(span?.status.message).toBe(`it said ${BLOT}`);
    expect(span?.spanContext().traceId).toMatch(/^[0-9a-f]{32}$/);
  });

  it('counts calls, tokens and dollars by model, traced or not', async () => {
    const metrics = createMetrics();
    await telemetryTrace(metrics).within('chat', 'm', { provider: 'p', model: 'm' }, async (note) =>
      note({ status: 'done', input: 100, output: 20, costUsd: '0.5' }),
    );
    const text = await metrics.render();
    expect(text).toContain('qralph_model_calls_total{provider="p",model="m",status="done"} 1');
    expect(text).toContain('gen_ai_client_token_usage_sum{provider="p",model="m",type="input"} 100');
    expect(text).toContain('qralph_model_cost_usd_total{provider="p",model="m"} 0.5');
  });
});
