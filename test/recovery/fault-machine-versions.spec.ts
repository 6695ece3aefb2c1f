import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defineMachine, type Machine, report } from '#engine';
import { type Mode, ModeRegistry } from '#modes';
import { type ApiStores, openApiStores, PgMachineArchive, sendSignal } from '#persistence';
import { eventually } from '#testing';
import { type Bench, openBench } from './support/in-process-worker.js';

const gate = {
  name: 'go',
  ask: 'Go on?',
  options: { yes: 'agreed' },
  consequences: { yes: 'The house is built.' },
};

const first: Machine = defineMachine(
  'house',
  1,
  {
    DIGGING: { do: 'dig', on: { dug: 'HOLD' } },
    HOLD: { gate, on: { agreed: 'BUILDING' } },
    BUILDING: { do: 'build', on: { built: 'BUILT' } },
    BUILT: { end: 'completed' },
  },
  { abortTo: 'BUILT' },
);
const second: Machine = defineMachine(
  'house',
  2,
  {
    DIGGING: { do: 'dig', on: { dug: 'HOLD' } },
    HOLD: { gate, on: { agreed: 'PAINTING' } },
    PAINTING: { do: 'paint', on: { painted: 'BUILDING' } },
    BUILDING: { do: 'build', on: { built: 'BUILT' } },
    BUILT: { end: 'completed' },
  },
  { abortTo: 'BUILT' },
);
const changed: Machine = defineMachine(
  'house',
  1,
  {
    DIGGING: { do: 'dig', on: { dug: 'BUILDING' } },
    BUILDING: { do: 'build', on: { built: 'BUILT' } },
    BUILT: { end: 'completed' },
  },
  { abortTo: 'BUILT' },
);

const mode = (machine: Machine, activities: readonly [string, string][]): Mode => ({
  name: 'house',
  machine,
  guards: {},
  activities: Object.fromEntries(activities.map(([name, event]) => [name, () => Promise.resolve(report(event))])),
  childMachines: [],
  needsRepo: false,
  options: [],
  optionalGates: [],
  roles: [],
  begin: () => ({}),
});
const oldCode = mode(first, [['dig', 'dug'], ['build', 'built']]); // prettier-ignore
const newCode = mode(second, [['dig', 'dug'], ['build', 'built'], ['paint', 'painted']]); // prettier-ignore

describe('a new version of a machine, with projects under way, and its roll-back', () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await openBench();
  });
  afterAll(() => bench.close());

  const deploy = async (code: Mode): Promise<{ registry: ModeRegistry; stores: ApiStores; stop(): Promise<void> }> => {
    const registry = new ModeRegistry([code], [], new PgMachineArchive(bench.pool));
    await registry.open();
    const worker = await bench.work(registry);
    const stores = openApiStores(bench.pool, async (name, version) => {
      const resolved = await registry.resolve(name, version);
      return resolved.kind === 'runnable' ? null : resolved.reason;
    });
    const stop = async (): Promise<void> => {
      await worker.stop(1_000);
      await stores.close();
    };
    return { registry, stores, stop };
  };
  const isIn = (id: string, state: string) =>
    eventually(`${id} is in ${state}`, async () => {
      const { rows } = await bench.pool.query<{ state: string }>('SELECT state FROM project WHERE id = $1', [id]);
      return rows[0]?.state === state;
    });
  const agree = (id: string) =>
    sendSignal(bench.pool, id, 'human', { kind: 'decision', gate: 'go', decision: 'yes', visit: 2 });
  const visited = async (id: string): Promise<unknown[]> => {
    const sql = `SELECT data::json->>'to' AS state FROM event WHERE project_id = $1 AND type = 'state.entered' ORDER BY seq`;
    return (await bench.pool.query<{ state: string }>(sql, [id])).rows.map(({ state }) => state);
  };

  it('keeps every project on the table that it began with', async () => {
    const before = await deploy(oldCode);
    const [one, two] = [await bench.begin(first), await bench.begin(first)];
    await isIn(one, 'HOLD');
    await before.stop();

    const after = await deploy(newCode);
    const newer = await bench.begin(second);
    await isIn(newer, 'HOLD');
    await agree(one);
    await isIn(one, 'BUILT');
    expect(await visited(one)).toEqual(['HOLD', 'BUILDING', 'BUILT']);
    await after.stop();

    const back = await deploy(oldCode);
    await agree(newer);
    await agree(two);
    await isIn(two, 'BUILT');
    const { waitingFor, status } = await back.stores.reads.get(newer);
    expect(waitingFor).toMatchObject({ kind: 'machine', reason: expect.stringMatching(/paint/) as string });
    expect(status).not.toBe('failed');
    expect((await back.stores.reads.get(two)).waitingFor).toBeNull();
    await back.stop();

    const again = await deploy(newCode);
    await isIn(newer, 'BUILT');
    expect(await visited(newer)).toEqual(['HOLD', 'PAINTING', 'BUILDING', 'BUILT']);
    expect((await again.stores.reads.get(newer)).waitingFor).toBeNull();
    await again.stop();
  });

  it('does not start on a table that changed under the same version', async () => {
    const archive = new PgMachineArchive(bench.pool);
    const registry = new ModeRegistry([{ ...oldCode, machine: changed }], [], archive);
    await expect(registry.open()).rejects.toThrow('house@1 was changed without a new version');
  });
});
