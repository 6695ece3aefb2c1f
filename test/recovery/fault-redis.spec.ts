import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasRedis, startRedis, type TestRedis } from '#testing';
import { type Field, openField } from '../harness/field.js';

const DRILL = { parameters: { rounds: 6, width: 2, workMs: 100, coolMs: 200 }, gates: { approval: false } };

describe.runIf(hasRedis())('Redis in trouble under load', () => {
  let redis: TestRedis;
  let field: Field;
  beforeAll(async () => {
    redis = await startRedis();
    field = await openField({ redisUrl: redis.url });
  });
  afterAll(async () => {
    await field.close();
    await redis.stop();
  });

  it('is flushed, killed, away, and comes back empty: nobody dies, and every project ends', async () => {
    const { api, child } = await field.orchestrator();
    const worker = await field.process({ role: 'worker' });
    const projects = await Promise.all(Array.from({ length: 8 }, () => api.startDrill(DRILL)));
    for (let turn = 0; turn < 3; turn += 1) {
      await delay(300);
      await redis.flush();
    }
    await redis.kill();
    const meanwhile = await api.startDrill(DRILL);
    await delay(2_000);
    await redis.restart();
    await delay(500);
    await redis.restart();
    for (const { id } of [...projects, meanwhile]) await api.untilStatus(id, 'completed', 60_000);
    expect([child.exitCode, worker.child.exitCode]).toEqual([null, null]);
    expect(await field.broken()).toEqual([]);
  });
});
