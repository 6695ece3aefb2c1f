import { afterEach, beforeEach, expect, it } from 'vitest';
import { newWorkshop } from '../git-workshop.fixture.js';
import type { GitWorkshop } from '../git-workshop.js';
import type { Worktree } from '../worktree/index.js';
import { openRoomWorld } from './clean-room.fixture.js';

const PATH = process.env['PATH'] ?? '/usr/bin:/bin';
const CONFIGURED_MS = 1_000;

let world: Awaited<ReturnType<typeof openRoomWorld>>;
let workshop: GitWorkshop;
let worktree: Worktree;
beforeEach(async () => {
  world = await openRoomWorld(PATH, { 'a.txt': 'one\n' });
  const { at, sandbox, project } = world.parts;
  ({ workshop } = newWorkshop(at, { pick: () => sandbox }, CONFIGURED_MS));
  worktree = await workshop.enter(project, { commit: null, incarnation: 1 }, at.abort.signal);
});
afterEach(() => world.remove());

it.each([
  ['the configured limit, if the other is smaller', 100, 0.3, 'itself'],
  ['the configured limit, if there is no other', undefined, 30, 'time-out'],
  ['the limit of the run, if that is larger', 20_000, 2, 'itself'],
] as const)('a command in the clean room may take %s', async (_, timeoutMs, seconds, endedBy) => {
  const clean = {
    tree: { commit: worktree.baseCommit },
    commands: [`sleep ${String(seconds)}`],
    ...(timeoutMs !== undefined && { timeoutMs }),
  };
  expect((await workshop.verifyClean(worktree, {}, clean, world.parts.run)).commands).toMatchObject([{ endedBy }]);
});
