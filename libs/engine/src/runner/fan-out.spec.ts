import { describe, expect, it } from 'vitest';
import {
  type ActivityContext, type ChildResult, defineMachine, report, type RunnableMachine, waitForChildren,
} from '../index.js'; // prettier-ignore
import { Bench } from './runner.fixture.js';

const review: RunnableMachine = {
  machine: defineMachine(
    'review',
    1,
    { READING: { do: 'read', on: { read: 'SAID' } }, SAID: { end: 'completed' } },
    { abortTo: 'SAID' },
  ),
  guards: {},
  activities: { read: async ({ context }: ActivityContext) => report('read', { result: context['says'] ?? null }) },
};

const reviews = ['a', 'b', 'c'].map((key) => ({ key, machine: 'review', context: { says: `${key} read it` } }));

/** SHARING fans out and may be skipped, COLLECTING looks at what is left of that, as often as a person likes. */
function team(collect: (activity: ActivityContext) => Promise<void>): RunnableMachine {
  return {
    machine: defineMachine(
      'team',
      1,
      {
        SHARING: { do: 'share', on: { shared: 'COLLECTING', SKIP: 'COLLECTING' } },
        COLLECTING: { do: 'collect', on: { collected: 'PAUSING' } },
        PAUSING: {
          gate: { name: 'again', ask: 'Look again?', options: { yes: 'again' } },
          on: { again: 'COLLECTING' },
        },
        DONE: { end: 'completed' },
      },
      { abortTo: 'DONE' },
    ),
    guards: {},
    activities: {
      share: async ({ joined }) => ((await joined(reviews)) ? report('shared') : waitForChildren(reviews)),
      collect: async (activity) => {
        await collect(activity);
        return report('collected');
      },
    },
  };
}

describe('children of a visit that was left', () => {
  it('still give their results, those that had ended, in the order of their keys', async () => {
    const seen: (readonly ChildResult[])[] = [];
    const bench = new Bench(
      team(async ({ endedChildren, visit }) => {
        seen.push(await endedChildren(1));
        expect(await endedChildren(visit)).toEqual([]);
      }),
      [review],
    );
    await bench.drive();
    const [a = '', b = '', c = ''] = childrenOf(bench);
    await bench.drive(a);
    await bench.drive();
    bench.command('SKIP');
    // It ends before its parent has heard of the SKIP, and is told to abort after its end.
    await bench.drive(b);
    await bench.drive();
    expect(bench.project.state).toBe('PAUSING');
    expect(seen).toEqual([
      [
        { key: 'a', id: a, outcome: 'completed', result: 'a read it' },
        { key: 'b', id: b, outcome: 'completed', result: 'b read it' },
      ],
    ]);
    for (const child of [b, c]) await bench.drive(child);
    bench.store.signal(bench.id, 'human', { kind: 'decision', gate: 'again', decision: 'yes', visit: 3 });
    await bench.drive();
    expect(seen[1]).toEqual([...(seen[0] ?? []), { key: 'c', id: c, outcome: 'aborted', result: null }]);
  });

  it('give what an effect got again after it, however many have ended meanwhile', async () => {
    const seen: unknown[] = [];
    let isFirst = true;
    const bench = new Bench(
      team(async ({ effect, endedChildren }) => {
        const run = async () => (await endedChildren(1)).map(({ key }) => key);
        seen.push(await effect({ step: 'ended', settle: { kind: 'repeat' }, run }));
        if (!isFirst) return;
        isFirst = false;
        for (const child of childrenOf(bench)) await bench.drive(child, 'w2');
        throw new Error('the activity broke');
      }),
      [review],
    );
    await bench.drive();
    bench.command('SKIP');
    await bench.drive();
    expect(seen).toEqual([[], []]);
    expect(await bench.store.children(bench.id, 1, 1)).toHaveLength(3);
  });
});

const childrenOf = (bench: Bench): string[] => {
  const children = [...bench.store.projects.values()].filter(({ facts }) => facts.parent?.id === bench.id);
  return children.map(({ facts }) => facts.id);
};
