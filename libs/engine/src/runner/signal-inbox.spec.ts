import { describe, expect, it } from 'vitest';
import { defineMachine, type RunnableMachine } from '../index.js';
import { Bench, done, held, oneStep } from './runner.fixture.js';

const TIME_MS = 1_000;

const asking: RunnableMachine = {
  machine: defineMachine(
    'asking',
    1,
    {
      ASKING: {
        gate: { name: 'go', ask: '?', options: { yes: 'agreed' } },
        timer: { ms: TIME_MS, event: 'time:over' },
        on: { agreed: 'AGREED', 'time:over': 'LATE' },
      },
      AGREED: { end: 'completed' },
      LATE: { end: 'completed' },
      STOPPED: { end: 'aborted' },
    },
    { abortTo: 'STOPPED' },
  ),
  guards: {},
  activities: {},
};

/** One that is asked something, and whose time runs. */
async function askingBench(): Promise<Bench> {
  const bench = new Bench(asking);
  bench.store.create({
    facts: { ...bench.project.facts, id: 'timed' },
    snapshot: { state: 'ASKING', visit: 1, incarnation: 1, counters: {}, paused: false, aborting: false, ended: false, returnTo: null, wait: null, failure: null, context: {} },
    status: 'waiting',
    runnable: false,
    timer: { visit: 1, event: 'time:over', ms: TIME_MS },
  }); // prettier-ignore
  return bench;
}

const tell = (bench: Bench, ...commands: ('PAUSE' | 'RESUME')[]): void => {
  for (const command of commands) {
    bench.store.signal('timed', 'human', { kind: 'command', id: `${command}${String(bench.now)}`, command, visit: 1 });
  }
};
const after = async (bench: Bench, ms: number): Promise<string | undefined> => {
  bench.now += ms;
  await bench.store.fireDueTimers(10);
  await bench.drive('timed');
  return bench.store.projects.get('timed')?.state;
};

describe('the time of a gate', () => {
  it('stands still while the project is paused, and begins anew with RESUME', async () => {
    const bench = await askingBench();
    tell(bench, 'PAUSE');
    expect(await after(bench, TIME_MS - 1)).toBe('ASKING');
    expect(await after(bench, 100 * TIME_MS)).toBe('ASKING');
    tell(bench, 'RESUME');
    expect(await after(bench, TIME_MS)).toBe('ASKING');
    expect(await after(bench, TIME_MS - 1)).toBe('ASKING');
    expect(await after(bench, 1)).toBe('LATE');
  });

  it('that ran out meanwhile keeps nobody from deciding: what was decided is applied with RESUME', async () => {
    const bench = await askingBench();
    tell(bench, 'PAUSE');
    await after(bench, 0);
    bench.store.signal('timed', 'human', { kind: 'decision', gate: 'go', decision: 'yes', visit: 1 });
    expect(await after(bench, 2 * TIME_MS)).toBe('ASKING');
    tell(bench, 'RESUME');
    expect(await after(bench, 0)).toBe('AGREED');
  });

  it.each([
    ['is over where its timer came before the PAUSE', [], ['PAUSE'], 'LATE'],
    ['begins anew where the PAUSE came before it', ['PAUSE'], [], 'ASKING'],
    ['begins anew where PAUSE and RESUME both did', ['PAUSE', 'RESUME'], [], 'ASKING'],
  ] as const)('%s, and nobody has looked yet', async (_what, before, behind, state) => {
    const bench = await askingBench();
    tell(bench, ...before);
    bench.now += TIME_MS;
    await bench.store.fireDueTimers(10);
    tell(bench, ...behind);
    expect(await after(bench, 0)).toBe(state);
    expect(await bench.store.pendingSignals('timed')).toEqual([]);
  });
});

it('what runs is interrupted for what a signal will do when its turn comes, not for what it would do now', async () => {
  const { begun, letGo, begin, released } = held();
  let wasCut = false;
  const bench = new Bench(
    oneStep(async ({ effect, signal }) => {
      await effect({ step: 'work', settle: { kind: 'repeat' }, run: async () => (begin(), await released, 1) });
      wasCut = signal.aborted;
      await effect({ step: 'more', settle: { kind: 'repeat' }, run: async () => 2 });
      return done;
    }),
  );
  const runner = await bench.claim();
  const driving = runner?.drive();
  await begun;
  bench.command('PAUSE');
  // Of a paused project no step is skipped.
  bench.command('SKIP');
  await runner?.signalled(2);
  letGo();
  await driving;
  expect([wasCut, bench.project.status]).toEqual([false, 'paused']);
  expect(bench.project.events.filter(({ type }) => type === 'signal.noted')).toMatchObject([
    { data: { cause: 'SKIP', note: expect.stringContaining('paused') as string } },
  ]);
});
