import type { RunKind } from '../classify-red.js';
import { type DiffFacts, explainsAbsence } from '../explains-absence.js';
import type { BaseResult, EndResult } from './proof-facts.js';

/** What runs of a check on the base are worth. Runs that are red in different ways count as the weakest of them. */
export function toBaseResult(runs: readonly RunKind[], diff: DiffFacts): BaseResult {
  if (runs.length === 0) return 'not-run';
  const green = runs.filter(({ kind }) => kind === 'green').length;
  if (green > 0) return green === runs.length ? 'green' : 'flaky';
  if (runs.some(({ kind }) => kind === 'broken')) return 'broken';
  const missing = runs.flatMap((run) => (run.kind === 'absent' ? run.missing : []));
  if (missing.length === 0) return 'assertion';
  return explainsAbsence(missing, diff) ? 'absent' : 'unexplained';
}

/** What runs of a check on the result are worth. */
export function toEndResult(runs: readonly RunKind[]): EndResult {
  if (runs.length === 0) return 'not-run';
  const green = runs.filter(({ kind }) => kind === 'green').length;
  if (green === 0) return 'fails';
  return green === runs.length ? 'passes' : 'flaky';
}
