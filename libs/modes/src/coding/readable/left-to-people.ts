import type { Finding } from '#contracts';
import type { Deferred } from '#self-heal';

/** The outcome of a finding that no task fixed. */
export const LEFT_TO_PEOPLE: Finding['outcome'] = {
  kind: 'deferred',
  commit: null,
  reason: 'left for people to consider',
};

/** Findings that no task fixed, as DEFERRED.md lists them. */
export const leftToPeople = (findings: readonly Finding[]): readonly Deferred[] =>
  findings
    .filter(({ outcome }) => outcome.reason === LEFT_TO_PEOPLE.reason)
    .map(({ id, priority, title, body, file, line, agents }) => {
      const where = file === null ? '' : ` (${file}${line === null ? '' : `:${String(line)}`})`;
      return {
        title: `${priority} ${id} ${title}${where}`,
        reason: `${body} Found by ${agents.join(', ')}. Nothing was tried.`,
        options: [
          { what: 'start a new request for it', effort: 'unknown' },
          { what: 'leave it', effort: 'small' },
        ],
      };
    });
