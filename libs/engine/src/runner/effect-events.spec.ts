import { describe, expect, it } from 'vitest';
import { UserError, WorldError } from '#kernel';
import type { EffectRun } from '../index.js';
import { Bench, done, held, oneStep, POLICY } from './runner.fixture.js';

const telling = (run: (effect: EffectRun) => Promise<number>) =>
  oneStep(async ({ effect }) => {
    await effect({ step: 'tell', settle: { kind: 'repeat' }, run });
    return done;
  });

describe('what an effect tells', () => {
  it('stands in the history before the word that the effect has finished', async () => {
    const bench = new Bench(
      telling(async ({ tell }) => {
        tell('tool.called', { tool: 'read' });
        tell('tool.called', { tool: 'write' });
        return 1;
      }),
    );
    await bench.drive();
    const from = bench.events.indexOf('effect.started');
    expect(bench.events.slice(from, from + 4)).toEqual([
      'effect.started',
      'tool.called',
      'tool.called',
      'effect.finished',
    ]);
  });

  it('is kept when the effect fails', async () => {
    const bench = new Bench(
      telling(async ({ tell, attempt }) => {
        tell('tool.called', { attempt });
        if (attempt === 1) throw new WorldError('AWAY', 'not there');
        return 1;
      }),
    );
    await bench.drive();
    const told = bench.project.events.filter(({ type }) => type === 'tool.called');
    expect(told.map(({ data }) => data['attempt'])).toEqual([1, 2]);
  });

  it('is seen with the next heartbeat while the effect still runs', async () => {
    const hold = held();
    const bench = new Bench(
      telling(async ({ tell }) => {
        tell('tool.called', { tool: 'run' });
        hold.begin();
        await hold.released;
        return 1;
      }),
    );
    const runner = await bench.claim();
    const driven = runner?.drive();
    await hold.begun;
    expect(bench.events).not.toContain('tool.called');
    runner?.beat();
    await new Promise((resolve) => setImmediate(resolve));
    expect(bench.events).toContain('tool.called');
    hold.letGo();
    await driven;
    expect(bench.events.filter((type) => type === 'tool.called')).toHaveLength(1);
  });

  it('is cut short when it is too much, and says so', async () => {
    const bench = new Bench(
      telling(async ({ tell }) => {
        for (let n = 0; n < 1_000; n += 1) tell('noise', { n });
        return 1;
      }),
    );
    await bench.drive();
    expect(bench.events.filter((type) => type === 'noise')).toHaveLength(200);
    expect(bench.project.events.find(({ type }) => type === 'events.dropped')?.data).toEqual({ count: 800 });
  });
});

it('what others look for in the history is never cut, however much was told before it', async () => {
  const bench = new Bench(
    telling(async ({ tell }) => {
      for (let n = 0; n < 300; n += 1) tell('noise', { n });
      tell('note.delivered', { note: 'n' }, true);
      return 1;
    }),
  );
  await bench.drive();
  expect(bench.events.filter((type) => type === 'note.delivered')).toHaveLength(1);
  expect(bench.project.events.find(({ type }) => type === 'events.dropped')?.data).toEqual({ count: 100 });
});

describe('a step that fails by its user’s fault', () => {
  it('waits for a person at once: trying again would change nothing', async () => {
    let runs = 0;
    const bench = new Bench(
      telling(async () => {
        runs += 1;
        throw new UserError('REPO_BARE', 'the repository is bare; clone it');
      }),
    );
    await bench.drive();
    expect(bench.project.status).toBe('blocked');
    expect(runs).toBe(1);
    expect(POLICY.stepRetries).toBeGreaterThan(0);
  });
});
