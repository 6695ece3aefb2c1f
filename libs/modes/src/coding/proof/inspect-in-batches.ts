import type { ActivityContext } from '#engine';
import type { Worktree } from '#workspace';
import type { CodingParts } from '../coding-context.js';
import { type Inspected, inspect, type InspectionWish } from './inspect.js';

const MOST_TESTS = 40;
const LONGEST_LIST = 7_000;
/** Beyond these, no agent is asked for a quote, and the tests count as removed without a reason. */
const MOST_BATCHES = 10;

/** An inspection with any number of changed tests. Each agent is asked for as many quotes as it can give at once. */
export async function inspectInBatches(
  parts: CodingParts,
  activity: ActivityContext,
  worktree: Worktree,
  wish: InspectionWish,
): Promise<Inspected> {
  const [tests = [], ...others] = splitTests(wish.tests);
  let whole = await inspect(parts, activity, worktree, { ...wish, tests });
  for (const [index, batch] of others.entries()) {
    if (whole.kind === 'stopped') return whole;
    const step = `${wish.step}/tests-${String(index + 2)}`;
    const rest = { ...wish, parts: [], findings: [], tests: batch, asksForDemands: false, step };
    const next = await inspect(parts, activity, worktree, rest);
    if (next.kind === 'stopped') return next;
    const answers = [...(whole.inspection?.tests ?? []), ...(next.inspection?.tests ?? [])];
    const inspection = whole.inspection ?? next.inspection;
    whole = {
      kind: 'done',
      inspection: inspection && { ...inspection, tests: answers },
      patch: { ...whole.patch, ...next.patch },
    };
  }
  return whole;
}

function splitTests(tests: readonly string[]): readonly (readonly string[])[] {
  const batches: string[][] = [];
  let length = 0;
  for (const test of tests) {
    const last = batches.at(-1);
    length += test.length + 1;
    if (last && last.length < MOST_TESTS && length <= LONGEST_LIST) {
      last.push(test);
    } else {
      batches.push([test]);
      length = test.length + 1;
    }
  }
  return batches.slice(0, MOST_BATCHES);
}
