import { errorMessage, UserError } from '#kernel';
import type { Logger } from '#telemetry';

const DEADLINE_MS = 9_000;

/** What a worker's stop may wait for, three times over; the rest of the deadline is for closing what it stood on. */
export const GRACE_MS = 2_500;

/** Waits for SIGTERM or SIGINT, then shuts down once; a shutdown that hangs ends with the process all the same. */
export function stopWhenTold(logger: Logger, shutDown: () => Promise<void>): void {
  let isStopping = false;
  const stop = (signal: string): void => {
    if (isStopping) return;
    isStopping = true;
    logger.info({ signal }, 'shutting down');
    const tooLate = setTimeout(() => {
      logger.error('the shutdown took too long');
      process.exit(1);
    }, DEADLINE_MS);
    shutDown().then(
      () => {
        clearTimeout(tooLate);
        process.exit(0);
      },
      (error: unknown) => {
        logger.error({ error }, 'the shutdown failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

/** A start that fails says why in one line where the user can mend it, and with its stack where only we can. */
export function explainFailedStart(error: unknown): never {
  console.error(error instanceof UserError ? `${error.code}: ${errorMessage(error)}` : error);
  process.exit(1);
}
