import { expect, it } from 'vitest';
import { Room } from './room.js';

const never = new AbortController().signal;

it('lets in what fits, and the others in their turn', async () => {
  const room = new Room(10, 5);
  const order: string[] = [];
  const leave = await room.enter(8, never);
  const big = room.enter(9, never).then((left) => (order.push('big'), left));
  const small = room.enter(1, never).then((left) => (order.push('small'), left));
  await Promise.resolve();
  expect(order).toEqual([]);
  leave();
  leave();
  await Promise.all([big, small]);
  expect(order).toEqual(['big', 'small']);
  (await big)();
  (await small)();
  (await room.enter(99, never))();
});

it('refuses whom its queue cannot hold, and forgets who went away', async () => {
  const room = new Room(1, 1);
  const leave = await room.enter(1, never);
  const gone = new AbortController();
  const waiting = room.enter(1, gone.signal);
  await expect(room.enter(1, never)).rejects.toMatchObject({ status: 503, code: 'PROXY_BUSY' });
  gone.abort();
  await expect(waiting).rejects.toMatchObject({ code: 'REQUEST_GONE' });
  const next = room.enter(1, never);
  leave();
  (await next)();
});
