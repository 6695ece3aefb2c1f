import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import { afterEach, describe, expect, it } from 'vitest';
import { type JsonObject, UserError } from '#kernel';
import { KeepingExporter } from './keeping-exporter.fixture.js';
import { createMetrics } from './metrics.js';
import { telemetryProbe } from './probe.js';
import { queueAround, withRequestSpan } from './spans.js';
import { parseTraceparent } from './traceparent.js';
import { startTracing, type Tracing } from './tracing.js';

const settings = {
  isExporting: false,
  serviceName: 'test',
  sampler: 'parentbased_always_on',
  samplerRatio: 1,
  exportEveryMs: 10,
} as const;

let tracing: Tracing | undefined;
afterEach(async () => {
  await tracing?.stop(1_000);
  tracing = undefined;
});

async function spansOf(work: () => Promise<unknown>): Promise<ReadableSpan[]> {
  const exporter = new KeepingExporter();
  tracing = await startTracing(settings, 'instance-1', exporter);
  await work();
  await tracing.stop(1_000);
  return exporter.kept;
}

const named = (spans: readonly ReadableSpan[], name: string): ReadableSpan => {
  const found = spans.find((span) => span.name === name);
  if (!found) throw new Error(`no span ${name} among ${spans.map((span) => span.name).join(', ')}`);
  return found;
};

