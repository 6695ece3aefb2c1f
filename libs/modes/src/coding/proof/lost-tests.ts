import { testsRun, type VerifyReport } from '#workspace';
import { goneCommands } from '../../shared/doubt.js';
import type { ListedTest } from './listed-tests.js';

/**
 * Tests of the base that no longer run, though none of them is seen to be removed: a verify command is gone, or the
 * runner is told to leave tests out. Each counts as a removed test.
 */
export function lostTests(result: VerifyReport, baseline: VerifyReport, hasRemoved: boolean): readonly ListedTest[] {
  return wordsFor(result, baseline, hasRemoved).map((words) => ({ words, file: words, name: null, change: 'removed' }));
}

function wordsFor(result: VerifyReport, baseline: VerifyReport, hasRemoved: boolean): readonly string[] {
  const gone = goneCommands(result, baseline).map((command) => `The verify command ${command}`);
  if (gone.length > 0 || hasRemoved) return gone;
  const [before, now] = [baseline.counts, result.counts];
  if (before === null || before.isMinimum === true) return [];
  if (now === null) return ['The verify commands no longer say how many tests ran'];
  const fewer = testsRun(before) - testsRun(now);
  return fewer > 0 ? [`${String(fewer)} of ${String(testsRun(before))} tests that ran before`] : [];
}
