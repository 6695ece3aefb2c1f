import { describe, expect, it } from 'vitest';
import { WorldError } from '#kernel';
import { type ActivityContext, defineMachine, report, waitFor, waitForChildren } from '../index.js';
import { Bench, oneStep, POLICY } from './runner.fixture.js';

const done = report('done');
const once = (run: () => Promise<number>) => (context: ActivityContext) =>
  context.effect({ step: 'count', settle: { kind: 'repeat' }, run }).then(() => done);

/** An effect that runs until it is let go, and tells when it has begun. */
function held() {
  let begin: () => void = () => undefined;
  let letGo: () => void = () => undefined;
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const released = new Promise<void>((resolve) => (letGo = resolve));
  return { begun, letGo, begin, released };
}

describe('a project runner', () => {
  it('drives a project through its states to the end', async () => {
    const bench = new Bench(oneStep(async () => done));
    await bench.drive();
    expect(bench.project).toMatchObject({ state: 'DONE', status: 'completed', leaseWorker: null, runnable: false });
    expect(bench.events).toEqual(['project.created', 'activity.reported', 'state.entered', 'project.completed']);
  });

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

  it('pauses at the next safe point: what runs ends, nothing new starts, and RESUME goes on from there', async () => {
    const { begun, begin, letGo, released } = held();
    const ran: string[] = [];
    const bench = new Bench(
      oneStep(async ({ effect }) => {
        for (const step of ['first', 'second']) {
          await effect({
            step,
            settle: { kind: 'repeat' },
            run: async () => {
              ran.push(step);
              if (step === 'first') begin();
              if (step === 'first') await released;
              return null;
            },
          });
        }
        return done;
      }),
    );
    const runner = await bench.claim();
    const driving = runner?.drive();
    await begun;
    bench.command('PAUSE');
    await runner?.signalled(1);
    letGo();
    await driving;
    expect(ran).toEqual(['first']);
    expect(bench.project).toMatchObject({ status: 'paused', leaseWorker: null });
    bench.command('RESUME');
    await bench.drive();
    expect(ran).toEqual(['first', 'second']);
    expect(bench.project.status).toBe('completed');
  });

  it('aborts in the middle of an effect through its signal', async () => {
    const { begun, begin } = held();
    let reason: unknown;
    const bench = new Bench(
      oneStep(async ({ effect }) => {
        await effect({
          step: 'long',
          settle: { kind: 'repeat' },
          run: ({ signal }) =>
            new Promise<null>((_, reject) => {
              signal.addEventListener('abort', () => reject((reason = new Error('stopped'))));
              begin();
            }),
        });
        return done;
      }),
    );
    const runner = await bench.claim();
    const driving = runner?.drive();
    await begun;
    bench.command('ABORT');
    await runner?.signalled(1);
    await driving;
    expect(reason).toBeInstanceOf(Error);
    expect(bench.project).toMatchObject({ state: 'STOPPED', status: 'aborted' });
  });

  it('leaves an activity behind that does not end by its deadline, and nothing it does later counts', async () => {
    const { begun, begin, letGo, released } = held();
    let late: unknown = 'never tried';
    const bench = new Bench(
      oneStep(async ({ effect }) => {
        begin();
        await released;
        late = await effect({ step: 'late', settle: { kind: 'repeat' }, run: async () => 1 }).catch(
          (error: unknown) => error,
        );
        return done;
      }),
    );
    const runner = await bench.claim();
    const driving = runner?.drive();
    await begun;
    bench.command('ABORT');
    await runner?.signalled(1);
    await driving;
    expect(bench.project.status).toBe('aborted');
    const events = bench.events.length;
    letGo();
    await new Promise((resolve) => setImmediate(resolve));
    expect(late).toBeInstanceOf(Error);
    expect(bench.events).toHaveLength(events);
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

  it('stops what runs when its worker learns that the project is somebody else’s', async () => {
    const { begun, begin } = held();
    let wasTold = false;
    const activity = once(
      () => new Promise<number>((_, reject) => (begin(), onAbort(() => ((wasTold = true), reject(new Error('told')))))),
    );
    let onAbort: (then: () => void) => void = () => undefined;
    const bench = new Bench(
      oneStep((context) => {
        onAbort = (then) => context.signal.addEventListener('abort', then);
        return activity(context);
      }),
    );
    const runner = await bench.claim(bench.id, 'slow');
    const driving = runner?.drive();
    await begun;
    bench.now = 5_000;
    await bench.claim(bench.id, 'quick');
    runner?.stop(true);
    expect(await driving).toBe('lost');
    expect(wasTold).toBe(true);
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

  it('stops without a word when another worker has taken the project', async () => {
    const { begun, begin, letGo, released } = held();
    const bench = new Bench(oneStep(once(async () => (begin(), await released, 1)))); // prettier-ignore
    const slow = (await bench.claim(bench.id, 'slow'))?.drive();
    await begun;
    bench.now = 5_000;
    const quick = (await bench.claim(bench.id, 'quick'))?.drive();
    letGo();
    expect(await slow).toBe('lost');
    expect(await quick).toBe('released');
    expect(bench.store.staleWrites).not.toEqual([]);
    expect(bench.project.status).toBe('completed');
    expect(bench.events).toContain('project.taken-over');
    expect(bench.events).toContain('effect.repeated');
  });

  it('hands the project back at a safe point when its worker stops, and it can be driven on', async () => {
    const { begun, begin, letGo, released } = held();
    let first = true;
    const bench = new Bench(
      oneStep(async ({ effect }) => {
        await effect({
          step: 'a',
          settle: { kind: 'repeat' },
          run: async () => (begin(), first && (await released), null),
        });
        await effect({ step: 'b', settle: { kind: 'repeat' }, run: async () => null });
        return done;
      }),
    );
    const runner = await bench.claim();
    const driving = runner?.drive();
    await begun;
    runner?.stop(false);
    first = false;
    letGo();
    await driving;
    expect(bench.project).toMatchObject({ status: 'running', leaseWorker: null, runnable: true });
    await bench.drive();
    expect(bench.project.status).toBe('completed');
  });

  it('checkpoints a step that runs long, on the way', async () => {
    const { begun, begin, letGo, released } = held();
    const bench = new Bench(oneStep(once(async () => (begin(), await released, 1))), [], { ...POLICY, checkpointEveryMs: 5 }); // prettier-ignore
    const driving = bench.drive();
    await begun;
    const links = bench.project.links.length;
    await expect.poll(() => bench.project.links.length, { timeout: 5_000 }).toBeGreaterThan(links);
    letGo();
    await driving;
    expect(bench.project.status).toBe('completed');
  });
});
