import { comparedTo, type Comparison, type VerifyFacts } from '#self-heal';
import type { VerifyReport } from '#workspace';

/** A verification beside the one that was made before the first change. */
export const judgedAgainst = (baseline: VerifyReport | null, now: VerifyReport): Comparison =>
  comparedTo(baseline && factsOf(baseline), factsOf(now));

const factsOf = ({ verdict, commands }: VerifyReport): VerifyFacts => ({
  verdict,
  commands: commands.map(({ command, exitCode, endedBy, output, counts }) => ({
    command,
    exitCode,
    endedBy,
    output,
    failed: counts?.failed ?? null,
  })),
});
