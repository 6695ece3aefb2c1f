import type { VerifyReport } from '#workspace';

/** Commands that verified before and no longer do. If nobody named them they are found in the files, which may say less now. */
export const listGoneCommands = ({ commands }: VerifyReport, baseline: VerifyReport | null): readonly string[] =>
  (baseline?.commands ?? [])
    .map(({ command }) => command)
    .filter((known) => !commands.some(({ command }) => command === known));
