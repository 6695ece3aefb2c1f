import { describe, expect, it } from 'vitest';
import { UserError } from '#kernel';
import { createLogger } from './logger.js';
import { createMetrics } from './metrics.js';

function lines(): { logger: ReturnType<typeof createLogger>; last: () => Record<string, unknown> } {
  const written: string[] = [];
  const logger = createLogger({ logLevel: 'info', name: 'test' }, { write: (line: string) => written.push(line) });
  return { logger, last: () => JSON.parse(written.at(-1) ?? '{}') as Record<string, unknown> };
}

describe('the log', () => {
  it('is JSON with the service, the time and the error whole', () => {
    const { logger, last } = lines();
    logger.warn({ projectId: 'p1', error: new UserError('NOPE', 'no such thing') }, 'refused');
    expect(last()).toMatchObject({ service: 'test', projectId: 'p1', msg: 'refused', error: { code: 'NOPE' } });
    expect(Date.parse(String(last()['time']))).not.toBeNaN();
  });

  it('never carries a key, wherever it stands', () => {
    const { logger, last } = lines();
    const key = `qr_${'aB3'.repeat(15).slice(0, 43)}`;
    logger.info({ headers: { authorization: `Bearer ${key}` }, note: key }, `with ${key}`);
    expect(JSON.stringify(last())).not.toContain(key);
    expect(last()).toMatchObject({ headers: { authorization: '[redacted]' }, note: '[secret]' });
  });

  it('leaves out what is below its level', () => {
    const { logger, last } = lines();
    logger.debug('noise');
    expect(last()).toEqual({});
  });
});

describe('the metrics', () => {
  it('ask for projects when they are read, and count along the way', async () => {
    const metrics = createMetrics();
    let asked = 0;
    metrics.watch({
      projects: () => Promise.resolve([{ machine: 'drill', state: 'WORKING', status: 'running', count: 3 }]),
      leasesHeld: () => 2,
      webhooks: () => {
        asked += 1;
        const pending = [{ due: 'now', count: 4, oldestSeconds: 1.5 } as const];
        return Promise.resolve({ pending, ended: [{ outcome: 'failed', count: 7 }] });
      },
    });
    metrics.transition('drill', 'WORKING');
    metrics.leaseLost();
    metrics.queueLag(0.02);
    metrics.command('api', 'limited');
    metrics.decision('refused');
    metrics.note('accepted');
    metrics.noteDelivered();
    metrics.httpRequest({ method: 'GET', route: '/v1/projects', status: 200, seconds: 0.01, isStream: false });
    const text = await metrics.render();
    expect(text).toContain('qralph_projects{machine="drill",state="WORKING",status="running"} 3');
    expect(text).toContain('qralph_transitions_total{machine="drill",state="WORKING"} 1');
    expect(text).toContain('qralph_leases_held 2');
    expect(text).toContain('qralph_leases_lost_total 1');
    expect(text).toContain('qralph_queue_lag_seconds_count 1');
    expect(text).toContain('qralph_commands_total{door="api",outcome="limited"} 1');
    expect(text).toContain('qralph_decisions_total{outcome="refused"} 1');
    expect(text).toContain('qralph_notes_total{outcome="accepted"} 1');
    expect(text).toContain('qralph_notes_delivered_total 1');
    expect(text).toContain('qralph_webhook_pending{due="now"} 4');
    expect(text).toContain('qralph_webhook_pending_oldest_seconds{due="now"} 1.5');
    expect(text).toContain('qralph_webhook_ended_last_hour{outcome="failed"} 7');
    expect(asked).toBe(1);
    expect(text).toContain('qralph_http_requests_total{method="GET",route="/v1/projects",status="200"} 1');
  });

  it('are given without what the database holds when it cannot be asked', async () => {
    const metrics = createMetrics({
      projects: () => Promise.reject(new Error('away')),
      webhooks: () => Promise.reject(new Error('away')),
    });
    metrics.leaseLost();
    const text = await metrics.render();
    expect(text).toContain('qralph_leases_lost_total 1');
    expect(text).not.toMatch(/qralph_(projects|webhook_pending)\{/);
  });
});
