import type { HealProblem } from '#contracts';
import type { Comparison } from './comparison.js';
import { lastLines, normaliseError, signatureOf } from './normalise-error.js';
import { oneLine } from './one-line.js';
import { withoutNoise } from './noise.js';

export type ProblemFacts = Pick<HealProblem, 'title' | 'error' | 'signature' | 'command'>;

const LONGEST_ERROR = 4_000;
const LONGEST_TITLE = 200;

/**
 * The problem that a verification shows, by its worst command; null where nothing fails. The signature is that of
 * `error` as it stands here. `folder` is where the commands ran.
 */
export function problemFrom({ worst, newFailures, oldFailures }: Comparison, folder?: string): ProblemFacts | null {
  if (worst === null) return null;
  const normal = normaliseError(withoutNoise(worst.output), folder);
  const error = lastLines(normal.split('\n'), LONGEST_ERROR) || `${oneLine(worst.command, 500)} printed nothing`;
  const [first, ...others] = newFailures.length > 0 ? newFailures : oldFailures;
  const more = others.length === 0 ? '' : ` (and ${String(others.length)} more)`;
  const title = `${oneLine(first ?? worst.command, LONGEST_TITLE - more.length)}${more}`;
  return { title, error, signature: signatureOf(error), command: worst.command };
}
