import { z } from 'zod';
import type { ActivityContext } from '#engine';
import { MATERIAL_RULE, material, parts as joinParts, type Prompt } from '../../shared/prompt.js';
import { isTestFile, type Worktree } from '#workspace';
import { failingNames } from '../../shared/failing-tests.js';
import { repeatable } from '../../shared/repeatable.js';
import { runInCleanRoom } from '../../shared/verification.js';
import { stopOf } from '../agent-stop.js';
import { type CodingParts, LIMITS } from '../coding-context.js';
import { contextOf } from '../context.js';
import { putBack, withoutTrace } from '../put-back.js';
import { runAgent, type Unfinished } from '../run-agent.js';

export const MUTANT_MAKER = 'mutant-maker';

const MutantOutput = z.object({ summary: z.string().describe('What you broke, and which behaviour is wrong now') });

export const mutantPrompt: Prompt<{ readonly request: string; readonly tests: readonly string[] }> = {
  version: 'mutant@1',
  system: [
    'Tests were added to a repository. You find out whether they test anything: you break the code that they are about, in one small and realistic way, as a careless engineer might. Tests that are worth something fail then.',
    'Read the new tests and the code that they call. Choose behaviour that they claim to check, and make it wrong: a condition, a boundary, a returned value, a missing case. Change existing source files only; add and delete none. Never change tests, test configuration or dependencies. The code must still load: break what it does, not its syntax. Do not choose by what the tests happen to miss.',
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
  /** `isKilled`: tests failed on the wrong variant. */
  | { readonly kind: 'tried'; readonly isKilled: boolean; readonly summary: string }
  | { readonly kind: 'none'; readonly why: string };

const MOST_FILES = 20;

/** A fresh agent makes a wrong variant of the code; the new tests must fail on it. */
export async function tryMutant(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  { commit, newTests }: { readonly commit: string; readonly newTests: readonly string[] },
): Promise<MutantResult | { readonly kind: 'stopped'; readonly outcome: Unfinished }> {
  const outcome = await runAgent(
    parts,
    activity,
    { worktree, startCommit: commit },
    {
      step: MUTANT_MAKER,
      role: MUTANT_MAKER,
      purpose: 'make-mutant',
      attempt: 1,
      tier: 'medium',
      prompt: mutantPrompt,
      input: { request: activity.project.request, tests: newTests },
      access: 'write',
      output: { name: 'mutant', type: MutantOutput },
      limits: LIMITS.test,
    },
  );
  const stop = stopOf(outcome);
  if (stop) {
    const left = { to: commit, step: 'put-back/mutant' };
    return { kind: 'stopped', outcome: await withoutTrace(parts, activity, worktree, stop, left) };
  }
  const files = await readMutation(parts, activity, worktree, {
    from: commit,
    to: outcome.kind === 'waits' ? commit : outcome.commit,
  });
  await putBack(parts, activity, worktree, { to: commit, step: 'put-back/mutant' });
  if (files.length === 0) return { kind: 'none', why: 'No wrong variant of the code was made.' };
  const result = await runInCleanRoom(parts, activity, worktree, {
    tree: { commit, files },
    commands: null,
    step: 'mutant',
  });
  const before = contextOf(activity).baseline;
  const known = before ? failingNames(before) : new Set<string>();
  const isKilled = [...failingNames(result)].some((name) => !known.has(name));
  const read = MutantOutput.safeParse(outcome.kind === 'finished' ? outcome.output : null);
  return { kind: 'tried', isKilled, summary: read.success ? read.data.summary.slice(0, 500) : '' };
}

const readMutation = (
  { worktrees }: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<{ path: string; content: string }[]> =>
  repeatable(activity, 'mutation', async () => {
    const { files } = await worktrees.diff(worktree, from, to);
    const sources = files.filter(({ path, status }) => status === 'changed' && !isTestFile(path)).slice(0, MOST_FILES);
    const found: { path: string; content: string }[] = [];
    for (const { path } of sources) {
      const file = await worktrees.fileAt(worktree, to, path);
      if (file && !file.isCut) found.push({ path, content: file.content.toString('utf8') });
    }
    return found;
  });
