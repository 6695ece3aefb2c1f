import { describe, expect, it } from 'vitest';
import type { CleanRun, VerifyReport } from '#workspace';
import { byRole, fakeParts, verifiedAs, Visit, WORKTREE } from '../coding.fixture.js';
import { gatherFacts } from './gather-facts.js';
import { checkWith, failingRun, greenRun, planWith, readsParts, redRun } from './proof.fixture.js';

const COMMAND = 'cd frontend && npm test';
const CHECK = checkWith('C-001');

interface World {
  readonly changed?: readonly string[];
  readonly added?: readonly string[];
  readonly ofPackage: (commit: string) => VerifyReport;
}

/** The facts of a change in a repository whose root has tests of its own. */
async function gather({ ofPackage, changed = ['frontend/theme.mjs'], added = [] }: World) {
  const clean = ({ tree, commands }: CleanRun): VerifyReport => {
    if (commands?.[0] === CHECK.command) return tree.overlays || tree.commit === 'base' ? redRun() : greenRun();
    if (commands?.[0] !== COMMAND) return failingRun();
    const report = ofPackage(tree.commit);
    return { ...report, commands: report.commands.map((one) => ({ ...one, command: COMMAND })) };
  };
  const world = fakeParts({ packageCommands: [COMMAND], changed, added, clean, agent: byRole(readsParts(1)) });
  const baseline = failingRun();
  const { activity } = new Visit({ baseline, checks: [CHECK], requestPlan: planWith() });
  const wish = { commit: 'done', plan: planWith(), baseline, known: failingRun() };
  const gathered = await gatherFacts(world.parts, activity, WORKTREE, wish);
  if (gathered.kind !== 'done') throw new Error('it was stopped');
  return gathered.facts;
}

describe('a package beside a root with tests, in which no test passed on the base', () => {
  const broken = () => verifiedAs('failed', null, "Cannot find module 'tiny'");

  it('is in scope if the change touches its code, and still fails', async () => {
    const { plan, stillFailing } = await gather({ ofPackage: broken });
    expect(plan.scope).toEqual([{ name: COMMAND, reason: 'the change touches frontend, and no test of it could run' }]);
    expect(stillFailing).toEqual([COMMAND]);
  });

  it('is in scope if the change touches its manifest', async () => {
    const { stillFailing } = await gather({ changed: ['frontend/package.json'], ofPackage: broken });
    expect(stillFailing).toEqual([COMMAND]);
  });

  it('still fails if its tests fail on the result without their names', async () => {
    const onBase = verifiedAs('failed', { passed: 0, failed: 1 }, 'not ok 1 - rounds');
    const { plan, stillFailing } = await gather({
      ofPackage: (commit) => (commit === 'base' ? onBase : broken()),
    });
    expect([plan.scope.map(({ name }) => name), stillFailing]).toEqual([['rounds'], ['rounds']]);
  });
});

describe('a new test file of a package whose runner only counts', () => {
  const gatherWith = (now: number) =>
    gather({
      added: ['frontend/dark.test.mjs'],
      ofPackage: (commit) => verifiedAs('passed', { passed: commit === 'base' ? 2 : now }),
    });

  it('runs if there are more tests than on the base', async () => {
    expect((await gatherWith(3)).unrunTestFiles).toEqual([]);
  });

  it('does not run if there are as many as on the base', async () => {
    expect((await gatherWith(2)).unrunTestFiles).toEqual(['frontend/dark.test.mjs']);
  });
});
