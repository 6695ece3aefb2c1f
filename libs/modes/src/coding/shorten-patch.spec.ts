import { describe, expect, it } from 'vitest';
import { shortenDiff } from './shorten-patch.js';

const section = (path: string, line: string): string =>
  `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -1,0 +1,1 @@\n+${line}\n`;
const diffOf = (paths: readonly string[], line: string, isCut = false) => ({
  patch: paths.map((path) => section(path, line)).join(''),
  files: paths.map((path) => ({ path })),
  isCut,
});

describe('shortenDiff', () => {
  it('leaves a patch that fits as it is', () => {
    const diff = diffOf(['yarn.lock', 'src/theme.mjs'], 'dark');
    expect(shortenDiff(diff, 1_000)).toBe(diff.patch);
  });

  it('puts files that tools write behind all others before it cuts a patch', () => {
    const [lock, code] = [section('package-lock.json', 'x'.repeat(2_000)), section('src/theme.mjs', 'dark')];
    const files = [{ path: 'package-lock.json' }, { path: 'src/theme.mjs' }];
    const shown = shortenDiff({ patch: lock + code, files, isCut: false }, 1_000);
    expect(shown.startsWith(code)).toBe(true);
    expect(shown).toContain('Files that are not shown whole: package-lock.json.');
  });

  it('says how much is missing, of which files, and how to read it', () => {
    const diff = diffOf(['a.mjs', 'b.mjs', 'c.mjs'], 'y'.repeat(300));
    const shown = shortenDiff(diff, 1_000);
    const [kept = '', mark = ''] = shown.split('\n[…] ');
    expect(diff.patch.startsWith(kept)).toBe(true);
    expect(mark).toBe(
      `The diff is cut: ${String(diff.patch.length - kept.length)} of ${String(diff.patch.length)} characters are missing. ` +
        'Files that are not shown whole: b.mjs, c.mjs. Read them in the worktree.',
    );
  });

  it('says so too if the patch was cut before, though the rest fits', () => {
    const { patch } = diffOf(['a.mjs'], 'y');
    const files = [{ path: 'a.mjs' }, { path: 'far.mjs' }];
    const shown = shortenDiff({ patch, files, isCut: true }, 1_000);
    expect(shown).toContain(patch);
    expect(shown).toMatch(/\[…\] The diff is cut\. Files that are not shown whole: a\.mjs, far\.mjs\. Read them/);
  });

  it('is never longer than it may be, however many files there are', () => {
    const paths = Array.from({ length: 500 }, (_, nth) => `${'p'.repeat(90)}/${String(nth)}.mjs`);
    for (const longest of [200, 1_000, 20_000]) {
      const shown = shortenDiff(diffOf(paths, 'y'), longest);
      expect(shown.length).toBeLessThanOrEqual(longest);
      expect(shown).toContain('[…] The diff is cut');
    }
    expect(shortenDiff(diffOf(paths, 'y'), 20_000)).toMatch(/ and \d+ more\. Read them in the worktree\.$/);
  });
});
