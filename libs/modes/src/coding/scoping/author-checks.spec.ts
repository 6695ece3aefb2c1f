import { describe, expect, it } from 'vitest';
import type { AgentTask } from '#agents';
import type { CleanRun, VerifyReport } from '#workspace';
import { byRole, fakeParts, Visit, WORKTREE } from '../coding.fixture.js';
import { brokenRun, checkWith, greenRun, planWith, redRun } from '../proof/proof.fixture.js';
import { authorChecks, CHECK_AUTHOR, partsWithoutCheck } from './author-checks.js';
import type { RequestPlan } from './request-plan.js';

const COMMAND = 'node .qralph-checks/dark.mjs';
const written = (more: object = {}) => ({
  part: 1,
  title: 'It is dark',
  files: [],
  command: COMMAND,
  why: 'it fails',
  ...more,
});

interface World {
  readonly plan?: RequestPlan;
  readonly context?: object;
  /** What the author hands in, try by try. */
  readonly checks?: (nth: number) => readonly object[];
  /** How runs on the base end, in their order. */
  readonly runs?: (nth: number, run: CleanRun) => VerifyReport;
  readonly agent?: (task: AgentTask) => object;
  /** What it added to the worktree. */
  readonly files?: Readonly<Record<string, string>>;
}

async function author({
  plan = planWith(),
  context = {},
  checks = () => [written()],
  runs = () => redRun(),
  agent,
  files = { '.qralph-checks/dark.mjs': 'assert(dark)' },
}: World = {}) {
  let tries = 0;
  let seen = 0;
  const world = fakeParts({
    agent: byRole({
      [CHECK_AUTHOR]: (task) => agent?.(task) ?? { commit: 'authored', output: { checks: checks((tries += 1)) } },
    }),
    clean: (run) => runs((seen += 1), run),
    added: Object.keys(files),
    changed: ['src/theme.mjs'],
    files: { ...files, 'src/theme.mjs': 'sabotage' },
  });
  const visit = new Visit({ commit: 'now', requestPlan: plan, ...context }, { state: 'SCOPING' });
  const authored = await authorChecks(world.parts, visit.activity, WORKTREE, plan);
  return { ...world, visit, authored, taken: authored.kind === 'done' ? (authored.patch.checks ?? []) : [] };
}

it('keeps files of a check up to a size that each checkpoint can carry', async () => {
  const files = Object.fromEntries(['a', 'b', 'c'].map((name) => [`.qralph-checks/${name}.mjs`, 'x'.repeat(60_000)]));
  const { taken } = await author({ files, checks: () => [written({ command: 'node .qralph-checks/a.mjs' })] });
  expect(taken[0]?.files.map(({ path }) => path)).toEqual(['.qralph-checks/a.mjs', '.qralph-checks/b.mjs']);
});

describe('parts that need a check', () => {
  const covered = { title: 'a', interface: '', failingTests: ['rounds'] };
  const open = { title: 'b', interface: '', failingTests: [] };

  it('are those that no failing test of the baseline and no check covers', () => {
    const plan = planWith({ parts: [covered, open, open] });
    expect(partsWithoutCheck(plan)).toEqual([2, 3]);
    expect(partsWithoutCheck(plan, [checkWith('C-001', { part: 2 })])).toEqual([3]);
    expect(partsWithoutCheck(plan, [checkWith('C-001', { part: 2, dropped: 'it is wrong' })])).toEqual([2, 3]);
  });

  it('are covered by no test that is flaky', () => {
    expect(partsWithoutCheck(planWith({ parts: [covered] }), [], ['rounds'])).toEqual([1]);
  });

  it('are none that are about a document or about tests', () => {
    const parts = [open, { ...open, kind: 'document' as const }, { ...open, kind: 'tests' as const }];
    expect(partsWithoutCheck(planWith({ parts }))).toEqual([1]);
  });

  it.each(['keeps-behaviour', 'document', 'tests-only'] as const)('are none in a request of class %s', (kind) => {
    expect(partsWithoutCheck(planWith({ class: kind, parts: [open] }))).toEqual([]);
  });
});

