import { expect, it } from 'vitest';
import { newId } from '#kernel';
import type { QueueBench } from './queue-bench.js';
import { type Handle, handlers, promised, soon, texts } from './queue-under-test.js';

/** Every job arrives, fails and is counted as the port says. */
export function itDelivers(bench: QueueBench): void {
  it('delivers every job that was added, whatever its kind', async () => {
    const queue = await bench.open();
    const seen: string[] = [];
    const record: Handle = async ({ text }) => void seen.push(text);
    await queue.start(handlers(record, record));
    await queue.add('note', texts(3, 'note'));
    await queue.add('brief', texts(2, 'brief'));
    await expect.poll(() => [...seen].sort(), soon).toEqual(['brief0', 'brief1', 'note0', 'note1', 'note2']);
  });

  it('delivers many jobs, added at once and one by one, to several consumers', async () => {
    const name = `q-${newId()}`;
    const [one, two] = [await bench.open(name), await bench.open(name)];
    const seen = new Set<string>();
    const record: Handle = async ({ text }) => void seen.add(text);
    await Promise.all([one.start(handlers(record)), two.start(handlers(record))]);
    await Promise.all([
      one.add('note', texts(400, 'bulk')),
      ...texts(100, 'single').map((payload) => two.add('note', [payload])),
    ]);
    await expect.poll(() => seen.size, soon).toBe(500);
  });

  it('delivers after a close and a reopening what was added before', async () => {
    const name = `q-${newId()}`;
    const before = await bench.open(name);
    await before.add('note', texts(5));
    await before.close(1_000);
    const after = await bench.open(name);
    const seen: string[] = [];
    await after.start(handlers(async ({ text }) => void seen.push(text)));
    await expect.poll(() => seen.length, soon).toBe(5);
  });

  it('delivers the same payload as often as it was added', async () => {
    const queue = await bench.open();
    let runs = 0;
    await queue.start(handlers(async () => void (runs += 1)));
    await queue.add('note', [{ text: 'same' }, { text: 'same' }]);
    await queue.add('note', [{ text: 'same' }]);
    await expect.poll(() => runs, soon).toBe(3);
  });

  it('gives a job that fails its attempts and then gives it up', async () => {
    const queue = await bench.open();
    let runs = 0;
    const fail: Handle = async () => {
      runs += 1;
      throw new Error('no luck');
    };
    await queue.start(handlers(fail));
    await queue.add('note', [{ text: 'x' }]);
    await expect.poll(async () => (await queue.depth()).failed, soon).toBe(1);
    expect(runs).toBe(3);
    expect(bench.logged).toContain('the job note failed');
    expect(await queue.depth()).toMatchObject({ waiting: 0, retrying: 0, active: 0 });
  });

  it('delivers a job whose first attempt failed', async () => {
    const queue = await bench.open();
    let runs = 0;
    const failOnce: Handle = async () => {
      if ((runs += 1) === 1) throw new Error('not yet');
    };
    await queue.start(handlers(failOnce));
    await queue.add('note', [{ text: 'x' }]);
    await expect.poll(() => runs, soon).toBe(2);
    await expect.poll(() => queue.depth(), soon).toMatchObject({ waiting: 0, retrying: 0, active: 0, failed: 0 });
  });

  it('aborts a handler at its time-out and goes on even if the handler never ends', async () => {
    const queue = await bench.open(undefined, { concurrency: 1 });
    const reasons: unknown[] = [];
    const hang: Handle = (_payload, { signal }) =>
      new Promise<void>(() => signal.addEventListener('abort', () => reasons.push(signal.reason)));
    const seen: string[] = [];
    await queue.start(handlers(async ({ text }) => void seen.push(text), hang));
    await queue.add('brief', [{ text: 'hangs' }]);
    await expect.poll(async () => (await queue.depth()).failed, soon).toBe(1);
    expect(reasons).toMatchObject([{ code: 'JOB_TIMED_OUT' }, { code: 'JOB_TIMED_OUT' }]);
    await queue.add('note', [{ text: 'next' }]);
    await expect.poll(() => seen, soon).toEqual(['next']);
  });

  it('hands the trace context of the payload to whoever wraps the job', async () => {
    const wrapped: [string, string | null][] = [];
    const queue = await bench.open(undefined, {
      around: async (job, traceparent, work) => {
        wrapped.push([job, traceparent]);
        await work();
      },
    });
    let runs = 0;
    await queue.start(handlers(async () => void (runs += 1)));
    await queue.add('note', [{ text: 'a', traceparent: '00-11-22-01' }]);
    await expect.poll(() => runs, soon).toBe(1);
    await queue.add('note', [{ text: 'b' }]);
    await expect.poll(() => runs, soon).toBe(2);
    expect(wrapped).toEqual([
      ['note', '00-11-22-01'],
      ['note', null],
    ]);
  });

  it('answers a ping and tells how much waits and for how long', async () => {
    const queue = await bench.open();
    await queue.ping();
    expect(await queue.depth()).toEqual({ waiting: 0, retrying: 0, active: 0, failed: 0, oldestWaitingMs: null });
    await queue.add('note', texts(2));
    await expect.poll(async () => (await queue.depth()).oldestWaitingMs ?? 0, soon).toBeGreaterThan(50);
    const older = (await queue.depth()).oldestWaitingMs ?? 0;
    await queue.add('note', texts(1));
    const depth = await queue.depth();
    expect(depth).toMatchObject({ waiting: 3, active: 0 });
    expect(depth.oldestWaitingMs).toBeGreaterThanOrEqual(older);
    const held = promised<void>();
    await queue.start(handlers(() => held.promise));
    await expect.poll(() => queue.depth(), soon).toMatchObject({ waiting: 0, active: 3, oldestWaitingMs: null });
    held.resolve();
    await expect.poll(async () => (await queue.depth()).active, soon).toBe(0);
  });
}
