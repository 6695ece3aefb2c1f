interface Kept<T> {
  readonly question: string;
  readonly answer: Promise<T>;
}

/**
 * The last answers for each project, to questions whose answer never changes, such as what lies between two commits.
 * Who asks while an answer is under way waits for that one. A failed answer is not kept.
 */
export class AnswerCache<T> {
  private readonly kept = new Map<string, readonly Kept<T>[]>();

  constructor(private readonly most = 1) {}

  find(projectId: string, question: string, read: () => Promise<T>): Promise<T> {
    const known = this.of(projectId).find((one) => one.question === question);
    if (known) return known.answer;
    const fresh: Kept<T> = { question, answer: read() };
    this.kept.set(projectId, [fresh, ...this.of(projectId)].slice(0, this.most));
    fresh.answer.catch(() => {
      this.drop(projectId, fresh);
    });
    return fresh.answer;
  }

  forget(projectId: string): void {
    this.kept.delete(projectId);
  }

  private of(projectId: string): readonly Kept<T>[] {
    return this.kept.get(projectId) ?? [];
  }

  private drop(projectId: string, failed: Kept<T>): void {
    const left = this.of(projectId).filter((one) => one !== failed);
    if (left.length === 0) this.kept.delete(projectId);
    else this.kept.set(projectId, left);
  }
}