describe('a check', () => {
  it('is taken if it fails twice on the base, and gets a number', async () => {
    const { taken, cleanRuns, asked } = await author();
    expect(taken).toMatchObject([
      { id: 'C-001', part: 1, command: COMMAND, red: { kind: 'assertion' }, dropped: null },
    ]);
    expect(cleanRuns.map(({ tree, commands }) => [tree.commit, commands])).toEqual([
      ['base', [COMMAND]],
      ['base', [COMMAND]],
    ]);
    expect(asked.map(({ role, tier }) => [role, tier])).toEqual([[CHECK_AUTHOR, 'medium']]);
  });

  it('has the files that its author added, and nothing that its author changed', async () => {
    const { taken, cleanRuns } = await author();
    const files = [{ path: '.qralph-checks/dark.mjs', content: 'assert(dark)' }];
    expect([taken[0]?.files, cleanRuns[0]?.tree.files]).toEqual([files, files]);
  });

  it('leaves no file in the worktree', async () => {
    expect((await author()).resets).toEqual(['now']);
  });

  it('runs on the base while the files of its author are put back', async () => {
    const { steps } = (await author()).visit;
    const [run, reset] = ['on-base-1/1', 'put-back'].map((step) => steps.indexOf(`${CHECK_AUTHOR}-1/${step}`));
    expect(run).toBeLessThan(reset ?? 0);
  });

  it('says what is missing if it fails for that reason', async () => {
    const missing = 'TypeError: theme.darken is not a function';
    const { taken } = await author({ runs: () => redRun(missing) });
    expect(taken[0]?.red).toMatchObject({ kind: 'absent', missing: [expect.stringContaining('darken')] });
  });

  it.each([
    ['it passes before the change', () => greenRun(), 'It passes before the change, so it proves nothing.'],
    ['it is broken', () => brokenRun(), 'It fails for a reason that proves nothing: A file has a syntax error'],
    ['it is flaky', (nth: number) => (nth % 2 === 1 ? redRun() : greenRun()), 'it is flaky'],
    ['it was ended by a time-out', () => timedOut(), 'The service ended the command: time-out'],
  ])('is refused if %s, and an author of a larger tier knows why', async (_title, runs, why) => {
    const { taken, asked, authored } = await author({ runs });
    expect([taken, authored.kind]).toEqual([[], 'done']);
    expect(asked.map(({ tier }) => tier)).toEqual(['medium', 'large']);
    expect(asked[0]?.prompt).not.toContain('Why your last checks were not taken');
    expect(asked[1]?.prompt).toContain(why);
  });

  it.each([
    ['that its command names', { command: 'node .qralph-checks/gone.mjs' }, redRun(), '.qralph-checks/gone.mjs'],
    [
      'that is missing in its run',
      {},
      absentRun("Error: Cannot find module '/w/.qralph-checks/a.mjs'"),
      '.qralph-checks/a.mjs',
    ],
    ['that node finds none of', {}, absentRun("Could not find '/w/.qralph-checks/a.test.mjs'"), 'a.test.mjs'],
    ['that it lists', { command: 'node spec/a.mjs', files: ['./spec/a.mjs'] }, redRun(), 'spec/a.mjs'],
  ])('without a file of its own %s is refused', async (_title, more, run, path) => {
    const { taken, asked } = await author({ checks: () => [written(more)], runs: () => run });
    expect(taken).toEqual([]);
    expect(asked[1]?.prompt).toContain('A file of the check is missing: ');
    expect(asked[1]?.prompt).toContain(path);
  });

  it('that loads a file by a wrong path is refused, and the next author knows the right one', async () => {
    const files = { '.qralph-checks/dark.mjs': "require('./theme.js');" };
    const run = absentRun("Error: Cannot find module './theme.js'");
    const { taken, asked } = await author({ files, runs: () => run });
    expect(taken).toEqual([]);
    expect(asked[1]?.prompt).toContain('at the root of the repository is "../theme.js" there');
  });

  it('may list files that the base has, and lack one that the change has to add', async () => {
    const listed = written({ files: ['.qralph-checks/dark.mjs', 'src/theme.mjs'] });
    const run = absentRun("Error: Cannot find module '/w/src/dark.mjs'");
    expect((await author({ checks: () => [listed], runs: () => run })).taken).toHaveLength(1);
  });

  it('is written where no snapshot of the repository shows it', async () => {
    const { scenes } = await author();
    expect(scenes.map(({ worktree }) => worktree.hidesSnapshots)).toEqual([true]);
  });

  it('of the second author is taken if it fails on the base', async () => {
    const { taken, asked } = await author({ runs: (nth) => (nth <= 2 ? greenRun() : redRun()) });
    expect([taken.length, asked.length]).toEqual([1, 2]);
  });

  it('without a command is none, and the second author knows why', async () => {
    const { taken, asked, cleanRuns } = await author({
      checks: () => [written({ command: null, why: 'needs a screen' })],
    });
    expect([taken, cleanRuns]).toEqual([[], []]);
    expect(asked[1]?.prompt).toContain('Part 1 has no command: needs a screen');
  });

  it.each([
    ['a part that needs none', { part: 2 }],
    ['an empty command', { command: ' ' }],
    ['a command that is too long', { command: 'x'.repeat(2_001) }],
  ])('with %s is not taken', async (_title, more) => {
    const { taken, cleanRuns } = await author({ checks: () => [written(more)] });
    expect([taken, cleanRuns]).toEqual([[], []]);
  });

  it('is asked for only for the parts that are left', async () => {
    const part = { title: 'b', interface: '', failingTests: [] };
    const { taken, asked } = await author({
      plan: planWith({
        parts: [
          { ...part, title: 'FIRST' },
          { ...part, title: 'SECOND' },
        ],
      }),
      checks: (nth) => (nth === 1 ? [written()] : [written({ part: 2 })]),
    });
    expect(taken.map(({ id, part: number }) => [id, number])).toEqual([
      ['C-001', 1],
      ['C-002', 2],
    ]);
    expect(asked[1]?.prompt).toContain('2. SECOND');
    expect(asked[1]?.prompt).not.toContain('1. FIRST');
  });
});

