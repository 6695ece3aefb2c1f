/** Prints how long each case took and how soon the next worker had gone on. */
export class Report {
  private readonly lines: string[] = [];
  private readonly recoveries: number[] = [];

  note(name: string, { tookMs, recoveryMs }: { tookMs: number; recoveryMs: number | null }): void {
    if (recoveryMs !== null) this.recoveries.push(recoveryMs);
    const recovery = recoveryMs === null ? 'nothing left to do' : `recovered in ${String(recoveryMs)} ms`;
    this.lines.push(`  ${(tookMs / 1_000).toFixed(1).padStart(5)} s  ${name}: ${recovery}`);
  }

  print(title: string): void {
    const sorted = this.recoveries.toSorted((a, b) => a - b);
    const p50 = sorted[Math.floor(sorted.length / 2)] ?? 0;
    const summary = `recovery after kill -9: p50 ${String(p50)} ms, max ${String(sorted.at(-1) ?? 0)} ms`;
    console.log([title, ...this.lines, `${summary} (${String(sorted.length)} kills)`].join('\n'));
  }
}
