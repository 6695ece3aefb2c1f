import type { ActivityContext } from '#engine';
import { changedDependencies, changesOnlyDescription, type RunKind } from '#proof';
import type { CleanTree, Worktree } from '#workspace';
import { repeatable } from '../../shared/repeatable.js';
import { runInCleanRoom } from '../../shared/verification.js';
import type { CodingParts } from '../coding-context.js';
import { contextOf } from '../context.js';
import type { Check } from '../scoping/request-plan.js';
import type { ChangedFiles } from './changed-files.js';
import { kindOfCheckReport, treeOfCheck } from './run-check.js';
import { settingsAlone } from './settings-alone.js';

/** What a check says about the result, and whether that proves anything. */
export interface CheckFacts {
  readonly check: Check;
  /** How it ends on the base: twice at least. */
  readonly onBase: readonly RunKind[];
  readonly onResult: readonly RunKind[];
  readonly output: string;
}

interface Wish {
  readonly commit: string;
  readonly changed: ChangedFiles;
}

/** Every check runs twice on the result. On the base it runs again if tests or dependencies changed since. */
export async function runChecks(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  { commit, changed }: Wish,
): Promise<readonly CheckFacts[]> {
  const facts: CheckFacts[] = [];
  // A change of configuration alone has no other base than the base itself.
  const needsBase = changed.sources.length > 0 && (changed.touchesTests || changed.touchesManifests);
  const manifests = needsBase ? await readManifests(parts, activity, worktree, { commit, changed }) : UNREAD;
  for (const check of contextOf(activity).checks ?? []) {
    if (check.dropped !== null) continue;
    const run = (tree: CleanTree, step: string) => runOnce(parts, activity, worktree, { check, tree, step });
    const base = (paths: readonly string[]): CleanTree => ({
      commit,
      overlays: [{ from: worktree.baseCommit, paths }],
    });
    const forging = settingsAlone(activity, changed, check);
    const result = forging.length > 0 ? base(forging) : { commit };
    const first = await run(result, `result/${check.id}/1`);
    const second = await run(result, `result/${check.id}/2`);
    const runOnBase: RunOnBase = (paths, step) => run(base(paths), step);
    const onBase = needsBase
      ? [await kindOnBase(runOnBase, check.id, { changed, isAbout: isAbout(check, manifests, changed) })]
      : [];
    const red: RunKind = check.red;
    const output = first.kind.kind === 'green' ? second.output : first.output;
    facts.push({ check, onBase: [red, ...onBase], onResult: [first.kind, second.kind], output });
  }
  return facts;
}

type RunOnBase = (paths: readonly string[], step: string) => Promise<{ readonly kind: RunKind }>;

interface BaseWish {
  readonly changed: ChangedFiles;
  /** Whether the check may be about the changed manifests, and they say nothing else. */
  readonly isAbout: boolean;
}

/**
 * Old sources may not even start with new dependencies, and a part may be a field of a manifest or a dependency. Then
 * they run with their own manifests.
 */
async function kindOnBase(
  run: RunOnBase,
  id: string,
  { changed: { sources, documents, manifests }, isAbout: isAboutManifests }: BaseWish,
): Promise<RunKind> {
  // A part may be a text: with the result's documents its check would pass on the base.
  const old = [...sources, ...documents];
  const { kind } = await run(old, `base/${id}`);
  const needsOwn = kind.kind === 'broken' ? manifests.length > 0 : kind.kind === 'green' && isAboutManifests;
  return needsOwn ? (await run([...old, ...manifests], `base/${id}/own-manifests`)).kind : kind;
}

const MOST_MANIFESTS = 50;

interface ReadManifests {
  /** Whether they only describe their packages otherwise. */
  readonly describes: boolean;
  /** The dependencies that changed; null if something else changed too. */
  readonly dependencies: readonly string[] | null;
}
const UNREAD: ReadManifests = { describes: false, dependencies: null };

/**
 * If a manifest says how tests run, a check that passes with it on the base may be forged by it. So may a dependency, but
 * not if the check itself is about it. An agent reads such a change in any case.
 */
function isAbout(
  { title, command, files }: Check,
  { describes, dependencies }: ReadManifests,
  { manifests }: ChangedFiles,
): boolean {
  if (describes || dependencies === null) return describes;
  const text = [title, command, ...files.map(({ content }) => content)].join('\n');
  const names = [...dependencies, ...manifests.map((path) => path.slice(path.lastIndexOf('/') + 1))];
  return names.some((name) => hasName(text, name));
}

const NAME_CHARACTER = /[\w@-]/;
function hasName(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const around = `${text.charAt(at - 1)}${text.charAt(at + name.length)}`;
    if (!NAME_CHARACTER.test(around)) return true;
  }
  return false;
}

async function readManifests(
  { worktrees }: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  { commit, changed: { manifests } }: Wish,
): Promise<ReadManifests> {
  if (manifests.length === 0 || manifests.length > MOST_MANIFESTS) return UNREAD;
  return repeatable(activity, 'changed-manifests', async () => {
    const textOf = async (at: string, path: string): Promise<string | null> => {
      const file = await worktrees.fileAt(worktree, at, path);
      return file === null || file.isCut ? null : file.content.toString('utf8');
    };
    let describes = true;
    let dependencies: readonly string[] | null = [];
    for (const path of new Set(manifests)) {
      const versions = { base: await textOf(worktree.baseCommit, path), result: await textOf(commit, path) };
      const names = changedDependencies(path, versions);
      describes &&= changesOnlyDescription(path, versions);
      dependencies = dependencies === null || names === null ? null : [...dependencies, ...names];
    }
    return { describes, dependencies };
  });
}

async function runOnce(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  { check, tree, step }: { readonly check: Check; readonly tree: CleanTree; readonly step: string },
): Promise<{ readonly kind: RunKind; readonly output: string }> {
  const report = await runInCleanRoom(parts, activity, worktree, {
    tree: treeOfCheck(tree, check),
    commands: [check.command],
    step,
  });
  return { kind: kindOfCheckReport(report, check.hasTests), output: report.commands[0]?.output ?? report.reason };
}
