import { parentPort } from 'node:worker_threads';

/**
 * Tries a pattern on texts, in a thread of its own: a pattern can take for ever on the wrong text, and only a thread
 * can be ended. Imports nothing of ours, so that it runs as it is, compiled or not.
 */
export interface MatchWish {
  readonly source: string;
  readonly flags: string;
  readonly texts: readonly string[];
  readonly most: number;
}

export interface Match {
  /** Which of the texts. */
  readonly text: number;
  /** From 0 on. */
  readonly line: number;
  readonly column: number;
}

parentPort?.on('message', ({ source, flags, texts, most }: MatchWish) => {
  const pattern = new RegExp(source, flags);
  const matches: Match[] = [];
  texts.forEach((text, nth) => {
    text.split('\n').forEach((line, at) => {
      if (matches.length >= most) return;
      const column = line.search(pattern);
      if (column >= 0) matches.push({ text: nth, line: at, column });
    });
  });
  parentPort?.postMessage(matches);
});
