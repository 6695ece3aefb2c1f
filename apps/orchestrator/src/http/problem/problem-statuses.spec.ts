import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { STATUSES } from './problem-statuses.js';

const page = readFileSync(new URL('../../../../../docs/api.md', import.meta.url), 'utf8');

/** `| 404, 405 | codes of the one; codes of the other |` */
const rows = [...page.matchAll(/^\| (\d{3}(?:, \d{3})*) +\| (.+) \|$/gm)];
const documented = rows.flatMap(([, statuses = '', codes = '']) =>
  statuses
    .split(', ')
    .flatMap((status, nth) =>
      [...(codes.split(';')[nth] ?? '').matchAll(/`([A-Z_]+)`/g)].map(
        ([, code = '']) => [code, Number(status)] as const,
      ),
    ),
);

describe('the page about the API', () => {
  it('lists every code of a status of its own under that status', () => {
    const listed = documented.filter(([code]) => Object.hasOwn(STATUSES, code));
    expect(Object.fromEntries(listed)).toEqual(STATUSES);
  });

  it.each(['BODY_INVALID', 'TEXT_TOO_LONG', 'OPTION_NOT_AVAILABLE', 'REPO_BARE', 'REPO_REF_NOT_FOUND'])(
    'lists %s, which a start is refused with, under 422',
    (code) => {
      expect(documented).toContainEqual([code, 422]);
    },
  );

  it('lists no other code but where a status is for those too: refusals, and what is away', () => {
    const others = documented.filter(([code]) => !Object.hasOwn(STATUSES, code));
    expect(others.length).toBeGreaterThan(5);
    expect(others.filter(([, status]) => status !== 422 && status !== 503)).toEqual([]);
  });
});
