import type { ActivityContext } from '#engine';
import type { RunKind } from '#proof';
import type { CleanTree, Worktree } from '#workspace';
import { runInCleanRoom } from '../../shared/verification.js';
import { baselineOf } from '../../shared/work-parts.js';
import type { CodingParts } from '../coding-context.js';
import { contextOf } from '../context.js';
import type { Check } from '../scoping/request-plan.js';
import { type OldSettings, readOldSettings, runOnBase } from './base-run.js';
import type { ChangedFiles } from './changed-files.js';
import { kindOfCheckReport, treeOfCheck } from './run-check.js';

/** What a check says about the result, and whether that proves anything. */
export interface CheckFacts {
  readonly check: Check;
  /** How it ends on the base: twice at least. */
  readonly onBase: readonly RunKind[];
  readonly onResult: readonly RunKind[];
  readonly output: string;
  /** The check is about tests, manifests or settings: the sources of the base do not make it fail. */
  readonly isBesideSources?: boolean;
}

interface Wish {
  readonly commit: string;
  readonly changed: ChangedFiles;
  /** Files that a verify command calls by name, and that the change rewrote. */
  readonly calledFiles?: readonly string[];
}

/**
 * Every check runs twice on the result. On the base it runs again if tests or manifests changed since, unless it passes
 * there anyway.
 */
export async function runChecks(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  { commit, changed, calledFiles = [] }: Wish,
): Promise<readonly CheckFacts[]> {
  const facts: CheckFacts[] = [];
  const checks = (contextOf(activity).checks ?? []).filter(({ dropped }) => dropped === null);
  const needsBase = checks.length > 0 && (changed.touchesTests || changed.touchesManifests);
  const settings = needsBase
    ? await readOldSettings(parts, activity, worktree, {
        ...{ commit, changed, calledFiles },
        baseline: baselineOf(activity) ?? { commands: [] },
      })
    : NO_SETTINGS;
  for (const check of checks) {
    const run = (tree: CleanTree, step: string) => runOnce(parts, activity, worktree, { check, tree, step });
    const runTree = async (tree: CleanTree, step: string) => (await run(tree, step)).kind;
    const first = await run({ commit }, `result/${check.id}/1`);
    const second = await run({ commit }, `result/${check.id}/2`);
    const red: RunKind = check.red.kind === 'kept' ? { kind: 'green' } : check.red;
    const { onBase, isBesideSources } =
      needsBase && red.kind !== 'green'
        ? await runOnBase(worktree, {
            commit,
            check,
            part: describePart(activity, check),
            changed,
            settings,
            run: runTree,
          })
        : UNCHANGED;
    const output = first.kind.kind === 'green' ? second.output : first.output;
    facts.push({
      ...{ check, onBase: [red, ...onBase], onResult: [first.kind, second.kind], output },
      ...(isBesideSources && { isBesideSources }),
    });
  }
  return facts;
}

function describePart(activity: ActivityContext, { part, title }: Check): string {
  const { title: of = '', interface: fixed = '' } = contextOf(activity).requestPlan?.parts[part - 1] ?? {};
  return [of, fixed, title].join('\n');
}

const NO_SETTINGS: OldSettings = { overlays: [], files: [] };
const UNCHANGED = { onBase: [], isBesideSources: false } as const;

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
