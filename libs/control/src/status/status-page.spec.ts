import { describe, expect, it } from 'vitest';
import type { Gate, Project } from '#contracts';
import { type StatusFacts, statusPage } from './status-page.js';

const project = {
  name: '001-dark-mode',
  request: 'Add it',
  state: 'EXECUTING',
  checkpoint: { seq: 3, checksum: 'sha256:3' },
  waitingFor: null,
  findings: {},
  workspace: { branch: 'qralph/001-dark-mode', baseCommit: 'base', headCommit: 'head', sandbox: null },
} as unknown as Project;
const pageOf = (pending: StatusFacts['pending'], gates: readonly Gate[] = []): string => {
  const none = { doing: [], members: [], processes: [], problems: [], events: [], made: null };
  return statusPage({ at: new Date(0), project, ...none, gates, pending });
};
const section = (page: string): string => page.split('## Uncommitted work\n\n')[1]?.split('\n\n')[0] ?? '';

describe('STATUS.md', () => {
  it('says what is uncommitted in the worktree', () => {
    const files = [
      { path: 'theme.mjs', status: 'changed' },
      { path: 'by\nhand.txt', status: 'added' },
    ];
    expect(section(pageOf({ files, isCut: false }))).toBe('- changed: theme.mjs\n- added: by hand.txt');
    expect(section(pageOf({ files: [], isCut: false }))).toBe('none');
    expect(section(pageOf(null))).toBe('none');
  });

  it('says what is asked, and where that was decided what waits to be taken up', () => {
    const gate = { name: 'plan', ask: 'Is it good?', options: ['approve', 'reject'], decided: null } as unknown as Gate;
    const decided = { decision: 'approve', by: 'human', at: '2026-01-03T00:00:00.000Z' } as const;
    const page = pageOf(null, [gate, { ...gate, decided }]);
    expect(page).toContain('- plan: Is it good? (approve, reject)\n');
    expect(page).toContain('- plan: Is it good? (approve is stored and waits to be taken up)\n');
  });

  it('says how many more there are, and why git could not say', () => {
    const files = Array.from({ length: 52 }, (_, nth) => ({ path: String(nth), status: 'added' }));
    expect(section(pageOf({ files, isCut: false }))).toMatch(/- and 2 more$/);
    expect(section(pageOf({ files, isCut: true }))).toMatch(/- and many more$/);
    expect(section(pageOf({ reason: 'git did not answer in time' }))).toBe('- unknown: git did not answer in time');
  });
});
