import type { ActivityContext } from '#engine';
import { isAboutSettings, isPlainCheck, type RunKind } from '#proof';
import { type CleanTree, isTestConfiguration, isTestFile, type VerifyReport, type Worktree } from '#workspace';
import type { CodingParts } from '../coding-context.js';
import type { Check } from '../scoping/request-plan.js';
import { readBaseSettings } from './base-settings.js';
import type { ChangedFiles } from './changed-files.js';

/** Runs a check on a tree, under a name of its own. */
export type RunTree = (tree: CleanTree, step: string) => Promise<RunKind>;

interface Wish {
  readonly commit: string;
  readonly check: Check;
  /** What the plan says of its part. */
  readonly part: string;
  readonly changed: Pick<ChangedFiles, 'sources' | 'documents' | 'manifests'>;
  /** What decides on the base how tests run. */
  readonly settings: OldSettings;
  readonly run: RunTree;
}

/** Parts of a tree that has the test settings of the base. */
export type OldSettings = Required<Pick<CleanTree, 'overlays' | 'files'>>;

export interface BaseRuns {
  readonly onBase: readonly RunKind[];
  /** The check is about tests, manifests or settings: the sources of the base do not make it fail. */
  readonly isBesideSources: boolean;
}

/**
 * How a check ends on the base, now that tests, manifests and settings changed. The sources and documents of the base
 * come first, with everything else from the result. Then two cases remain.
 *
 * Old sources may not even start with new dependencies: they run with their own manifests too.
 *
 * If the check passes, it is about a test, a manifest or a setting, or one of these forged the pass. It is no forgery if
 * the check fails on the base as a whole, and passes on the result with the test settings of the base. A part may be
 * about a setting in a manifest: then those stay as the result has them.
 */
export async function runOnBase(
  worktree: Worktree,
  { commit, check, part, changed, settings, run }: Wish,
): Promise<BaseRuns> {
  const { sources, documents, manifests } = changed;
  const { baseCommit: from } = worktree;
  const base = (paths: readonly string[]): CleanTree => ({ commit, overlays: [{ from, paths }] });
  // A part may be a text: with the result's documents its check would pass on the base.
  const old = [...sources, ...documents];
  const mixed = old.length === 0 ? GREEN : await run(base(old), `base/${check.id}`);
  const broken = mixed.kind === 'broken' && manifests.length > 0;
  if (broken) return alone(await run(base([...old, ...manifests]), `base/${check.id}/own-manifests`));
  if (mixed.kind !== 'green') return alone(mixed);
  const whole = await run({ commit: from }, `base/${check.id}/whole`);
  if (whole.kind === 'green' || !(await passesWithOldSettings(commit, { check, part, settings, run })))
    return alone(mixed);
  return { onBase: [whole], isBesideSources: true };
}

const GREEN: RunKind = { kind: 'green' };

const alone = (kind: RunKind): BaseRuns => ({ onBase: [kind], isBesideSources: false });

async function passesWithOldSettings(
  commit: string,
  { check, part, settings, run }: Pick<Wish, 'check' | 'part' | 'settings' | 'run'>,
): Promise<boolean> {
  const { overlays, files } = isAboutSettings(part, pathsOf(settings)) ? withoutSettings(settings) : settings;
  if (overlays.length + files.length === 0 || isPlainCheck(check)) return true;
  return (await run({ commit, overlays, files }, `result/${check.id}/old-settings`)).kind === 'green';
}

const pathsOf = ({ overlays, files }: OldSettings): readonly string[] => [
  ...files.map(({ path }) => path),
  ...overlays.flatMap(({ paths }) => paths.filter((path) => isTestConfiguration(path))),
];

/** Changed settings may be the very work. Helpers of tests, and files that a verify command calls, are not. */
const withoutSettings = ({ overlays }: OldSettings): OldSettings => ({
  files: [],
  overlays: overlays
    .map(({ from, paths }) => ({ from, paths: paths.filter((path) => !isTestConfiguration(path)) }))
    .filter(({ paths }) => paths.length > 0),
});

interface SettingsWish {
  readonly commit: string;
  readonly baseline: Pick<VerifyReport, 'commands'>;
  readonly changed: Pick<ChangedFiles, 'oldTests' | 'newTestConfiguration' | 'manifests'>;
  /** Files that a verify command calls by name, and that the change rewrote. */
  readonly calledFiles: readonly string[];
}

const CODE = /\.(?:[cm]?[jt]sx?|py|sh|rb|php)$/i;
const NAMED_TEST = /(?:[._-](?:tests?|specs?)\.|Tests?\.|Spec\.|(?:^|\/)test_[^/]*$)/;

/** Settings of a runner may load helpers, but no test by its name. */
const isHelper = (path: string): boolean => isTestFile(path) && CODE.test(path) && !NAMED_TEST.test(path);

/** What decides how tests run, as the base has it. A test that a part asks for stays as the result has it. */
export async function readOldSettings(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  { commit, baseline, changed, calledFiles }: SettingsWish,
): Promise<OldSettings> {
  const files = await readBaseSettings(parts, activity, worktree, { commit, baseline, changed, keepsNewScripts: true });
  const old = changed.oldTests.filter((path) => isTestConfiguration(path) || isHelper(path));
  const paths = [...new Set([...old, ...changed.newTestConfiguration, ...calledFiles])];
  return { overlays: paths.length > 0 ? [{ from: worktree.baseCommit, paths }] : [], files };
}
