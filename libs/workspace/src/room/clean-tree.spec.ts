import { describe, expect, it } from 'vitest';
import { checkCleanTree } from './clean-tree.js';

const COMMIT = 'a'.repeat(40);

describe('the check of a clean tree', () => {
  it('accepts commits and plain paths', () => {
    const overlays = [{ from: 'b'.repeat(40), paths: ['test/a.test.js', '.github/x', 'a b', '..a/b'] }];
    expect(() =>
      checkCleanTree({ commit: COMMIT, overlays, files: [{ path: 'check.js', content: '' }] }),
    ).not.toThrow();
  });

  it.each([
    ['', 'is no path'],
    ['.', 'is no path'],
    ['a\0b', 'is no path'],
    ['x'.repeat(1_001), 'is no path'],
    ['/etc/passwd', 'is not relative'],
    ['../a', 'leads out'],
    ['a/../../b', 'leads out'],
    ['.git/config', 'part of git'],
    ['a/.GIT/hooks', 'part of git'],
    ['a/.git ', 'part of git'],
    ['./a', 'shortest form'],
    ['a//b', 'shortest form'],
    ['a/', 'shortest form'],
  ])('refuses the path %j in overlays and files', (path, why) => {
    const overlays = [{ from: COMMIT, paths: [path] }];
    const code = { code: 'CLEAN_PATH_INVALID' };
    expect(() => checkCleanTree({ commit: COMMIT, overlays })).toThrow(expect.objectContaining(code));
    expect(() => checkCleanTree({ commit: COMMIT, files: [{ path, content: '' }] })).toThrow(why);
  });

  it.each(['HEAD', '--help', 'a'.repeat(39)])('refuses %j as a commit', (commit) => {
    expect(() => checkCleanTree({ commit })).toThrow('no commit id');
    expect(() => checkCleanTree({ commit: COMMIT, overlays: [{ from: commit, paths: [] }] })).toThrow('no commit id');
  });
});
