import { expect, it } from 'vitest';
import { loadConfig } from '#config';
import type { Database } from '#persistence';
import { CommandRunner, type ProcessRegistry } from '#process-monitor';
import { openTeam } from './open-team.js';

/** Of a worker on which nothing runs. */
const registry: ProcessRegistry = {
  register: async () => true,
  release: async () => undefined,
  ofProject: async () => [],
  onHost: async () => [],
};

it('forgets what it killed for a project once its team is shut down, and not when that failed', async () => {
  const commands = new CommandRunner(registry, { host: 'here', path: '' });
  const open = (more: Partial<ProcessRegistry>) =>
    openTeam({ config: loadConfig({}), pool: {} as Database, host: 'here', registry: { ...registry, ...more }, commands })
      .processes; // prettier-ignore
  commands.killed.add('p', 2);
  commands.killed.add('other', 1);
  const away = new Error('the database is away');
  await expect(open({ ofProject: () => Promise.reject(away) }).endAll('p')).rejects.toBe(away);
  const processes = open({});
  expect(await processes.orphansOf('p')).toBe(2);
  await processes.endAll('p');
  expect([await processes.orphansOf('p'), await processes.orphansOf('other')]).toEqual([0, 1]);
});
