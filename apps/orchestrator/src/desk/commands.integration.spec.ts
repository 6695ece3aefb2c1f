import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '#kernel';
import type { Operation } from '../http/index.js';
import { type DeskWorld, openDeskWorld, operation } from './desk.fixture.js';

let world: DeskWorld;
beforeAll(async () => {
  world = await openDeskWorld(process.env['PATH'] ?? '');
});
afterAll(() => world.close());

const byService = (): Operation => ({ ...operation(), by: { keyId: newId(), principal: 'service' } });

it('a command that only a person may give now is refused as such to a service', async () => {
  const { id } = await world.start();
  await expect(world.desk.command(id, 'RETRY', byService())).rejects.toMatchObject({
    code: 'HUMAN_REQUIRED',
    message: expect.stringContaining('RETRY in ASKING') as string,
  });
  expect(await world.signals(id)).toEqual([]);
  expect(await world.desk.command(id, 'RETRY', operation())).toMatchObject({ command: 'RETRY' });
});

it('a command that nobody may give now is refused with those that the caller may', async () => {
  const { id } = await world.start();
  await expect(world.desk.command(id, 'SKIP', byService())).rejects.toMatchObject({
    code: 'COMMAND_NOT_ALLOWED',
    details: { allowed: ['PAUSE', 'ABORT', 'STATUS'], state: 'ASKING' },
  });
});
