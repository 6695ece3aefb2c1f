import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { newWorld, type World } from '../worktree/worktree.fixture.js';
import { readAnchor } from './anchor.js';
import { Artefacts } from './artefacts.js';

let world: World;
beforeEach(() => {
  world = newWorld(process.env['PATH']);
});
afterEach(() => world.remove());

const artefacts = new Artefacts();
const checksum = 'ab'.repeat(32);
const place = () => ({ repo: world.repo, name: '001-first-work' });
const drop = (): Promise<void> => {
  const anchor = JSON.stringify({ project: 'p-1', seq: 7, checksum });
  return artefacts.writeAll(place(), [['checkpoints/000007.json', anchor], ['checkpoints/latest.json', anchor]]); // prettier-ignore
};
const latest = () => join(world.repo, '.qralph/projects/001-first-work/checkpoints/latest.json');

it('is what a project says of its newest checkpoint, and of nobody else’s', async () => {
  expect(await readAnchor(artefacts, place(), 'p-1')).toBeNull();
  await drop();
  expect(await readAnchor(artefacts, place(), 'p-1')).toEqual({ seq: 7, checksum });
  expect(await readAnchor(artefacts, place(), 'p-2')).toBeNull();
  expect((await artefacts.list(place())).map(({ name }) => name)).toEqual([
    'checkpoints/000007.json',
    'checkpoints/latest.json',
  ]);
});

it.each(['', '{', 'null', '[]', '{"project":"p-1","seq":"7","checksum":"x"}', '{"project":"p-1","seq":7}'])(
  'is none where %j stands in its place',
  async (text) => {
    await drop();
    writeFileSync(latest(), text);
    expect(await readAnchor(artefacts, place(), 'p-1')).toBeNull();
  },
);

it('is not read through a link', async () => {
  await drop();
  rmSync(latest());
  symlinkSync(join(world.repo, '.qralph/projects/001-first-work/checkpoints/000007.json'), latest());
  expect(await readAnchor(artefacts, place(), 'p-1')).toBeNull();
});
