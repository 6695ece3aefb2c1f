export interface CombinedRuns {
  /** Tests that failed in each run. */
  readonly failing: string[];
  /** Tests that failed in some runs only: neither proof nor failure. */
  readonly flaky: string[];
}

/** Combines runs of the same tests on the same tree. A single run is believed. */
export function combineRuns(runs: readonly { readonly failing: readonly string[] }[]): CombinedRuns {
  const names = [...new Set(runs.flatMap(({ failing }) => failing))];
  const failsAlways = (name: string): boolean => runs.every(({ failing }) => failing.includes(name));
  return { failing: names.filter(failsAlways), flaky: names.filter((name) => !failsAlways(name)) };
}
