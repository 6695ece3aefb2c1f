import { expect, it } from 'vitest';
import { Random } from '#testing';
import { grantKey } from '../harness/api.js';
import { Chaos } from './support/chaos.js';
import { inLab } from './support/in-lab.js';
import { settledInvariants } from './support/kill-case.js';
import { Person } from './support/person.js';

const STORM_MS = 45_000;
const CALM_WITHIN_MS = 90_000;
const PROJECTS = 6;

it('brings every project to an end or to a person after a storm of kills, stops and commands', async () => {
  const seed = Number(process.env['QRALPH_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
  console.log(`random mix: QRALPH_SEED=${String(seed)}`);
  await inLab('Postgres', async (lab) => {
    const chaos = new Chaos(lab, new Random(seed), await grantKey(lab.pool));
    await chaos.begin(PROJECTS);
    const person = new Person(lab);
    const stormEnds = performance.now() + STORM_MS;
    const isOver = (): boolean => performance.now() > stormEnds;
    const storm = async (): Promise<void> => {
      while (!isOver()) await chaos.strike();
    };
    await Promise.all([storm(), person.attend('the end of the storm', STORM_MS * 2, isOver)]);
    await chaos.calm();
    await person.attend('calm', CALM_WITHIN_MS, () => person.hasEnded());
    const { rows } = await lab.pool.query<{ status: string; n: number }>(
      'SELECT status, count(*)::int AS n FROM project WHERE parent_id IS NULL GROUP BY 1 ORDER BY 1',
    );
    const { rows: kept } = await lab.pool.query<{ id: string }>('SELECT id FROM project WHERE parent_id IS NULL');
    console.log(`seed ${String(seed)}:`, JSON.stringify(chaos.tally), JSON.stringify(rows));
    expect(kept.map(({ id }) => id).sort()).toEqual([...chaos.acknowledged].sort());
    expect(kept).toHaveLength(chaos.orders);
    expect(chaos.slander).toEqual([]);
    expect(rows.map(({ status }) => status)).toContain('completed');
    expect(await settledInvariants(lab)).toEqual([]);
  });
});
