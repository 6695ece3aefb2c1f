/** One after the other for the same key; those of different keys side by side. */
export class Turns {
  private readonly last = new Map<string, Promise<unknown>>();

  async take<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.last.get(key) ?? Promise.resolve();
    const turn = before.then(work, work);
    this.last.set(key, turn);
    try {
      return await turn;
    } finally {
      if (this.last.get(key) === turn) this.last.delete(key);
    }
  }
}
