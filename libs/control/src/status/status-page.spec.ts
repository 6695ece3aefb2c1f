import { describe, expect, it } from 'vitest';
import type { Project } from '#contracts';
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
const pageOf = (pending: StatusFacts['pending']): string => {
  const none = { doing: [], members: [], processes: [], problems: [], gates: [], events: [], made: null };
  return statusPage({ at: new Date(0), project, ...none, pending });
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

  it('says how many more there are, and why git could not say', () => {
    const files = Array.from({ length: 52 }, (_, nth) => ({ path: String(nth), status: 'added' }));
    expect(section(pageOf({ files, isCut: false }))).toMatch(/- and 2 more$/);
    expect(section(pageOf({ files, isCut: true }))).toMatch(/- and many more$/);
    expect(section(pageOf({ reason: 'git did not answer in time' }))).toBe('- unknown: git did not answer in time');
  });
});
