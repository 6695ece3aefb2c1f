import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defineMachine, type MachineRegistry, report, type RunnableMachine } from '#engine';
import type { Json } from '#kernel';
import { eventually } from '#testing';
import { type Bench, openBench } from './support/in-process-worker.js';

const machine = (name: string) =>
  defineMachine(
    name,
    1,
    {
      STEP: { do: 'step', on: { stepped: [{ to: 'STEP', when: 'more' }, { to: 'OVER' }] } },
      OVER: { end: 'completed' },
    },
    { abortTo: 'OVER' },
  );

const circle: Record<string, unknown> = {};
circle['self'] = circle;

/** What activities may do wrong, as far as their types do not forbid it. */
const STEPS: Readonly<Record<string, () => Json>> = {
  honest: () => 'work',
  throwing: () => {
    throw new Error('always');
  },
  numbers: () => 10n as unknown as Json,
  circular: () => circle as unknown as Json,
  functions: () => (() => 'no data') as unknown as Json,
};

const machines: MachineRegistry = (() => {
  const known = new Map(
    Object.entries(STEPS).map(([name, step]): [string, RunnableMachine] => [
      name,
      {
        machine: machine(name),
        guards: { more: (context) => (context['left'] as number) > 0 },
        activities: {
          step: async ({ context }) => report('stepped', { left: (context['left'] as number) - 1, value: step() }),
        },
      },
    ]),
  );
  const newest = (name: string): RunnableMachine | undefined => known.get(name);
  return {
    newest,
    resolve: (name) => {
      const runnable = newest(name);
      return Promise.resolve(runnable ? { kind: 'runnable', runnable } : { kind: 'unavailable', reason: name });
    },
  };
})();

describe('projects that poison whatever drives them', () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await openBench();
  });
  afterAll(() => bench.close());

  it('stall no other project, and stand still where a person can see it', async () => {
    const begin = async (name: string): Promise<string> => {
      const runnable = machines.newest(name);
      return runnable ? bench.begin(runnable.machine, { left: 20 }) : '';
    };
    const poisonous = await Promise.all(
      Object.keys(STEPS)
        .filter((name) => name !== 'honest')
        .map(begin),
    );
    const honest = await Promise.all(Array.from({ length: 10 }, () => begin('honest')));
    const worker = await bench.work(machines);
    const statuses = async (ids: readonly string[]): Promise<string[]> => {
      const sql = 'SELECT DISTINCT status FROM project WHERE id = ANY($1) ORDER BY 1';
      return (await bench.pool.query<{ status: string }>(sql, [ids])).rows.map(({ status }) => status);
    };
    await eventually('the honest ones end', async () => (await statuses(honest)).join() === 'completed');
    const isVisible = async (): Promise<boolean> => !(await statuses(poisonous)).includes('running');
    await eventually('the others stand still', isVisible, { deadlineMs: 15_000 }).catch(async (error: unknown) => {
      const { rows } = await bench.pool.query(
        'SELECT machine, state, status, waiting FROM project WHERE id = ANY($1)',
        [poisonous],
      );
      throw new Error(`${String(error)}: ${JSON.stringify(rows)}`);
    });
    await worker.stop(1_000);
    expect(await statuses(poisonous)).toEqual(expect.arrayContaining(['blocked']));
  });
});
