/** The same work for all who ask: one run at a time, and the next one serves everybody who asked before it began. */
export function together<T>(work: () => Promise<T>): () => Promise<T> {
  let current: Promise<unknown> = Promise.resolve();
  let next: Promise<T> | null = null;
  return () => {
    next ??= current.then(() => {
      next = null;
      const run = work();
      current = run.catch(() => undefined);
      return run;
    });
    return next;
  };
}
