import type { ActivityContext } from '#engine';
import type { JsonObject } from '#kernel';
import { isContradicted } from '#proof';
import { hasTampered, type TestTampering, type Worktree } from '#workspace';
import type { CodingParts } from '../coding-context.js';
import type { Unfinished } from '../run-agent.js';
import { inspectInBatches } from './inspect-in-batches.js';
import { type ListedTest, quoteFor, readPatchOfTests, removedTests } from './listed-tests.js';

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
  const from = worktree.baseCommit;
  const listed = removedTests(tampering, await readPatchOfTests(parts, activity, worktree, { from, commit }));
  const inspected = await inspectInBatches(parts, activity, worktree, {
    from,
    commit,
    parts: [],
    findings: [],
    tests: listed.map(({ words }) => words),
    step: 'rule-on-tests',
  });
  if (inspected.kind === 'stopped') return inspected;
  const { request } = activity.project;
  const isAllowed = (test: ListedTest): boolean =>
    isContradicted(request, { ...test, quote: quoteFor(test, inspected.inspection) });
  const allowed = new Set(listed.filter(isAllowed).map(({ words }) => words));
  return { kind: 'ruled', tampering: withoutTests(tampering, allowed), patch: inspected.patch };
}

const withoutTests = (tampering: TestTampering, allowed: ReadonlySet<string>): TestTampering => ({
  ...tampering,
  removedFiles: tampering.removedFiles.filter((file) => !allowed.has(file)),
  removedTests: tampering.removedTests.filter(
    ({ file, name }) => !allowed.has(`${file}: ${name}`) && !allowed.has(file),
  ),
  skippedTests: tampering.skippedTests.filter(({ file, line }) => !allowed.has(`${file}: ${line}`)),
});
