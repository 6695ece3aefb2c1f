import { z } from 'zod';
import type { ActivityContext } from '#engine';
import type { Tier } from '#models';
import { classifyRun } from '#proof';
import { MATERIAL_RULE, material, parts as joinParts, type Prompt } from '../../shared/prompt.js';
import { isManifest, isTestConfiguration, isTestFile, type Worktree } from '#workspace';
import { type FailingTest, failingNames, failingTests } from '../../shared/failing-tests.js';
import { repeatable } from '../../shared/repeatable.js';
import { runInCleanRoom } from '../../shared/verification.js';
import { stopOf } from '../agent-stop.js';
import { type CodingParts, LIMITS } from '../coding-context.js';
import { contextOf } from '../context.js';
import { putBack, withoutTrace } from '../put-back.js';
import { runAgent, type Unfinished } from '../run-agent.js';
import type { ChangedFiles } from './changed-files.js';

export const MUTANT_MAKER = 'mutant-maker';

const MutantOutput = z.object({ summary: z.string().describe('What you broke, and which behaviour is wrong now') });

export const mutantPrompt: Prompt<{ readonly request: string; readonly tests: readonly string[] }> = {
  version: 'mutant@2',
  system: [
    'Tests were added to a repository. You find out whether they test anything: you break the code that they are about, in one small and realistic way, as a careless engineer might. Tests that are worth something fail then.',
    'Read the new tests and the code that they call. Choose behaviour that they claim to check, and make it wrong: a condition, a boundary, a returned value, a missing case. Change existing source files only; add and delete none. Never change tests, test configuration or dependencies. The code must still load: break what it does, not its syntax. Do not search for something that the tests miss.',
    MATERIAL_RULE,
    'Finish with JSON: a summary of what you broke. Leave the broken code in the files: the service runs the tests on it and takes it back.',
  ].join('\n'),
  render: ({ request, tests }) =>
    joinParts(
      material('The request for the tests', request, 8_000),
      material('The new test files', tests.join('\n'), 4_000),
    ),
};

export type MutantResult =
  /** `isKilled`: tests that the change added failed on the wrong variant. */
  | { readonly kind: 'tried'; readonly isKilled: boolean; readonly summary: string }
  | { readonly kind: 'none'; readonly why: string };

const MOST_FILES = 20;
/** A variant that was not made, or that the new tests rightly do not notice, is tried once more by a larger model. */
const TIERS: readonly Tier[] = ['medium', 'large'];

interface Wish {
  readonly commit: string;
  readonly changed: Pick<ChangedFiles, 'oldTests' | 'newTestFiles' | 'newTestConfiguration'>;
}

type Tried = MutantResult | { readonly kind: 'stopped'; readonly outcome: Unfinished };

/** A fresh agent makes a wrong variant of the code; the new tests must fail on it. */
export async function tryMutant(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  wish: Wish,
): Promise<Tried> {
  let best: Tried = { kind: 'none', why: 'No wrong variant of the code was made.' };
  for (const [index, tier] of TIERS.entries()) {
    const tried = await tryOnce(parts, activity, worktree, { ...wish, tier, suffix: index === 0 ? '' : '/again' });
    if (tried.kind === 'stopped' || (tried.kind === 'tried' && tried.isKilled)) return tried;
    if (tried.kind === 'tried') best = tried;
  }
  return best;
}

