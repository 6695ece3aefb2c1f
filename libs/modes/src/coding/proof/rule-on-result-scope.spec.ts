import { describe, expect, it } from 'vitest';
import { byRole, eventOf, fakeParts, findingWith, taskOf, Visit, WORKTREE } from '../coding.fixture.js';
import { contextOf } from '../context.js';
import { INSPECTOR } from './inspect.js';
import { checkWith, failingRun, greenRun, planWith, readsParts, redRun } from './proof.fixture.js';
import { proveResult } from './prove-result.js';
import { ARBITER } from './rule-on-check.js';

const CHECK = checkWith('C-001');
const COMMAND = 'cd packages/p && npm test';
const tasks = [taskOf('T-001', { status: 'completed', commit: 'done' })];
const known = { commit: 'done', verifiedAt: 'done', verification: failingRun(), tasks, checks: [CHECK] };

async function prove(context: object, agents: Parameters<typeof byRole>[0], options = {}) {
  const { parts } = fakeParts({
    changed: ['src/theme.mjs'],
    packageCommands: [COMMAND],
    clean: ({ commands, tree }) => {
      if (commands?.[0] === COMMAND) return failingRun('parsesHugeFiles');
      if (commands?.[0] !== CHECK.command) return failingRun();
      return tree.overlays ? redRun() : greenRun();
    },
    agent: byRole({ ...readsParts(1), ...agents }),
  });
  const [first] = planWith().steps;
  const plan = planWith({ steps: [{ ...first!, title: 'Change `parsesHugeFiles`' }] });
  const baseline = failingRun();
  const { activity } = new Visit({ ...known, baseline, requestPlan: plan, ...context });
  const { type, patch } = eventOf(await proveResult(parts, activity, WORKTREE, { plan, baseline, ...options }));
  return { type, known: contextOf({ context: patch }) };
}

const ruling = (isInScope: boolean) => ({
  [ARBITER]: () => ({ output: { rulings: [{ test: 1, isInScope, why: 'another function' }] } }),
});

describe('an old failure of a package that the change touches', () => {
  it('is a known failure if an independent agent says that the request does not ask for it', async () => {
    const { type, known: left } = await prove({}, ruling(false));
    expect([type, left.isProven, left.proof?.knownFailures]).toEqual(['work:verified', true, ['parsesHugeFiles']]);
    expect(left.requestPlan?.outOfScope).toMatchObject([{ name: 'parsesHugeFiles' }]);
  });

  it('is healed if the request asks for it', async () => {
    const { known: left } = await prove({}, ruling(true));
    expect([left.isProven, left.requestPlan?.scope.map(({ isGuess }) => isGuess)]).toEqual([false, [undefined]]);
  });
});

it('a finding that an independent agent calls not fixed does not end as fixed, though a person consents', async () => {
  const outcome = { kind: 'fixed', commit: 'done', reason: null } as const;
  const findings = [findingWith('F-001', { relation: 'is-request', outcome })];
  const look = { parts: [], findings: [{ id: 'F-001', isFixed: false, why: 'it leaks' }], tests: [] };
  const agents = { ...ruling(false), [INSPECTOR]: () => ({ output: look }) };
  const { known: left } = await prove({ findings }, agents, { isConsented: true });
  expect([left.isProven, left.findings?.[0]?.outcome.kind]).toEqual([false, 'deferred']);
});
