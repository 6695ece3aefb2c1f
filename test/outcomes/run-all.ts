import type { OutcomeCase } from './cases/case.js';
import type { CaseResult } from './report/table.js';
import { runCase } from './run-case.js';
import { OutcomeServices } from './services.js';

const AT_ONCE = 3;
/** Cases that are not over by then have timed out. */
const WHOLE_MS = 25 * 60_000;

export interface RunOptions {
  readonly onResult?: (result: CaseResult) => void;
  /** Ends the run early; nothing is left behind. */
  readonly signal?: AbortSignal;
}

/** Runs cases on services of their own, some at once, and leaves no process and no folder. Results keep the order. */
export async function runAll(
  wanted: readonly OutcomeCase[],
  { onResult, signal: stop }: RunOptions = {},
): Promise<readonly CaseResult[]> {
  const late = AbortSignal.timeout(WHOLE_MS);
  const signal = stop ? AbortSignal.any([stop, late]) : late;
  const services = await OutcomeServices.open(wanted);
  const results: CaseResult[] = [];
  const queue = wanted.entries();
  const work = async (): Promise<void> => {
    for (const [index, one] of queue) {
      const result = await runCase(services, one, signal).catch((error: unknown) => failedCase(one, error));
      results[index] = result;
      onResult?.(result);
    }
  };
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  } finally {
    await services.close();
  }
  return results;
}

/** A fault of the harness or of the service counts against the case, and not against the others. */
const failedCase = (one: OutcomeCase, error: unknown): CaseResult => ({
  case: one,
  outcome: 'ended',
  isRight: false,
  why: String(error),
  calls: 0,
  costUsd: 0,
  ms: 0,
  summary: '',
});
