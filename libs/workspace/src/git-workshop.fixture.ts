import { join } from 'node:path';
import type { EffectRun, ProjectFacts } from '#engine';
import { GitWorkshop, type WorkshopParts } from './git-workshop.js';
import type { Sandboxes } from './sandbox/index.js';
import { type openWorktree, silent } from './setup/setup.fixture.js';
import { GitWorktrees } from './worktree/index.js';

type At = ReturnType<typeof openWorktree>;

/** A new process on the data folder beside the user's checkout. */
export function newWorkshop(
  at: At,
  sandboxes: Sandboxes,
  commandMs = 60_000,
  onCleanRun?: WorkshopParts['onCleanRun'],
): { workshop: GitWorkshop; worktrees: GitWorktrees } {
  const data = join(at.folder.path, 'data');
  const worktrees = new GitWorktrees({ root: join(data, 'worktrees'), path: at.path });
  const workshop = new GitWorkshop({
    worktrees,
    sandboxes,
    commands: at.commands,
    redactor: silent,
    homes: join(data, 'places'),
    rooms: join(data, 'rooms'),
    setupHasNetwork: false,
    networkVariables: {},
    hidden: [],
    commandMs,
    limits: {},
    ...(onCleanRun && { onCleanRun }),
  });
  return { workshop, worktrees };
}

export const projectOn = ({ repo, lease }: At): ProjectFacts => ({
  id: lease.projectId,
  name: '001-work',
  machine: 'm',
  machineVersion: 1,
  request: '',
  parameters: {},
  repo: { path: repo, ref: 'main' },
  parent: null,
  startedBy: 'human',
  traceparent: null,
});

export const runOn = ({ lease, abort }: At): EffectRun => ({
  key: `${lease.projectId}/1/1/x`,
  attempt: 1,
  tell: () => undefined,
  lease,
  signal: abort.signal,
});
