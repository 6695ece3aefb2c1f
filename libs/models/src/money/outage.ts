import { ModelError } from '../model-error.js';

/** A provider that is away: nothing listens, or what listens fails. */
const AWAY: ReadonlySet<string> = new Set(['MODEL_UNREACHABLE', 'MODEL_SERVER_ERROR']);
const FIRST_WAIT_MS = 30_000;
const LONGEST_WAIT_MS = 900_000;
/** About two hours. Who is away for longer is gone, or was never there: a person has to hear of it. */
const MOST_RUNS = 12;

/**
 * What a failure becomes that no further try would mend now. A provider that is away is waited for, twice as long with
 * each run of the same chat, as long as asking it costs nothing. Every other failure stays as it is.
 */
export function outwaited(error: ModelError, run: number, nowMs: number): ModelError {
  const isFree = error.billed === 'nothing';
  if (error.remedy !== 'retry' || !AWAY.has(error.code) || !isFree || run > MOST_RUNS) return error;
  return error.asWait(nowMs + Math.min(FIRST_WAIT_MS * 2 ** (run - 1), LONGEST_WAIT_MS));
}
