import { describe, expect, it } from 'vitest';
import type { CleanRun } from '#workspace';
import { INSPECTOR } from './inspect.js';
import { checkWith, failingRun, planWith, redRun } from './proof.fixture.js';
import { prove, type World } from './prove-world.fixture.js';

describe('a small substitution', () => {
  const patch = `diff --git a/src/theme.mjs b/src/theme.mjs\n--- a/src/theme.mjs\n+++ b/src/theme.mjs\n@@ -1,1 +1,1 @@\n-const theme = light + 1;\n+const theme = dark + 1;\n`;
  const judged = async (hasTests: boolean, more: Partial<World> = {}) => {
    const checks = [checkWith('C-001', { hasTests })];
    const clean = ({ tree }: CleanRun) => (tree.overlays ? redRun() : failingRun());
    const { known, asked } = await prove({
      context: { checks },
      tests: () => patch,
      clean,
      agent: () => ({}),
      ...more,
    });
    return [known.isProven, [...new Set(asked.map(({ role }) => role))]];
  };

  it('is proven by its checks without a reader', async () => {
    expect(await judged(true)).toEqual([true, []]);
  });

  it('needs a reader if a check counts no tests', async () => {
    expect(await judged(false)).toEqual([false, [INSPECTOR]]);
    const { asked } = await prove({ context: { checks: [checkWith('C-001')] }, tests: () => patch, agent: () => ({}) });
    expect(asked[0]?.prompt).toContain('The check "The theme of C-001 is dark" is a script.');
  });

  it('needs a reader if neither the request nor a failing test names what is new', async () => {
    expect(await judged(true, { tests: () => patch.replace('dark', 'dusk') })).toEqual([false, [INSPECTOR]]);
    const requestPlan = planWith({ parts: [...planWith().parts, ...planWith().parts] });
    const checks = [1, 2].map((part) => checkWith(`C-00${String(part)}`, { hasTests: true, part }));
    expect(await judged(true, { context: { checks, requestPlan } })).toEqual([false, [INSPECTOR]]);
  });

  it('needs a reader if another file changed, or a line of it decides', async () => {
    expect(await judged(true, { added: ['data.json'] })).toEqual([false, [INSPECTOR]]);
    const decides = patch.replaceAll('const theme', 'if (x) theme');
    expect(await judged(true, { tests: () => decides })).toEqual([false, [INSPECTOR]]);
  });
});
