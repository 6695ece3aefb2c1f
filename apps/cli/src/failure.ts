import type { Problem } from '#contracts';
import { EXIT, type ExitCode } from './exit-codes.js';

/** Why a command of the command line could not be done, and what it ends with. */
export class Failure extends Error {
  constructor(
    readonly exit: ExitCode,
    readonly code: string,
    message: string,
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }
}

/** Thrown where the service answered that it will not. */
export class Refusal extends Failure {
  constructor(readonly problem: Problem) {
    super(exitOf(problem.status), problem.code, problem.detail);
  }
}

export const usage = (message: string): Failure => new Failure(EXIT.usage, 'USAGE', message);

function exitOf(status: number): ExitCode {
  if (status === 401 || status === 403) return EXIT.unauthorised;
  return status >= 500 ? EXIT.unreachable : EXIT.refused;
}
