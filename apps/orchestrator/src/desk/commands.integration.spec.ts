import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '#kernel';
import { PgCommands, PgPace } from '#persistence';
import type { Operation } from '../http/index.js';
import { type DeskWorld, obeying, openDeskWorld, operation } from './desk.fixture.js';

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

const given = (id: string) => new PgCommands(world.pool).list(id, { limit: 50 });

it('a command that is refused leaves an event of who gave it, through which door, and why not', async () => {
  const { id } = await world.start();
  const by = byService();
  await expect(world.desk.command(id, 'RETRY', by)).rejects.toMatchObject({ code: 'HUMAN_REQUIRED' });
  const told = { id: by.id, command: 'RETRY', door: 'api', by: 'service', key: by.by.keyId, state: 'ASKING' };
  const why = 'RETRY in ASKING needs a human principal';
  expect(await world.events(id, 'command.refused')).toEqual([{ ...told, why, allowed: ['PAUSE', 'ABORT', 'STATUS'] }]);
  expect((await given(id)).data).toMatchObject([{ id: by.id, command: 'RETRY', outcome: 'refused', effect: why }]);
});

it('a command that is refused is told of once, however often its request is repeated', async () => {
  const { id } = await world.start();
  const by = byService();
  const again = () => world.desk.command(id, 'RETRY', by);
  await expect(again()).rejects.toMatchObject({ code: 'HUMAN_REQUIRED' });
  await Promise.all([again(), again()].map((one) => expect(one).rejects.toMatchObject({ code: 'HUMAN_REQUIRED' })));
  expect(await world.events(id, 'command.refused')).toHaveLength(1);
  await expect(world.desk.command(id, 'RETRY', byService())).rejects.toMatchObject({ code: 'HUMAN_REQUIRED' });
  expect(await world.events(id, 'command.refused')).toHaveLength(2);
});

it('a project whose newest checkpoint is bad and held refuses commands with an event, and answers STATUS', async () => {
  const { id } = await world.start();
  await world.pool.query(`UPDATE checkpoint SET body = '{}' WHERE project_id = $1`, [id]);
  const desk = world.deskWith({ config: { ...world.parts.config, onCorrupt: 'hold' } });
  const abort = operation();
  for (let nth = 0; nth < 2; nth += 1) {
    await expect(desk.command(id, 'ABORT', abort)).rejects.toMatchObject({ code: 'CHECKPOINT_CORRUPT' });
  }
  expect(await world.events(id, 'command.refused')).toMatchObject([
    { id: abort.id, command: 'ABORT', state: 'ASKING', allowed: ['STATUS'] },
  ]);
  expect(await desk.command(id, 'STATUS', operation())).toMatchObject({ command: 'STATUS' });
  expect((await given(id)).data).toMatchObject([
    { command: 'STATUS', outcome: 'applied' },
    { command: 'ABORT', outcome: 'refused' },
  ]);
  expect(await world.signals(id)).toEqual([]);
});

it('commands are judged by what waits to be obeyed: twice is refused, and taking one back is not', async () => {
  const { id } = await world.start();
  await world.desk.command(id, 'PAUSE', operation());
  await expect(world.desk.command(id, 'PAUSE', operation())).rejects.toMatchObject({
    code: 'COMMAND_NOT_ALLOWED',
    details: { allowed: ['RESUME', 'ABORT', 'STATUS'] },
  });
  await world.desk.command(id, 'RESUME', operation());
  await world.desk.command(id, 'ABORT', operation());
  await expect(world.desk.command(id, 'ABORT', operation())).rejects.toMatchObject({ code: 'COMMAND_NOT_ALLOWED' });
  expect((await given(id)).data.map(({ command, outcome }) => `${command} ${outcome}`)).toEqual([
    'ABORT refused', 'ABORT pending', 'RESUME pending', 'PAUSE refused', 'PAUSE pending',
  ]); // prettier-ignore
  expect((await world.signals(id)).map(({ command }) => command)).toEqual(['PAUSE', 'RESUME', 'ABORT']);
});

it('an ended project refuses commands clearly, and answers STATUS', async () => {
  const { id } = await world.start();
  await world.desk.command(id, 'ABORT', operation());
  await world.drive(id, obeying());
  await expect(world.desk.command(id, 'PAUSE', operation())).rejects.toMatchObject({
    code: 'COMMAND_NOT_ALLOWED',
    message: expect.stringContaining('the project has ended, it is aborted') as string,
    details: { allowed: ['STATUS'] },
  });
  expect(await world.desk.command(id, 'STATUS', operation())).toMatchObject({ command: 'STATUS' });
  expect((await given(id)).data).toHaveLength(3);
});

