import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '#kernel';
import { type DeskWorld, openDeskWorld } from './desk.fixture.js';

let world: DeskWorld;
beforeAll(async () => {
  world = await openDeskWorld(process.env['PATH'] ?? '');
});
afterAll(() => world.close());

const projects = async (): Promise<number> =>
  Number((await world.pool.query<{ count: string }>('SELECT count(*) FROM project')).rows[0]?.count);

async function refusalOf(order: JsonObject): Promise<unknown> {
  const before = await projects();
  const error: unknown = await world.start(order).then(
    () => 'none',
    (reason: unknown) => reason,
  );
  expect(await projects()).toBe(before);
  return error;
}

describe('an order that its mode would not heed', () => {
  it.each<[string, JsonObject]>([
    ['webhook', { webhook: { url: 'https://example.org' } }],
    ['commitArtifacts', { commitArtifacts: true }],
    ['agents', { agents: { pin: [], forbid: ['tester'] } }],
    ['variant', { variant: 'quick' }],
    ['repo', { repo: { path: '/' } }],
  ])('is refused for its %s, and starts nothing', async (name, asked) => {
    expect(await refusalOf(asked)).toMatchObject({
      name: 'UserError',
      code: 'OPTION_NOT_AVAILABLE',
      message: `the mode desk has no option ${name}; it knows verify`,
      details: { mode: 'desk', unknown: [name], known: ['verify'] },
    });
  });

  it('is refused for a gate that cannot be switched off', async () => {
    expect(await refusalOf({ gates: { go: false, stop: false } })).toMatchObject({
      code: 'OPTION_NOT_AVAILABLE',
      details: { mode: 'desk', unknown: ['stop'], known: ['go'] },
    });
  });

  it('is none where it asks for nothing more than the mode knows', async () => {
    const order = {
      variant: null,
      commitArtifacts: false,
      verify: ['true'],
      budget: { usd: '1' },
      gates: { go: false },
    };
    expect(await world.start(order)).toMatchObject({ status: 'waiting' });
  });
});
