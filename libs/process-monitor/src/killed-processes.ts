/** Who kills for more projects than that forgets of whom it has heard nothing for longest. */
const MOST_PROJECTS = 1_000;

/** By project, how many processes outlived a command that had ended by itself, and did not end when they were asked. */
export class KilledProcesses {
  private readonly counts = new Map<string, number>();

  of(projectId: string): number {
    return this.counts.get(projectId) ?? 0;
  }

  add(projectId: string, processes: number): void {
    if (processes === 0) return;
    const count = this.of(projectId) + processes;
    // Behind all others, so that the first one is the one that was silent for longest.
    this.counts.delete(projectId);
    this.counts.set(projectId, count);
    const [silent] = this.counts.keys();
    if (this.counts.size > MOST_PROJECTS && silent !== undefined) this.counts.delete(silent);
  }

  /** Of a project that has ended nobody asks any more. */
  forget(projectId: string): void {
    this.counts.delete(projectId);
  }
}
