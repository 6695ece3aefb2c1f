import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AnswerThief, answerThief } from '../harness/answer-thief.js';
import { type Field, openField } from '../harness/field.js';

const DRILL = { parameters: { rounds: 1, width: 1, workMs: 0, coolMs: 0 }, gates: { approval: false } };
/** More than a drill of this size writes, so that the last rounds steal nothing. */
const LIMIT = 80;

describe('a write that is executed and whose answer is lost', () => {
  let field: Field;
  let thief: AnswerThief;
  beforeAll(async () => {
    field = await openField();
    thief = await answerThief(field.databaseUrl);
  });
  afterAll(async () => {
    await field.close();
    await thief.close();
  });

  it('is found again, write after write, and nothing happens twice', async () => {
    const { api } = await field.orchestrator({ QRALPH_WORKER: 'off' });
    const worker = await field.process({ role: 'worker' }, { DATABASE_URL: thief.url });
    let nth = 1;
    for (let before = -1; nth <= LIMIT && before !== thief.thefts; nth += 1) {
      before = thief.thefts;
      thief.arm(nth);
      const { id } = await api.startDrill(DRILL);
      await api.untilStatus(id, 'completed', 30_000);
    }
    expect(thief.thefts).toBeGreaterThan(15);
    expect(worker.child.exitCode).toBeNull();
    expect(await field.broken()).toEqual([]);
  });
});