describe('a part for which no check can fail before the change', () => {
  const part = { interface: '', failingTests: [] };
  const fix = { ...part, title: 'It is dark' };
  const readme = { ...part, title: 'The README says that it is dark' };
  const rest = { ...part, title: 'Nothing else changes' };
  const ofFix = written();

  it('is about a document if its author says so, and no other author is asked', async () => {
    const { authored, taken, asked } = await author({
      plan: planWith({ parts: [fix, readme] }),
      checks: () => [ofFix, written({ part: 2, command: null, why: 'it is a text' })],
    });
    expect([taken.length, asked.length]).toEqual([1, 1]);
    expect(authored).toMatchObject({ patch: { requestPlan: { parts: [fix, { ...readme, kind: 'document' }] } } });
  });

  it('keeps its check if all authors wrote one that passes, and says that something stays', async () => {
    const kept = 'node .qralph-checks/rest.mjs';
    const world = {
      checks: () => [ofFix, written({ part: 2, command: kept })],
      runs: (_nth: number, { commands }: CleanRun) => (commands?.[0] === kept ? greenRun() : redRun()),
    };
    const { taken, asked } = await author({ ...world, plan: planWith({ parts: [fix, rest] }) });
    expect(taken.map(({ id, part: of, red }) => [id, of, red.kind])).toEqual([
      ['C-001', 1, 'assertion'],
      ['C-002', 2, 'kept'],
    ]);
    expect(asked.length).toBe(2);
    expect((await author({ ...world, plan: planWith({ parts: [fix, fix] }) })).taken).toHaveLength(1);
  });
});

describe('an author of checks', () => {
  it('is not asked if each part is covered', async () => {
    const { asked, taken } = await author({ context: { checks: [checkWith('C-001')] } });
    expect([asked, taken.length]).toEqual([[], 1]);
  });

  it('that fails is replaced once; without any check the project goes on', async () => {
    const agent = () => ({ kind: 'failed', code: 'AGENT_TIMED_OUT', message: 'too slow', said: '', commit: 'now' });
    const { asked, authored } = await author({ agent });
    expect([authored.kind, asked.at(-1)?.prompt.includes('too slow')]).toEqual(['done', true]);
  });

  it.each([
    ['the budget is spent', { kind: 'over-budget', breaker: { by: 'usd' }, commit: 'now' }],
    ['no model answers', { kind: 'failed', code: 'MODEL_UNREACHABLE', message: 'm', said: '', commit: 'now' }],
  ])('stops the project if %s', async (_title, outcome) => {
    expect((await author({ agent: () => outcome })).authored).toMatchObject({ kind: 'stopped', outcome });
  });

  it('marks the project as simulated if a simulated model wrote the checks', async () => {
    const agent = () => ({ commit: 'authored', isSimulated: true, output: { checks: [written()] } });
    expect((await author({ agent })).authored).toMatchObject({ patch: { simulated: true } });
  });
});

const absentRun = (output: string): VerifyReport => redRun(output);

function timedOut(): VerifyReport {
  const report = redRun();
  return { ...report, commands: report.commands.map((one) => ({ ...one, exitCode: null, endedBy: 'time-out' })) };
}
