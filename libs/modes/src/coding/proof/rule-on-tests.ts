import type { ActivityContext } from '#engine';
import type { JsonObject } from '#kernel';
import { isQuoteOf } from '#proof';
import { hasTampered, type TestTampering, type Worktree } from '#workspace';
import type { CodingParts } from '../coding-context.js';
import type { Unfinished } from '../run-agent.js';
import { inspect } from './inspect.js';
import type { Inspection } from './proof-record.js';

interface Wish {
  readonly tampering: TestTampering;
  readonly commit: string;
}

export type RuledTests =
  /** What is left of the tampering once the tests are taken out that the request contradicts. */
  | { readonly kind: 'ruled'; readonly tampering: TestTampering; readonly patch: JsonObject }
  | { readonly kind: 'stopped'; readonly outcome: Unfinished; readonly patch: JsonObject };

/** An attempt may take tests away that the request contradicts. Another agent quotes the words of the request. */
export async function ruleOnTests(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  { tampering, commit }: Wish,
): Promise<RuledTests> {
  if (!hasTampered(tampering)) return { kind: 'ruled', tampering, patch: {} };
  const inspected = await inspect(parts, activity, worktree, {
    from: worktree.baseCommit,
    commit,
    parts: [],
    findings: [],
    tests: changedTests(tampering),
    step: 'rule-on-tests',
  });
  if (inspected.kind === 'stopped') return inspected;
  const allowed = contradictedTests(inspected.inspection, activity.project.request);
  return { kind: 'ruled', tampering: withoutTests(tampering, allowed), patch: inspected.patch };
}

/** Tests that were removed or skipped, by the names under which an inspector is asked about them. */
export const changedTests = ({ removedFiles, removedTests, skippedTests }: TestTampering): readonly string[] => [
  ...removedFiles,
  ...removedTests.map(({ file, name }) => `${file}: ${name}`),
  ...skippedTests.map(({ file, line }) => `${file}: ${line}`),
];

/** Tests for which the inspector quoted words that the request really has. */
export const contradictedTests = (inspection: Inspection | null, request: string): ReadonlySet<string> =>
  new Set((inspection?.tests ?? []).filter(({ quote }) => isQuoteOf(request, quote)).map(({ test }) => test));

export const withoutTests = (tampering: TestTampering, allowed: ReadonlySet<string>): TestTampering => ({
  ...tampering,
  removedFiles: tampering.removedFiles.filter((file) => !allowed.has(file)),
  removedTests: tampering.removedTests.filter(
    ({ file, name }) => !allowed.has(`${file}: ${name}`) && !allowed.has(file),
  ),
  skippedTests: tampering.skippedTests.filter(({ file, line }) => !allowed.has(`${file}: ${line}`)),
});
