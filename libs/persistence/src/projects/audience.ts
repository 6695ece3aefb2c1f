const REMEMBERED_MS = 10_000;

/**
 * Whether somebody outside listens, as far as this process has seen. It only decides which statement is tried first:
 * the database has the last word in the write itself.
 */
export class Audience {
  private until = -Infinity;

  get isKnown(): boolean {
    return performance.now() < this.until;
  }

  noticed(): void {
    this.until = performance.now() + REMEMBERED_MS;
  }
}