async function tryOnce(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  { commit, changed, tier, suffix }: Wish & { readonly tier: Tier; readonly suffix: string },
): Promise<Tried> {
  const { oldTests, newTestFiles, newTestConfiguration } = changed;
  const outcome = await runAgent(
    parts,
    activity,
    { worktree, startCommit: commit },
    {
      step: `${MUTANT_MAKER}${suffix}`,
      role: MUTANT_MAKER,
      purpose: 'make-mutant',
      attempt: 1,
      tier,
      prompt: mutantPrompt,
      input: { request: activity.project.request, tests: [...newTestFiles, ...oldTests] },
      access: 'write',
      output: { name: 'mutant', type: MutantOutput },
      limits: LIMITS.test,
    },
  );
  const stop = stopOf(outcome);
  const left = { to: commit, step: `put-back/mutant${suffix}` };
  if (stop) return { kind: 'stopped', outcome: await withoutTrace(parts, activity, worktree, stop, left) };
  const to = outcome.kind === 'waits' ? commit : outcome.commit;
  const files = await readMutation(parts, activity, worktree, { from: commit, to, step: `mutation${suffix}` });
  await putBack(parts, activity, worktree, left);
  if (files.length === 0) return { kind: 'none', why: 'No wrong variant of the code was made.' };
  const failing = async (step: string, paths: readonly string[]): Promise<readonly FailingTest[]> => {
    const overlays = paths.length > 0 ? { overlays: [{ from: worktree.baseCommit, paths }] } : {};
    const tree = { commit, files, ...overlays };
    return failingTests(await runInCleanRoom(parts, activity, worktree, { tree, commands: null, step }));
  };
  const known = knownFailures(activity);
  const first = (await failing(`mutant${suffix}`, [])).filter(({ name }) => !known.has(name));
  // A test that notices the variant in one run only is flaky: that it fails shows nothing.
  const again = new Set(
    first.length > 0 ? (await failing(`mutant${suffix}/seen-again`, [])).map(({ name }) => name) : [],
  );
  const failed = first.filter(({ name }) => again.has(name));
  const added = [...new Set([...oldTests, ...newTestFiles, ...newTestConfiguration])];
  // Tests that were there before may notice the variant. They say nothing about the new ones.
  const old = failed.length > 0 ? await failing(`mutant${suffix}/old-tests`, added) : [];
  const before = new Set(old.map(({ name }) => name));
  const noticed = failed.filter(({ name }) => !before.has(name));
  if (noticed.length > 0 && !noticed.some(isAssertion)) return { kind: 'none', why: DOES_NOT_LOAD };
  const read = MutantOutput.safeParse(outcome.kind === 'finished' ? outcome.output : null);
  const summary = read.success ? read.data.summary.slice(0, 500) : '';
  return { kind: 'tried', isKilled: noticed.length > 0, summary };
}

const DOES_NOT_LOAD = 'The wrong variant of the code does not load.';

/** What runners print for a file that they could not load, in the place of its tests. */
const WHOLE_FILE = /\.(?:[cm]?[jt]sx?|py)$|: Test suite failed to run$| \[ \S+ \]$|\[(?:build|setup) failed\]/;

/** Whether a test ran and said no. Code that does not load fails every test, also one that asserts nothing. */
const isAssertion = ({ name, command, output }: FailingTest): boolean =>
  (name !== command && !WHOLE_FILE.test(name)) ||
  classifyRun({ exitCode: 1, endedBy: 'itself', output }).kind === 'assertion';

function knownFailures(activity: ActivityContext): ReadonlySet<string> {
  const { baseline, flakyTests = [] } = contextOf(activity);
  return new Set([...(baseline ? failingNames(baseline) : []), ...flakyTests]);
}

/** Only sources: a variant of test settings says nothing about tests. */
const isSource = (path: string): boolean => !isTestFile(path) && !isTestConfiguration(path) && !isManifest(path);

const readMutation = (
  { worktrees }: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  { from, to, step }: { readonly from: string; readonly to: string; readonly step: string },
): Promise<{ path: string; content: string }[]> =>
  repeatable(activity, step, async () => {
    const { files } = await worktrees.diff(worktree, from, to);
    const sources = files.filter(({ path, status }) => status === 'changed' && isSource(path)).slice(0, MOST_FILES);
    const found: { path: string; content: string }[] = [];
    for (const { path } of sources) {
      const file = await worktrees.fileAt(worktree, to, path);
      if (file && !file.isCut) found.push({ path, content: file.content.toString('utf8') });
    }
    return found;
  });
