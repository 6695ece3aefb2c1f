import { expect, it } from 'vitest';
import { newId } from '#kernel';
import type { JobHandler } from '#queue';
import type { QueueBench } from './queue-bench.js';
import { type Handle, handlers, nothing, promised, soon, type TestJobs, texts } from './queue-under-test.js';

/** Forged jobs, bad boots, closing under load, and a backend that goes away. */
export function itSurvivesFaults(bench: QueueBench): void {
  it('refuses forged and malformed jobs, counts them, tries them once and lets the others through', async () => {
    const name = `q-${newId()}`;
    const queue = await bench.open(name, { concurrency: 1 });
    const forged: [string, unknown][] = [
      ['rm -rf', { text: 'x' }],
      ['__proto__', { text: 'x' }],
      ['note', { text: 7 }],
      ['note', { text: 'x', extra: true }],
      ['note', null],
      ['note', 'text'],
      ['note', [1, 2, 3]],
      ['note', JSON.parse('{"text":"x","__proto__":{"a":1}}')],
    ];
    for (const [job, data] of forged) await bench.backend.forge(name, job, data);
    await queue.add('note', [{ text: 'genuine' }]);
    const seen: string[] = [];
    await queue.start(handlers(async ({ text }) => void seen.push(text)));
    await expect.poll(() => seen, soon).toEqual(['genuine']);
    await expect.poll(() => queue.depth(), soon).toMatchObject({ failed: forged.length, waiting: 0, retrying: 0 });
    expect(queue.rejected()).toBe(forged.length);
    expect(bench.logged).toContain('refused a job');
  });

  it('does not let a producer add what it would refuse', async () => {
    const queue = await bench.open();
    await expect(queue.add('note', [{ text: 7 as unknown as string }])).rejects.toMatchObject({ code: 'BAD_JOB' });
    expect((await queue.depth()).waiting).toBe(0);
  });

  it('does not start unless each job has exactly one handler', async () => {
    const queue = await bench.open();
    const [first, second] = handlers(nothing);
    const unknown = { job: 'other', handle: nothing } as unknown as JobHandler<TestJobs>;
    await expect(queue.start([first!])).rejects.toMatchObject({ code: 'MISSING_HANDLER' });
    await expect(queue.start([first!, second!, first!])).rejects.toMatchObject({ code: 'DOUBLE_HANDLER' });
    await expect(queue.start([first!, second!, unknown])).rejects.toMatchObject({ code: 'UNKNOWN_HANDLER' });
    expect(queue.isConsuming()).toBe(false);
    await queue.start([first!, second!]);
    expect(queue.isConsuming()).toBe(true);
  });

  it('waits for running handlers when it closes', async () => {
    const queue = await bench.open();
    const begun = promised<void>();
    const held = promised<void>();
    let ended = false;
    const hold: Handle = async () => {
      begun.resolve();
      await held.promise;
      ended = true;
    };
    await queue.start(handlers(hold));
    await queue.add('note', [{ text: 'x' }]);
    await begun.promise;
    const closing = queue.close(10_000);
    held.resolve();
    await closing;
    expect(ended).toBe(true);
    await expect(queue.add('note', texts(1))).rejects.toMatchObject({ code: 'QUEUE_CLOSED' });
  });

  it('aborts what still runs at the deadline of its close and leaves the job to others', async () => {
    const name = `q-${newId()}`;
    const queue = await bench.open(name);
    const begun = promised<AbortSignal>();
    await queue.start(
      handlers((_payload, { signal }) => {
        begun.resolve(signal);
        return new Promise<void>(() => undefined);
      }),
    );
    await queue.add('note', [{ text: 'handed over' }]);
    const signal = await begun.promise;
    const closingAt = performance.now();
    await queue.close(100);
    expect(performance.now() - closingAt).toBeLessThan(3_500);
    expect(signal.reason).toMatchObject({ code: 'QUEUE_CLOSED' });
    const seen: string[] = [];
    await (await bench.open(name)).start(handlers(async ({ text }) => void seen.push(text)));
    await expect.poll(() => seen, soon).toEqual(['handed over']);
  });

  it('gives the job of a killed process to another one, however often that happens', async () => {
    const name = `q-${newId()}`;
    const queue = await bench.open(name);
    await queue.add('note', [{ text: 'survives' }]);
    for (let kills = 0; kills < 3; kills += 1) {
      const consumer = await bench.backend.spawnHangingConsumer(name);
      await consumer.kill();
    }
    const seen: string[] = [];
    await queue.start(handlers(async ({ text }) => void seen.push(text)));
    await expect.poll(() => seen, soon).toEqual(['survives']);
  });

  it('fails fast while its backend is away and goes on by itself once it is back', async () => {
    const queue = await bench.open();
    const seen = new Set<string>();
    await queue.start(handlers(async ({ text }) => void seen.add(text)));
    await queue.add('note', [{ text: 'before' }]);
    await expect.poll(() => seen.has('before'), soon).toBe(true);

    await bench.backend.goAway();
    try {
      const askedAt = performance.now();
      await expect(queue.add('note', [{ text: 'lost' }])).rejects.toMatchObject({ code: 'QUEUE_AWAY' });
      await expect(queue.ping()).rejects.toMatchObject({ code: 'QUEUE_AWAY' });
      await expect(queue.depth()).rejects.toMatchObject({ code: 'QUEUE_AWAY' });
      expect(performance.now() - askedAt).toBeLessThan(10_000);
    } finally {
      await bench.backend.comeBack();
    }

    await expect.poll(() => queue.add('note', [{ text: 'after' }]).then(() => 'added', String), soon).toBe('added');
    await expect.poll(() => seen.has('after'), soon).toBe(true);
    await queue.ping();
  });

  it('closes in time while its backend is away', async () => {
    const queue = await bench.open();
    await queue.start(handlers(nothing));
    await bench.backend.goAway();
    try {
      const closingAt = performance.now();
      await queue.close(500);
      expect(performance.now() - closingAt).toBeLessThan(5_000);
    } finally {
      await bench.backend.comeBack();
    }
  });
}