describe('the probe', () => {
  it('hangs request, queue hop, project, activity, effect and transition into one tree across processes', async () => {
    const probe = telemetryProbe();
    const spans = await spansOf(async () => {
      const stored = withRequestSpan({ method: 'POST', path: '/v1/projects' }, (span) => {
        span.end({ route: '/v1/projects', status: 202 });
        return span.traceparent;
      });
      await queueAround('wake', stored, () => Promise.resolve());
      await probe.within('project', { attributes: { projectId: 'p1', machine: 'drill' }, parent: stored }, () =>
        probe.within('activity', { attributes: { state: 'WORKING' } }, async () => {
          await probe.within('effect', { attributes: { key: 'k' } }, () => Promise.resolve());
          await probe.within('transition', { attributes: { from: 'WORKING', to: 'DONE' } }, () => Promise.resolve());
        }),
      );
    });
    const request = named(spans, 'request POST /v1/projects');
    const project = named(spans, 'invoke_workflow drill');
    const activity = named(spans, 'activity');
    expect(new Set(spans.map((span) => span.spanContext().traceId)).size).toBe(1);
    expect(named(spans, 'queue wake').parentSpanContext?.spanId).toBe(request.spanContext().spanId);
    expect(project.parentSpanContext?.spanId).toBe(request.spanContext().spanId);
    expect(activity.parentSpanContext?.spanId).toBe(project.spanContext().spanId);
    expect(named(spans, 'effect').parentSpanContext?.spanId).toBe(activity.spanContext().spanId);
    expect(named(spans, 'transition').attributes).toMatchObject({ 'qralph.state.from': 'WORKING' });
    expect(project.resource.attributes).toMatchObject({ 'service.name': 'test', 'service.instance.id': 'instance-1' });
  });

  it('has sent the span of a project that is still being driven: a killed worker leaves no loose branches', async () => {
    const exporter = new KeepingExporter();
    tracing = await startTracing(settings, 'instance-1', exporter);
    let release = (): void => undefined;
    const driven = telemetryProbe().within('project', { attributes: { projectId: 'p1' } }, async () => {
      await new Promise<void>((resolve) => (release = resolve));
    });
    await expect.poll(() => exporter.kept.map((span) => span.name)).toEqual(['invoke_workflow']);
    release();
    await driven;
  });

  it('marks a failed effect by its code and counts it', async () => {
    const metrics = createMetrics();
    const probe = telemetryProbe({ metrics });
    const spans = await spansOf(async () => {
      const broken = probe.within('effect', { attributes: { key: 'k' } }, () =>
        Promise.reject(new UserError('NOPE', 'no')),
      );
      await expect(broken).rejects.toThrow('no');
    });
    expect(named(spans, 'effect').attributes).toMatchObject({ 'error.type': 'NOPE' });
    expect(await metrics.render()).toContain('qralph_effects_total{outcome="failed"} 1');
  });

  it('counts findings, attempts, blocks by their cause and scenarios from what was committed, and nothing else', async () => {
    const metrics = createMetrics();
    const probe = telemetryProbe({ metrics });
    const committed = (state: string, to: string, report: JsonObject): void =>
      probe.reached('committed', { projectId: 'p', machine: 'm', state, to, report });
    committed('REVIEWING', 'EXECUTING', { event: 'reviews:synthesised', P0: 1, P1: 0, P2: 5 });
    committed('SELF_HEAL', 'SELF_HEAL', { event: 'attempt:failed', tier: 'small' });
    committed('SELF_HEAL', 'BLOCKED', { event: 'attempt:failed', tier: 'large' });
    committed('SELF_HEAL', 'EXECUTING', { event: 'problem:fixed', tier: 'large' });
    committed('EXECUTING', 'BLOCKED', { event: 'work:blocked', cause: 'breaker-orphans' });
    committed('FUTURE_REQ', 'EXECUTING', { event: 'item:deferred', cause: 'breaker-orphans' });
    committed('UAT', 'UAT', { event: 'uat:continues', verdict: 'passed' });
    committed('UAT', 'UAT', { event: 'uat:continues', scenarios: 2 });
    committed('SCOPING', 'EXECUTING', { event: 'plan:ready', checks: 3, redByAssertion: 2, redByAbsence: 1 });
    committed('EXECUTING', 'SELF_HEAL', {
      event: 'problem:found',
      proven: 'no',
      rules: ['b', 'c', 'words of a model'],
    });
    committed('EXECUTING', 'UAT', { event: 'work:verified', proven: 'yes', rules: [] });
    committed('EXECUTING', 'UAT', { event: 'work:verified', proven: 'words of a model' });
    probe.reached('before-commit', {
      projectId: 'p',
      machine: 'm',
      state: 'UAT',
      report: { event: 'uat:continues', verdict: 'x' },
    });
    const figures = (await metrics.render()).split('\n').filter((line) => line.includes('{machine="m",'));
    expect(figures.filter((line) => !line.startsWith('qralph_transitions_total')).toSorted()).toEqual([
      'qralph_blocks_total{machine="m",cause="breaker-orphans"} 1',
      'qralph_blocks_total{machine="m",cause="problem"} 1',
      'qralph_checks_total{machine="m",red="absence"} 1',
      'qralph_checks_total{machine="m",red="assertion"} 2',
      'qralph_findings_total{machine="m",priority="P0"} 1',
      'qralph_findings_total{machine="m",priority="P1"} 0',
      'qralph_findings_total{machine="m",priority="P2"} 5',
      'qralph_heal_attempts_total{machine="m",tier="large",outcome="failed"} 1',
      'qralph_heal_attempts_total{machine="m",tier="large",outcome="fixed"} 1',
      'qralph_heal_attempts_total{machine="m",tier="small",outcome="failed"} 1',
      'qralph_proof_failed_rules_total{machine="m",rule="b"} 1',
      'qralph_proof_failed_rules_total{machine="m",rule="c"} 1',
      'qralph_proofs_total{machine="m",proven="no"} 1',
      'qralph_proofs_total{machine="m",proven="yes"} 1',
      'qralph_scenarios_total{machine="m",verdict="passed"} 1',
    ]);
  });

  it('counts runs in clean rooms by verdict, with their seconds', async () => {
    const metrics = createMetrics();
    metrics.cleanRun({ verdict: 'passed', seconds: 4 });
    metrics.cleanRun({ verdict: 'passed', seconds: 6 });
    const figures = (await metrics.render()).split('\n');
    expect(figures).toContain('qralph_clean_room_duration_seconds_sum{verdict="passed"} 10');
    expect(figures).toContain('qralph_clean_room_duration_seconds_count{verdict="passed"} 2');
  });

  it('sends no attribute that has no name', async () => {
    const attributes = { activity: 'work', toString: 'x', secret: 'y' };
    const spans = await spansOf(() => telemetryProbe().within('activity', { attributes }, () => Promise.resolve()));
    expect(named(spans, 'activity').attributes).toEqual({ 'qralph.activity': 'work' });
  });

  it('passes work on while there is nowhere to send a span, and a request still has a trace id', async () => {
    await expect(telemetryProbe().within('project', { attributes: {} }, () => Promise.resolve(7))).resolves.toBe(7);
    const incoming = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const pass = (traceparent?: string): string =>
      withRequestSpan({ method: 'GET', path: '/', traceparent }, (span) => span.traceparent);
    expect(pass(incoming)).toBe(incoming);
    expect(parseTraceparent(pass('rubbish'))).not.toBeNull();
  });

  it.each([
    '',
    'x',
    '00-00000000000000000000000000000000-b7ad6b7169203331-01',
    'ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  ])('takes %j for no trace context', (text) => {
    expect(parseTraceparent(text)).toBeNull();
  });
});