it('the list of commands is paged, newest first', async () => {
  const { id } = await world.start();
  for (const command of ['PAUSE', 'RESUME', 'PAUSE'] as const) await world.desk.command(id, command, operation());
  const commands = new PgCommands(world.pool);
  const first = await commands.list(id, { limit: 2 });
  const second = await commands.list(id, { limit: 2, cursor: first.nextCursor ?? '' });
  expect([...first.data, ...second.data].map(({ command }) => command)).toEqual(['PAUSE', 'RESUME', 'PAUSE']);
  expect(second.nextCursor).toBeNull();
});

it('STATUS is answered and told of, and nothing of it goes into the inbox', async () => {
  const { id } = await world.start();
  const once = operation();
  for (let nth = 0; nth < 2; nth += 1)
    expect(await world.desk.command(id, 'STATUS', once)).toMatchObject({ id: once.id });
  expect(await world.signals(id)).toEqual([]);
  expect((await given(id)).data).toMatchObject([{ id: once.id, command: 'STATUS', outcome: 'applied' }]);
});

it('whoever commands too fast, or into a full inbox, is refused without a trace; giving up is always possible', async () => {
  const counted: string[] = [];
  const desk = world.deskWith({
    config: { ...world.parts.config, steering: { perMinute: 4, mostWaiting: 2 } },
    pace: new PgPace(world.pool, 4),
    counts: (_door, outcome) => counted.push(outcome),
    countsDecisions: (outcome) => counted.push(`decision ${outcome}`),
  });
  const { id } = await world.start();
  const { by } = byService();
  const give = (command: 'PAUSE' | 'RESUME' | 'RETRY' | 'ABORT') => desk.command(id, command, { ...operation(), by });
  await give('PAUSE');
  await give('RESUME');
  await expect(give('PAUSE')).rejects.toMatchObject({ code: 'INBOX_FULL' });
  await expect(give('RETRY')).rejects.toMatchObject({ code: 'HUMAN_REQUIRED' });
  for (let nth = 0; nth < 3; nth += 1) await expect(give('RETRY')).rejects.toMatchObject({ code: 'STEERED_TOO_FAST' });
  await expect(desk.decide(id, 'go', { decision: 'yes' }, { ...operation(), by })).rejects.toMatchObject({
    code: 'STEERED_TOO_FAST',
  });
  await expect(desk.decide(id, 'no-gate', { decision: 'yes' }, operation())).rejects.toMatchObject({
    code: 'GATE_NOT_OPEN',
  });
  await give('ABORT');
  await expect(give('ABORT')).rejects.toMatchObject({ code: 'STEERED_TOO_FAST' });
  expect((await given(id)).data.map(({ command }) => command)).toEqual(['ABORT', 'RETRY', 'RESUME', 'PAUSE']);
  expect(await world.events(id, 'gate.refused')).toMatchObject([{ gate: 'no-gate' }]);
  expect(counted.filter((one) => one.startsWith('decision'))).toEqual(['decision limited', 'decision refused']);
  expect(counted.filter((one) => one === 'limited')).toHaveLength(5);
});

it('a command on a checkpoint that is not the newest any more is refused with what has happened since', async () => {
  const { id } = await world.start();
  const { desk } = world;
  await desk.decide(id, 'go', { decision: 'again' }, operation());
  await world.drive(id, obeying());
  const by = operation();
  await expect(desk.command(id, 'RETRY', by, 1)).rejects.toMatchObject({
    code: 'GATE_CHANGED',
    message: 'the project has moved on from checkpoint 1 to 2, and stands in ASKING: look again',
    details: { from: 1, to: 2, state: 'ASKING', gate: 'go', happened: [{ type: 'gate.decided', decision: 'again' }] },
  });
  expect(await world.events(id, 'command.refused')).toMatchObject([{ id: by.id, command: 'RETRY', state: 'ASKING' }]);
  expect(await world.signals(id)).toHaveLength(1);
  const now = operation();
  expect(await desk.command(id, 'RETRY', now, 2)).toMatchObject({ command: 'RETRY' });
  await world.drive(id, obeying());
  // The same request once more, its answer lost: it was taken.
  expect(await desk.command(id, 'RETRY', now, 2)).toMatchObject({ id: now.id });
});
