import { describe, expect, it } from 'vitest';
import {
  type ActivityContext,
  defineMachine,
  report,
  type Resting,
  type RunnableMachine,
  waitForChildren,
} from '../index.js';
import { Bench, done, oneStep } from './runner.fixture.js';

/** WORKING --done--> ASKING, a gate, --answered--> DONE. */
function asking(show: (project: Resting) => Promise<void>): RunnableMachine {
  const machine = defineMachine(
    'asking',
    1,
    {
      WORKING: { do: 'work', on: { done: 'ASKING' } },
      ASKING: { gate: { name: 'ask', ask: 'Is it good?', options: { yes: 'answered' } }, on: { answered: 'DONE' } },
      DONE: { end: 'completed' },
      STOPPED: { end: 'aborted' },
    },
    { abortTo: 'STOPPED' },
  );
  return { machine, guards: {}, activities: { work: async () => report('done', { found: 3 }) }, show };
}

const listener = () => {
  const shown: string[] = [];
  const looks: boolean[] = [];
  const show = async ({ state, status, gate, context, checkpoint, wait, isNews }: Resting): Promise<void> => {
    looks.push(isNews);
    if (isNews) shown.push([state, status, gate?.name, wait?.kind, Number(context['found']), checkpoint.seq].join(' '));
  };
  return { shown, looks, show };
};

describe('a project that comes to rest', () => {
  it('is shown as it waits, and when it has ended', async () => {
    const { shown, show } = listener();
    const bench = new Bench(asking(show));
    await bench.drive();
    expect(shown).toEqual(['ASKING waiting ask  3 2']);
    bench.store.signal(bench.id, 'human', { kind: 'decision', gate: 'ask', decision: 'yes', visit: 2 });
    await bench.drive();
    expect(bench.project.status).toBe('completed');
    expect(shown.slice(1)).toEqual(['DONE completed   3 3']);
  });

  it('is shown again where nothing but its being paused changed, and not for news that change nothing', async () => {
    const { shown, looks, show } = listener();
    const bench = new Bench(asking(show));
    await bench.drive();
    bench.command('STATUS', 2);
    await bench.drive();
    expect(shown).toHaveLength(1);
    // Whether it is there is looked at all the same: who deleted it is no part of the project.
    expect(looks).toEqual([true, false]);
    bench.command('PAUSE', 2);
    await bench.drive();
    expect(shown.slice(1)).toEqual(['ASKING paused ask  3 3']);
  });

  it('is shown by the next holder where the one before died, who may have shown it or not', async () => {
    const { shown, show } = listener();
    let dies = true;
    const bench = new Bench(
      asking(async (project) => {
        if (dies) await new Promise(() => undefined);
        await show(project);
      }),
    );
    void bench.drive(bench.id, 'w0');
    await new Promise(setImmediate);
    await new Promise(setImmediate);
    expect(bench.project).toMatchObject({ state: 'ASKING', leaseWorker: 'w0' });
    dies = false;
    bench.now += 10_000;
    await bench.drive(bench.id, 'w1');
    expect(shown).toEqual(['ASKING waiting ask  3 2']);
  });

  it('rests where it cannot be shown', async () => {
    const bench = new Bench(asking(() => Promise.reject(new Error('no space left'))));
    await bench.drive();
    expect(bench.project).toMatchObject({ state: 'ASKING', status: 'waiting', leaseWorker: null });
  });

  it('is shown when it waits for its children, and not for each that ends', async () => {
    const { shown, show } = listener();
    const child = oneStep(async () => done);
    const children = ['a', 'b'].map((key) => ({ key, machine: 'one-step', context: {} }));
    const parent = asking(show);
    const work = async ({ joined }: ActivityContext) =>
      (await joined(children)) ? done : waitForChildren(children, { found: 1 });
    const bench = new Bench({ ...parent, activities: { work } }, [child]);
    await bench.drive();
    expect(shown).toEqual(['WORKING running  children 1 2']);
    for (const id of bench.store.projects.keys()) if (id !== bench.id) await bench.drive(id);
    await bench.drive();
    expect(shown.slice(1).map((line) => line.split(' ')[0])).toEqual(['ASKING']);
  });
});
