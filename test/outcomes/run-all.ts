import type { OutcomeCase } from './cases/case.js';
import type { CaseResult } from './report/table.js';
import { runCase } from './run-case.js';
import { OutcomeServices } from './services.js';

const AT_ONCE = 3;

/** Runs cases on services of their own, some at once, and leaves no process and no folder. Results keep the order. */
export async function runAll(
  wanted: readonly OutcomeCase[],
  onResult: (result: CaseResult) => void = () => undefined,
): Promise<readonly CaseResult[]> {
  const services = await OutcomeServices.open(wanted);
  const results: CaseResult[] = [];
  const queue = wanted.entries();
  const work = async (): Promise<void> => {
    for (const [index, one] of queue) {
      const result = await runCase(services, one).catch((error: unknown) => failedCase(one, error));
      results[index] = result;
      onResult(result);
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
});
