import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { EngineBudgetDesk } from './budget-desk.js';
import { type DeskWorld, openDeskWorld, operation } from './desk.fixture.js';

let world: DeskWorld;
beforeAll(async () => {
  world = await openDeskWorld(process.env['PATH'] ?? '');
});
afterAll(() => world.close());

const order = { request: 'ask', mode: 'desk', parameters: {}, labels: {} } as never;

it('a worker in the same process hears of everything that is left for it, and of nothing that was refused', async () => {
  const onLeft = vi.fn();
  const desk = world.deskWith({ onLeft });
  const { id } = await desk.start(order, operation());
  expect(onLeft).toHaveBeenCalledTimes(1);
  await desk.decide(id, 'go', { decision: 'again' }, operation());
  await desk.command(id, 'PAUSE', operation());
  await desk.fork(id, 1, operation());
  expect(onLeft).toHaveBeenCalledTimes(4);
  await desk.restore(id, 1, operation());
  await new EngineBudgetDesk({ ...world.parts, onLeft }).change(id, { usd: '9' }, operation());
  expect(onLeft).toHaveBeenCalledTimes(6);
  await expect(desk.decide(id, 'go', { decision: 'maybe' }, operation())).rejects.toThrow();
  expect(onLeft).toHaveBeenCalledTimes(6);
});
