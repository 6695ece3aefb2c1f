import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AnswerThief, answerThief } from '../harness/answer-thief.js';
import type { Api } from '../harness/api.js';
import { type Field, openField } from '../harness/field.js';
import type { ServiceProcess } from '../harness/service-process.js';

const DRILL = { parameters: { rounds: 1, width: 1, workMs: 0, coolMs: 0 }, gates: { approval: false } };
/** More than a drill of this size writes, so that the last rounds steal nothing. */
const LIMIT = 80;

/** By what is in the text of their statements, and how many of them a drill has at least. */
const OTHER_WRITES = [
  { what: 'the claim of a project', of: ['lease_epoch = p.lease_epoch + 1'], atLeast: 3 },
  { what: 'the release of a project', of: [`THEN 'released' ELSE`], atLeast: 2 },
  { what: 'the registration of a process', of: ['INSERT INTO process '], atLeast: 5 },
  { what: 'the end of a process', of: ['DELETE FROM process '], atLeast: 5 },
  { what: 'the confirmation of wake-ups', of: ['DELETE FROM outbox '], atLeast: 2 },
] as const;

describe('a write of a worker that is executed and whose answer is lost', () => {
  let field: Field;
  let thief: AnswerThief;
  let api: Api;
  let worker: ServiceProcess;
  beforeAll(async () => {
    field = await openField();
    thief = await answerThief(field.databaseUrl);
    ({ api } = await field.orchestrator({ QRALPH_WORKER: 'off' }));
    worker = await field.process({ role: 'worker' }, { DATABASE_URL: thief.url });
  });
  afterAll(async () => {
    await field.close();
    await thief.close();
  });

  /** Steals the first answer from one drill, the second from the next, until a drill has no more of them. */
  const stealOneByOne = async (of: readonly string[]): Promise<number> => {
    const atFirst = thief.thefts;
    for (let nth = 1, before = -1; nth <= LIMIT && before !== thief.thefts; nth += 1) {
      before = thief.thefts;
      thief.arm({ of, nth });
      const { id } = await api.startDrill(DRILL);
      await api.untilStatus(id, 'completed', 30_000);
    }
    return thief.thefts - atFirst;
  };

  it('is found again, write after write, and nothing happens twice', async () => {
    expect(await stealOneByOne(['write-one', 'write-entry', 'write-batch', 'COMMIT'])).toBeGreaterThan(15);
    expect(worker.child.exitCode).toBeNull();
    expect(await field.broken()).toEqual([]);
  });

  it.each(OTHER_WRITES)('does no harm if it is $what', async ({ of, atLeast }) => {
    expect(await stealOneByOne(of)).toBeGreaterThanOrEqual(atLeast);
    expect(worker.child.exitCode).toBeNull();
    expect(await field.broken()).toEqual([]);
  });

  it('does no harm if it fires a timer', async () => {
    const before = thief.thefts;
    const { id } = await api.startDrill({ ...DRILL, parameters: { ...DRILL.parameters, coolMs: 300 } });
    await api.until(id, 'cools', ({ state }) => state === 'COOLING');
    // Workers look for due timers all the time: so many answers are stolen that the one about ours is among them.
    thief.arm({ of: ['DELETE FROM timer t USING'], times: 8 });
    await api.untilStatus(id, 'completed');
    thief.arm({ of: [], times: 0 });
    expect(thief.thefts - before).toBeGreaterThanOrEqual(3);
    expect(await field.broken()).toEqual([]);
  });

  it('does no harm if it is a heartbeat, or the last word of a worker that stops', async () => {
    const { id } = await api.startDrill({ ...DRILL, parameters: { ...DRILL.parameters, coolMs: 2_000 } });
    await api.until(id, 'cools', ({ state }) => state === 'COOLING');
    const before = thief.thefts;
    thief.arm({ of: ['INSERT INTO worker '], times: 2 });
    await api.untilStatus(id, 'completed');
    expect(thief.thefts - before).toBe(2);
    thief.arm({ of: ['WITH gone AS (DELETE FROM worker '] });
    await worker.kill('SIGTERM');
    expect(thief.thefts - before).toBe(3);
    const { id: next } = await api.startDrill(DRILL);
    await field.process({ role: 'worker' });
    await api.untilStatus(next, 'completed');
    expect(await field.broken()).toEqual([]);
  });
});
