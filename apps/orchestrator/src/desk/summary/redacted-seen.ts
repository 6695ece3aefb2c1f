import type { WaitingFor } from '#contracts';
import { type Redactor, secrets } from '#kernel';
import type { Seen } from './seen.js';

/**
 * Names of files, what processes were started for and what was asked may be anything. It is done before anything is cut:
 * half a secret would not be recognised. What the team said is read without secrets already.
 */
export function redactedSeen(seen: Seen, redactor: Redactor = secrets): Seen {
  const clean = (text: string): string => redactor.redact(text);
  const { project, gate, pending, unknown, log } = seen;
  return {
    ...seen,
    project: {
      ...project,
      request: clean(project.request),
      waitingFor: project.waitingFor && redactedWait(project.waitingFor, clean),
    },
    gate: gate && { ...gate, ask: clean(gate.ask), why: gate.why === null ? null : clean(gate.why) },
    pending:
      pending && 'files' in pending
        ? { ...pending, files: pending.files.map((file) => ({ ...file, path: clean(file.path) })) }
        : pending,
    unknown: unknown.map(({ what, then }) => ({ what: clean(what), then })),
    log: log.map((row) => ({ ...row, because: clean(row.because) })),
  };
}

/** Only what is said in words: the rest names states, times and projects. */
const redactedWait = (wait: WaitingFor, clean: (text: string) => string): WaitingFor => {
  const { words, reason } = wait;
  return {
    ...wait,
    ...(typeof words === 'string' && { words: clean(words) }),
    ...(typeof reason === 'string' && { reason: clean(reason) }),
  };
};
