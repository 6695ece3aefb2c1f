import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ProjectCosts } from '#contracts';
import { byTurn, hasCli } from '#testing';
import { ErrandWorld, gitIn } from './errand-world.js';

const TEST =
  "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { toggle } from './theme.mjs';\n" +
  "test('light becomes dark', () => assert.equal(toggle('light'), 'dark'));\n";

describe.runIf(hasCli('claude'))('an errand of the real claude', () => {
  it('ends with a commit, at the cost of its proxied calls, with nothing left of its run', async () => {
    const world = await ErrandWorld.open();
    try {
      let folder = '';
      const write = (name: string, content: string) => ({
        name: 'Write',
        input: { file_path: join(folder, name), content },
      });
      world.errands.use((call) =>
        byTurn(
          [
            { toolCalls: [write('theme.mjs', "export const toggle = () => 'dark';\n"), write('theme.test.mjs', TEST)] },
            { text: 'A toggle with its test.' },
          ],
          { sideCalls: { text: 'A title' } },
        )(call),
      );
      const repo = await world.repository();
      const { id } = await world.start(repo, { runtime: 'claude', parameters: { tier: 'small' } });
      folder = join(world.dataDir, 'worktrees', id);
      const ended = await world.api.untilStatus(id, 'completed', 120_000);
      expect(await gitIn(repo, 'ls-tree', '--name-only', ended.workspace?.branch ?? '')).toContain('theme.mjs');
      const { data, total } = await world.api.must<ProjectCosts>('GET', `/v1/projects/${id}/costs`);
      expect(data.length).toBe(world.server.calls.length);
      expect(data.filter(({ status }) => status !== 'done')).toEqual([]);
      // The planner and the inspector are of larger tiers.
      expect(new Set(world.errands.calls.map(({ model }) => model))).toEqual(new Set(['claude-haiku-5-5']));
      expect(ended.proven).toBe('yes');
      expect(total.costUsd).toBe(ended.budget?.usd.used);
      expect(await world.typesOf(id)).toEqual(expect.arrayContaining(['agent.started', 'agent.finished']));
      expect((await world.api.must<{ data: unknown[] }>('GET', '/v1/processes')).data).toEqual([]);
    } finally {
      await world.close();
    }
  });
});
