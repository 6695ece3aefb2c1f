import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Problem, Project } from '#contracts';
import { newId } from '#kernel';
import { type AnswerThief, answerThief } from '../harness/answer-thief.js';
import type { Api } from '../harness/api.js';
import { type Field, openField } from '../harness/field.js';

const ORDER = { request: 'drill the engine', mode: 'drill', parameters: { rounds: 1, width: 1, workMs: 0, coolMs: 0 } };
/** A key whose taking was not heard of is free again after 15 seconds. */
const ANSWERED_WITHIN_MS = 25_000;

/** By what is in the text of their statements, and how many of them are stolen, one per project. */
const WRITES = [
  { what: 'starts, commands and decisions', of: ['COMMIT'], thefts: 3 },
  { what: 'the number of a new project', of: [`nextval('project_number')`], thefts: 1 },
  { what: 'a start before its commit', of: ['INSERT INTO project '], thefts: 1 },
  { what: 'commands and decisions before their commit', of: ['INSERT INTO signal '], thefts: 3 },
  { what: 'the taking of an Idempotency-Key', of: ['INSERT INTO idempotency_key '], thefts: 1 },
  { what: 'the keeping of an answer under its key', of: ['"idempotency_key" SET'], thefts: 3 },
] as const;

interface Told {
  readonly id: string;
  readonly commands: number;
  readonly decisions: number;
}

describe('the answer of the database that the API did not hear', () => {
  let field: Field;
  let thief: AnswerThief;
  let api: Api;
  beforeAll(async () => {
    field = await openField();
    thief = await answerThief(field.databaseUrl);
    ({ api } = await field.orchestrator({ QRALPH_WORKER: 'off', DATABASE_URL: thief.url }));
    await field.process({ role: 'worker' });
  });
  afterAll(async () => {
    await field.close();
    await thief.close();
  });

  /** Sends the same request under the same key, as it is told to, until it is answered. */
  const insist = async <T>(path: string, body: unknown): Promise<T> => {
    const headers = { 'idempotency-key': newId() };
    const deadline = performance.now() + ANSWERED_WITHIN_MS;
    for (;;) {
      const answer = await api.call<T | Problem>('POST', path, body, headers);
      if (answer.status < 400) return answer.body as T;
      const { code } = answer.body as Problem;
      const isToBeRepeated = answer.status === 503 || code === 'IDEMPOTENCY_IN_FLIGHT';
      if (!isToBeRepeated || performance.now() > deadline) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
      await delay(100);
    }
  };

  const live = async (): Promise<string> => {
    const { id } = await insist<Project>('/v1/projects', ORDER);
    for (const command of ['PAUSE', 'RESUME']) await insist(`/v1/projects/${id}/commands`, { command });
    await api.untilStatus(id, 'waiting');
    await insist(`/v1/projects/${id}/gates/approval`, { decision: 'approve' });
    await api.untilStatus(id, 'completed');
    return id;
  };

  /** The projects that people started, oldest first, and how much their events tell of what was asked of each. */
  const standing = async (): Promise<Told[]> => {
    const { rows } = await field.pool.query<Told>(
      `SELECT id, (SELECT count(*)::int FROM event WHERE project_id = p.id AND type = 'command.received') AS commands,
              (SELECT count(*)::int FROM event WHERE project_id = p.id AND type = 'gate.decided') AS decisions
       FROM project p WHERE parent_id IS NULL ORDER BY created_at`,
    );
    return rows;
  };

  it.each(WRITES)('leads to nothing twice and nothing lost: $what', async ({ of, thefts }) => {
    const stolenBefore = thief.thefts;
    const before = await standing();
    const asked: Told[] = [];
    for (let nth = 1; nth <= thefts; nth += 1) {
      thief.arm({ of, nth });
      asked.push({ id: await live(), commands: 2, decisions: 1 });
    }
    expect(thief.thefts - stolenBefore).toBe(thefts);
    expect(await standing()).toEqual([...before, ...asked]);
    expect(await field.broken()).toEqual([]);
  });
});
