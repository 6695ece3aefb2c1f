import { describe, expect, it } from 'vitest';
import { Finding } from '#contracts';
import { withReport } from './reports.js';

const found = (priority: string, title: string) => ({ priority, title, body: title, file: null, line: null });
const findingsIn = (patch: ReturnType<typeof withReport>): readonly Finding[] =>
  Finding.array().parse(patch['findings']);

describe('a finding of the small team', () => {
  it('must be fixed before the rest if it is a P0', () => {
    const patch = withReport({ context: {} }, 'docs-writer', [found('P0', 'a'), found('P1', 'b')]);
    expect(findingsIn(patch)).toMatchObject([
      { title: 'a', relation: 'before' },
      { title: 'b', relation: 'aside' },
    ]);
  });

  it('must be so after an escalation too, so that its fix is not dropped quietly', () => {
    const context = { escalated: true, findings: [], tasks: [] };
    expect(findingsIn(withReport({ context }, 'docs-writer', [found('P0', 'a')]))).toMatchObject([
      { title: 'a', relation: 'before' },
    ]);
  });
});
