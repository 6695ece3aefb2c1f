import { describe, expect, it } from 'vitest';
import type { VerifyReport } from '#workspace';
import { fakeParts, verifiedAs, Visit, WORKTREE } from '../coding.fixture.js';
import { findGoneCommands } from './gone-commands.js';

const ran = (command: string, passed: number | null, exitCode = 0): VerifyReport => {
  const report = verifiedAs(exitCode === 0 ? 'passed' : 'failed', passed === null ? null : { passed });
  return { ...report, commands: report.commands.map((one) => ({ ...one, command, exitCode })) };
};

const join = (...reports: readonly VerifyReport[]): VerifyReport => ({
  ...verifiedAs('passed'),
  commands: reports.flatMap(({ commands }) => commands),
});

async function find(baseline: VerifyReport, result: VerifyReport, again: VerifyReport = verifiedAs('failed')) {
  const world = fakeParts({ verify: () => again });
  const wish = { commit: 'done', baseline, result };
  return {
    gone: await findGoneCommands(world.parts, new Visit({}).activity, WORKTREE, wish),
    runs: world.cleanRuns.map(({ commands }) => commands),
  };
}

describe('verify commands that the result no longer has', () => {
  const tests = ran('npm test', 3);
  const build = ran('npm run build', null);

  it('are none if all of them ran', async () => {
    expect(await find(tests, tests)).toEqual({ gone: { lost: [], removed: [] }, runs: [] });
  });

  it('run once more on the result, and are not gone if they pass there', async () => {
    const { gone, runs } = await find(join(build, tests), tests, build);
    expect([gone, runs]).toEqual([{ lost: [], removed: [] }, [['npm run build']]]);
  });

  it('are removed if they fail there and reported no tests', async () => {
    const { gone } = await find(join(build, tests), tests, ran('npm run build', null, 1));
    expect(gone).toEqual({ lost: [], removed: ['npm run build'] });
  });

  it('are lost if they reported tests, and fewer run there or none', async () => {
    expect((await find(tests, build, ran('npm test', 2))).gone.lost).toEqual(['npm test']);
    expect((await find(tests, build, ran('npm test', null))).gone.lost).toEqual(['npm test']);
  });

  it.each([
    ['npm test', 'pnpm test'],
    ['npm run build', 'yarn build'],
    ['python3 -m pytest', '.venv/bin/python -m pytest'],
    ['cd api && npm test', 'cd api && pnpm test'],
  ])('are not gone if another tool runs the same: %s is %s now', async (before, now) => {
    expect((await find(ran(before, 3), ran(now, 3))).gone.lost).toEqual([]);
    expect((await find(ran(before, 3), ran(now, 2))).gone.lost).toEqual([before]);
  });
});
