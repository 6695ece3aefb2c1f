import { describe, expect, it } from 'vitest';
import { Bench, done, held, once, oneStep } from './runner.fixture.js';

describe('a project runner', () => {
  it('drives a project through its states to the end', async () => {
    const bench = new Bench(oneStep(async () => done));
    await bench.drive();
    expect(bench.project).toMatchObject({ state: 'DONE', status: 'completed', leaseWorker: null, runnable: false });
    expect(bench.events).toEqual(['project.created', 'activity.reported', 'state.entered', 'project.completed']);
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
});
