/** What cannot be interrupted can be left. */
export function within<T>(over: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    over.addEventListener('abort', () => reject(over.reason as Error), { once: true });
    work.then(resolve, reject);
  });
}
