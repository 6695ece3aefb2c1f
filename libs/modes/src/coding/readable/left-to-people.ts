import type { Finding } from '#contracts';
import type { Deferred } from '#self-heal';

/** What becomes of a finding that nobody took up. */
export const LEFT_TO_PEOPLE: Finding['outcome'] = {
  kind: 'deferred',
  commit: null,
  reason: 'left for people to consider',
};

/** Findings that nobody took up, as DEFERRED.md has them. */
export const leftToPeople = (findings: readonly Finding[]): readonly Deferred[] =>
  findings
    .filter(({ outcome }) => outcome.reason === LEFT_TO_PEOPLE.reason)
    .map(({ id, priority, title, body, file, line, agents }) => {
      const where = file === null ? '' : ` (${file}${line === null ? '' : `:${String(line)}`})`;
      return {
        title: `${priority} ${id} ${title}${where}`,
        reason: `${body} Found by ${agents.join(', ')}; nothing was tried.`,
        options: [
          { what: 'start a request of its own for it', effort: 'unknown' },
          { what: 'leave it', effort: 'small' },
        ],
      };
    });
