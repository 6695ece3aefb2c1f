import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Api } from './api.js';
import { type Field, openField } from './field.js';
import { brokenInvariants } from './invariants.js';
import { forgery } from './vandal.js';

const DRILL = { parameters: { rounds: 1, width: 1, workMs: 0, coolMs: 0 }, gates: { approval: false } };

interface Ended {
  readonly id: string;
  readonly name: string;
  readonly version: number;
}

describe('the invariants that are checked after a fault', () => {
  let field: Field;
  let api: Api;
  let ended: Ended;
  beforeAll(async () => {
    field = await openField();
    ({ api } = await field.orchestrator());
  });
  afterAll(() => field.close());
  beforeEach(async () => {
    const { id } = await api.startDrill(DRILL);
    await api.untilStatus(id, 'completed');
    const { rows } = await field.pool.query<Ended>('SELECT id, name, version FROM project WHERE id = $1', [id]);
    ended = rows[0] ?? { id, name: 'it is not there', version: 0 };
    expect(await broken()).toEqual([]);
  });

  /** Of this test's project: those of the others stay broken. */
  const broken = async (): Promise<string[]> =>
    (await field.broken()).filter((fault) => fault.includes(ended.name) || !fault.includes('-drill-engine'));

  const lost = (version: number): string => `I1: ${ended.name} lost its acknowledged version ${String(version)}`;

  /** As if the newest links had never been written: whatever could contradict it goes with them. */
  const cutTail = async (id: string, kept: number): Promise<void> => {
    await field.pool.query('DELETE FROM checkpoint WHERE project_id = $1 AND seq > $2', [id, kept]);
    await field.pool.query('DELETE FROM event_group WHERE project_id = $1 AND version > $2', [id, kept]);
    await field.pool.query(
      `UPDATE project SET version = $2,
         head_checksum = (SELECT checksum FROM checkpoint WHERE project_id = $1 AND seq = $2),
         event_seq = (SELECT max(seq) FROM event_group WHERE project_id = $1) WHERE id = $1`,
      [id, kept],
    );
  };

  it('find an acknowledged tail that was cut off without leaving a gap', async () => {
    await cutTail(ended.id, ended.version - 2);
    expect(await broken()).toEqual([lost(ended.version - 1), lost(ended.version)]);
  });

  it('find an acknowledged link that was exchanged for another sound one', async () => {
    await forgery.harm(field.pool, ended.id, ended.version);
    expect(await broken()).toEqual([lost(ended.version)]);
  });

  it('find a write that was applied twice', async () => {
    await field.pool.query(
      `WITH told AS (UPDATE project SET event_seq = event_seq + 1 WHERE id = $1 RETURNING event_seq)
       INSERT INTO event_group (project_id, seq, version, events)
       SELECT g.project_id, told.event_seq, g.version, g.events FROM event_group g, event e, told
       WHERE g.project_id = $1 AND e.project_id = $1 AND e.seq = g.seq AND e.type = 'effect.finished'
         AND e.data::json->>'key' LIKE '%/create'`,
      [ended.id],
    );
    expect(await broken()).toEqual([`I2: ${ended.name} tells twice: effect.finished 1/1/create`]);
  });

  it('find of other projects, where only some are asked about, what was acknowledged to them', async () => {
    const { id: other } = await api.startDrill(DRILL);
    await api.untilStatus(other, 'completed');
    await forgery.harm(field.pool, ended.id, ended.version);
    await field.pool.query('UPDATE project SET event_seq = event_seq + 1 WHERE id = $1', [ended.id]);
    const found = async (only: string): Promise<string[]> =>
      (await brokenInvariants(field.pool, field.dataDir, [only])).filter((fault) => fault.includes(ended.id));
    expect(await found(other)).toEqual([`I1: ${ended.id} lost its acknowledged version ${String(ended.version)}`]);
    expect(await found(ended.id)).toEqual([expect.stringMatching(/^I2: .* has gaps/)]);
  });
});
