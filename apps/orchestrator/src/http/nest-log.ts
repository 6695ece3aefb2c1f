import type { LoggerService } from '@nestjs/common';
import type { Logger } from '#telemetry';

/** The framework's own words, in our log. What it says while it starts is of use to a developer only. */
export function nestLog(logger: Logger): LoggerService {
  const said = (message: unknown): string => (message instanceof Error ? message.message : String(message));
  return {
    log: (message: unknown) => logger.debug(said(message)),
    debug: (message: unknown) => logger.trace(said(message)),
    verbose: (message: unknown) => logger.trace(said(message)),
    warn: (message: unknown) => logger.warn(said(message)),
    error: (message: unknown) => logger.error({ error: message }, said(message)),
    fatal: (message: unknown) => logger.fatal({ error: message }, said(message)),
  };
}
