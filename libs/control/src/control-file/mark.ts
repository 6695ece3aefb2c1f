const LONGEST_REASON = 300;

/** `PAUSE  <- taken 2026-11-17T09:00:00.000Z`: a line that is no command any more, whatever stood there. */
export const takenMark = (word: string, at: Date): string => `${word}  <- taken ${at.toISOString()}`;

export const refusedMark = (word: string, at: Date, why: string): string =>
  `${word}  <- not taken ${at.toISOString()}: ${why.replaceAll(/\s+/g, ' ').slice(0, LONGEST_REASON)}`;
