import { describe, expect, it } from 'vitest';
import {
  type Activity, defineMachine, initialSnapshot, isWorkComplete, report, type RunnableMachine, withCompletion,
  withoutCompletion,
} from '../index.js'; // prettier-ignore
import { nextWrite } from './next-write.js';
import { Bench } from './runner.fixture.js';

/** The work is complete in COMPLETE, which may block; the project has ended when TIDY is done. */
const team = (finalise: Activity): RunnableMachine => ({
  machine: defineMachine(
    'team',
    1,
    {
      WORK: { do: 'work', on: { worked: 'COMPLETE' } },
      COMPLETE: { do: 'finalise', completes: true, on: { finalised: 'TIDY', blocked: 'BLOCKED' } },
      BLOCKED: {
        remembers: true,
        gate: { name: 'resolve', ask: 'Resolved?', options: { resolve: 'resolved', rework: 'returned' } },
        on: { resolved: '@return', returned: 'WORK' },
      },
      TIDY: { do: 'tidy', end: 'completed' },
    },
    { abortTo: 'TIDY' },
  ),
  guards: {},
  activities: { work: async () => report('worked'), finalise, tidy: async () => report('tidied') },
});

const decide = (bench: Bench, decision: string, visit: number): void =>
  bench.store.signal(bench.id, 'human', { kind: 'decision', gate: 'resolve', decision, visit });

/** What was told of the end. */
const ends = (bench: Bench): string[] =>
  bench.project.events
    .filter(({ type }) => /^project\.(completed|ended|aborted|failed)$/.test(type))
    .map(({ type, data }) => `${type} ${JSON.stringify(data)}`);

describe('a state that completes the work', () => {
  it('is told as the completion with the write that enters it, and the end of the clean-up as the end', async () => {
    const bench = new Bench(team(async () => report('finalised')));
    await bench.drive();
    expect(bench.project.status).toBe('completed');
    expect(bench.events.slice(1)).toEqual([
      ...['activity.reported', 'state.entered', 'project.completed'],
      ...['activity.reported', 'state.entered', 'project.ended'],
    ]);
    expect(ends(bench)).toEqual([
      'project.completed {"state":"COMPLETE"}',
      'project.ended {"status":"completed","state":"TIDY"}',
    ]);
    const [entered, completed] = bench.project.events.slice(2, 4);
    expect(completed?.version).toBe(entered?.version);
  });

  it.each(['resolve', 'rework'])('is told once, however often it is entered: %s', async (decision) => {
    let tries = 0;
    const bench = new Bench(team(async () => report(++tries === 1 ? 'blocked' : 'finalised')));
    await bench.drive();
    expect(bench.project).toMatchObject({ status: 'blocked', state: 'BLOCKED' });
    decide(bench, decision, 3);
    await bench.drive();
    expect(tries).toBe(2);
    expect(ends(bench)).toEqual([
      'project.completed {"state":"COMPLETE"}',
      'project.ended {"status":"completed","state":"TIDY"}',
    ]);
  });

  it('leaves the end of a project that is aborted afterwards an aborted one', async () => {
    const bench = new Bench(team(async () => report('blocked')));
    await bench.drive();
    bench.command('ABORT', 3);
    await bench.drive();
    expect(ends(bench)).toEqual(['project.completed {"state":"COMPLETE"}', 'project.aborted {"state":"TIDY"}']);
  });

  it('leaves a fault of the engine a failure', async () => {
    const bench = new Bench(team(async () => report('never:heard')));
    await bench.drive();
    expect(bench.events.filter((type) => type.startsWith('project.')).slice(1)).toEqual([
      'project.completed',
      'project.failed',
    ]);
  });

  it('completes nothing for a project that is aborted into it', async () => {
    const { machine, ...rest } = team(async () => report('finalised'));
    const bench = new Bench({ machine: { ...machine, abortTo: 'COMPLETE' }, ...rest });
    bench.command('ABORT');
    await bench.drive();
    expect(ends(bench)).toEqual(['project.aborted {"state":"TIDY"}']);
  });

  it('is told anew of a project that begins with the counters of another', () => {
    const { machine } = team(async () => report('finalised'));
    const before = { ...initialSnapshot(machine, {}), state: 'TIDY', counters: withCompletion({ rounds: 2 }) };
    expect(isWorkComplete(before)).toBe(true);
    const forked = { ...before, counters: withoutCompletion(before.counters) };
    expect(forked.counters).toEqual({ rounds: 2 });
    const facts = { id: 'p', parent: null, parameters: {} } as unknown as Parameters<typeof nextWrite>[0]['facts'];
    const after = { ...forked, ended: true };
    const { events } = nextWrite({ machine, facts, before: forked, after, version: 2, cause: 'tidied' });
    expect(events).toEqual([{ type: 'project.completed', data: { state: 'TIDY' } }]);
  });
});
