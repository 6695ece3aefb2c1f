import { describe, expect, it } from 'vitest';
import { systemClock, WorldError } from '#kernel';
import { type ActivityContext, defineMachine, report, waitFor, waitForChildren } from '../index.js';
import { Bench, done, held, once, oneStep, POLICY } from './runner.fixture.js';

describe('the run of a state', () => {
  it('reads a finished effect back after a crash instead of running it again', async () => {
    let runs = 0;
    const bench = new Bench(oneStep(once(async () => ++runs)));
    await bench.store.heartbeat('w0', 1_000);
    const claim = await bench.store.claim(bench.id, 'w0');
    if (claim.kind !== 'claimed') throw new Error('not claimed');
    const entry = { key: '1/1/count', status: 'done', attempt: 1, outcome: 7 } as const;
    await bench.store.write(claim.project.lease, { number: 1, journal: [entry] });
    await bench.store.retire('w0');
    await bench.drive();
    expect(runs).toBe(0);
    expect(bench.project.status).toBe('completed');
  });

  it('asks a person when only a person can know how an effect ended, and obeys', async () => {
    for (const decision of ['done', 'repeat'] as const) {
      let runs = 0;
      const bench = new Bench(
        oneStep(async ({ effect }) => {
          await effect({ step: 'tell', settle: { kind: 'ask', question: 'told?' }, run: async () => ++runs });
          return done;
        }),
      );
      await bench.store.heartbeat('w0', 1_000);
      const claim = await bench.store.claim(bench.id, 'w0');
      if (claim.kind !== 'claimed') throw new Error('not claimed');
      const entry = { key: '1/1/tell', status: 'started', attempt: 1, outcome: null } as const;
      await bench.store.write(claim.project.lease, { number: 1, journal: [entry] });
      await bench.store.retire('w0');
      await bench.drive();
      expect(bench.project).toMatchObject({ status: 'waiting', state: 'WORKING' });
      bench.store.signal(bench.id, 'service', { kind: 'decision', gate: 'settle-effect', decision, visit: 1 });
      await bench.drive();
      expect(bench.project.status).toBe('waiting');
      bench.store.signal(bench.id, 'human', { kind: 'decision', gate: 'settle-effect', decision, visit: 1 });
      await bench.drive();
      expect(bench.project.status).toBe('completed');
      expect(runs).toBe(decision === 'done' ? 0 : 1);
    }
  });

  it('blocks visibly after a step failed too often, and RETRY runs it again with what had finished', async () => {
    let healthy = false;
    const runs = { good: 0, bad: 0 };
    const bench = new Bench(
      oneStep(async ({ effect }) => {
        await effect({ step: 'good', settle: { kind: 'repeat' }, run: async () => ++runs.good });
        await effect({
          step: 'bad',
          settle: { kind: 'repeat' },
          run: async () => {
            runs.bad += 1;
            if (!healthy) throw new WorldError('DISK_FULL', 'no space left');
            return null;
          },
        });
        return done;
      }),
    );
    await bench.drive();
    expect(bench.project).toMatchObject({ status: 'blocked', state: 'WORKING' });
    expect(runs).toEqual({ good: 1, bad: 1 + POLICY.stepRetries });
    healthy = true;
    bench.command('RETRY');
    await bench.drive();
    expect(bench.project.status).toBe('completed');
    expect(runs.good).toBe(1);
  });

  it('waits longer before each new try of a failed step', async () => {
    const slept: number[] = [];
    const clock = { now: () => 0, sleep: async (ms: number) => void slept.push(ms) };
    const policy = { ...POLICY, stepRetries: 3, stepBackoffMs: 100, checkpointEveryMs: 1 };
    const failing = oneStep(() => {
      throw new WorldError('BUSY', 'not now');
    });
    const bench = new Bench(failing, [], { ...policy, checkpointEveryMs: 2 ** 30 }, clock);
    await bench.drive();
    expect(slept.filter((ms) => ms < 2 ** 30)).toEqual([100, 200, 400]);
    expect(bench.project.status).toBe('blocked');
  });

  it('fails, and says so, when an activity reports what the table does not know', async () => {
    const bench = new Bench(oneStep(async () => report('surprise')));
    await bench.drive();
    expect(bench.project.status).toBe('failed');
    expect(bench.events).toContain('project.failed');
    const poisoned = new Bench(oneStep(async () => report('done', JSON.parse('{"__proto__": 1}') as { x: number })));
    await poisoned.drive();
    expect(poisoned.project.status).toBe('failed');
  });

  it('waits for a time without holding the project, and goes on when it is woken', async () => {
    let visits = 0;
    const bench = new Bench(oneStep(async () => (++visits === 1 ? waitFor(500, 'rate limit') : done)));
    await bench.drive();
    expect(bench.project).toMatchObject({ status: 'running', leaseWorker: null, runnable: false });
    expect(await bench.store.fireDueTimers(10)).toBe(0);
    bench.now = 500;
    expect(await bench.store.fireDueTimers(10)).toBe(1);
    await bench.drive();
    expect(bench.project.status).toBe('completed');
  });

  it('fans out to children that any worker may take, and joins their results in the order asked for', async () => {
    const task = {
      machine: defineMachine(
        'task',
        1,
        { RUN: { do: 'run', on: { ok: 'OK' } }, OK: { end: 'completed' } },
        { abortTo: 'OK' },
      ),
      guards: {},
      activities: { run: async ({ context }: ActivityContext) => report('ok', { result: [context['n'] ?? null] }) },
    };
    let joined: unknown;
    const parent = oneStep(async (activity) => {
      const children = [3, 1, 2].map((n) => ({ key: `c${String(n)}`, machine: 'task', context: { n } }));
      const results = await activity.joined(children);
      if (!results) return waitForChildren(children);
      joined = results.map((result) => result.result);
      return done;
    });
    const bench = new Bench(parent, [task]);
    await bench.drive();
    const children = [...bench.store.projects.keys()].filter((id) => id !== bench.id);
    expect(children).toHaveLength(3);
    for (const child of children) {
      expect(bench.project.status).toBe('running');
      await bench.drive(child, 'w2');
      await bench.drive();
    }
    expect(joined).toEqual([[3], [1], [2]]);
    expect(bench.project.status).toBe('completed');
  });

  it('checkpoints a step that runs long, on the way', async () => {
    const { begun, begin, letGo, released } = held();
    let now = 0;
    const clock = { ...systemClock, now: () => now };
    const bench = new Bench(oneStep(once(async () => (begin(), await released, 1))), [], POLICY, clock); // prettier-ignore
    const runner = await bench.claim();
    const driving = runner?.drive();
    await begun;
    const links = bench.project.links.length;
    runner?.beat();
    expect(bench.project.links).toHaveLength(links);
    for (let nth = 1; nth <= 3; nth += 1) {
      now += POLICY.checkpointEveryMs;
      runner?.beat();
      runner?.beat();
      await expect.poll(() => bench.project.links.length).toBe(links + nth);
    }
    letGo();
    await driving;
    const causes = bench.project.links.map((link) => readCause(link.body));
    expect(causes.filter((cause) => cause === 'interval')).toHaveLength(3);
    expect(bench.project.links).toHaveLength(links + 4);
    expect(bench.project.status).toBe('completed');
  });
});

const readCause = (body: Uint8Array): unknown => (JSON.parse(Buffer.from(body).toString()) as { cause: unknown }).cause;
