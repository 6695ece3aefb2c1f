import { describe, expect, it } from 'vitest';
import { chooseConventions, renderConventions } from './conventions.js';

const render = (files: Readonly<Record<string, string>>): string => renderConventions(new Map(Object.entries(files)));

describe('renderConventions', () => {
  it('is empty if there are no such files, or only empty ones', () => {
    expect(render({})).toBe('');
    expect(render({ 'AGENTS.md': ' \n' })).toBe('');
  });

  it('names each file, AGENTS.md first', () => {
    const files = { '.github/CONTRIBUTING.md': 'Be kind.', 'CLAUDE.md': '# Rules\n', 'AGENTS.md': 'Run the tests.' };
    expect(render(files)).toBe(
      '=== AGENTS.md ===\nRun the tests.\n\n=== CLAUDE.md ===\n# Rules\n\n=== .github/CONTRIBUTING.md ===\nBe kind.',
    );
  });

  it('shows a text once if two files have the same', () => {
    expect(render({ 'AGENTS.md': 'Same.\n', 'CLAUDE.md': 'Same.' })).toBe('=== AGENTS.md ===\nSame.');
  });

  it('gives a short file all of its text beside long ones, in at most 8,000 characters', () => {
    const text = render({
      'AGENTS.md': 'a\n'.repeat(9_000),
      'CLAUDE.md': 'Short.',
      'CONTRIBUTING.md': 'c\n'.repeat(9_000),
    });
    expect(text.length).toBeLessThanOrEqual(8_000);
    expect(text.length).toBeGreaterThan(7_900);
    expect(text).toContain('=== CLAUDE.md ===\nShort.\n\n');
    expect(text.split('c\n').length).toBeGreaterThan(1_900);
  });

  it('stays within 8,000 characters for any number of files and lengths', () => {
    for (const length of [10, 1_000, 1_332, 4_000, 7_980, 8_000, 100_000]) {
      const names = ['AGENTS.md', 'CLAUDE.md', 'CONTRIBUTING.md', '.github/AGENTS.md', '.github/CONTRIBUTING.md'];
      const files = names.map((name, nth) => [name, `${String(nth)}\n`.repeat(length)] as const);
      expect(renderConventions(new Map(files)).length).toBeLessThanOrEqual(8_000);
    }
  });

  it('removes control characters, cuts long lines and leaves out binary files', () => {
    expect(render({ 'AGENTS.md': `a\u001b[2Jb\u202E\n${'x'.repeat(5_000)}` })).toMatch(
      /^=== AGENTS.md ===\na\[2Jb\nx{999}…$/,
    );
    expect(render({ 'AGENTS.md': 'PK\0\u0001' })).toBe('');
  });
});

describe('conventions of folders', () => {
  it('come after those of the repository, nearest to the root first', () => {
    const files = { 'a/b/CLAUDE.md': 'Deep.', 'web/AGENTS.md': 'Web.', 'CONTRIBUTING.md': 'All.' };
    expect(render(files)).toBe(
      '=== CONTRIBUTING.md ===\nAll.\n\n=== web/AGENTS.md ===\nWeb.\n\n=== a/b/CLAUDE.md ===\nDeep.',
    );
  });

  it('are named if their texts do not fit', () => {
    const text = render({ 'AGENTS.md': 'All.', 'api/AGENTS.md': 'x\n'.repeat(3_000), 'web/AGENTS.md': 'Short.' });
    expect(text).toMatch(
      /^=== AGENTS.md ===\nAll\.\n\n=== web\/AGENTS.md ===\nShort\.\n\nRead these too.*: api\/AGENTS\.md$/,
    );
  });

  it('leave the rules of the repository their room, and are named beside them', () => {
    const text = render({ 'AGENTS.md': 'a\n'.repeat(9_000), 'web/AGENTS.md': 'Web.' });
    expect(text.length).toBeLessThanOrEqual(8_000);
    expect(text.split('a\n').length).toBeGreaterThan(3_500);
    expect(text).toMatch(/: web\/AGENTS\.md$/);
  });

  it('stay within 8,000 characters for any number of folders', () => {
    const long = Array.from({ length: 20 }, (_, nth) => `${'folder/'.repeat(30)}${String(nth)}/AGENTS.md`);
    for (const length of [1, 300, 2_000, 9_000]) {
      const files = ['AGENTS.md', ...long].map((path, nth) => [path, `${String(nth)}\n`.repeat(length)] as const);
      expect(renderConventions(new Map(files)).length).toBeLessThanOrEqual(8_000);
    }
  });
});

describe('chooseConventions', () => {
  it('chooses the known names in the root and in .github', () => {
    const known = ['AGENTS.md', 'CLAUDE.md', 'contributing.md', '.github/CONTRIBUTING.md'];
    expect(chooseConventions(known)).toEqual(known);
    expect(chooseConventions(['AGENTS.md/x', 'MY-AGENTS.md', 'README.md'])).toEqual([]);
  });

  it('chooses AGENTS.md and CLAUDE.md of at most 20 folders, examples last, none of vendored code', () => {
    const paths = ['docs/AGENTS.md', 'a/b/CLAUDE.md', 'web/AGENTS.md', 'AGENTS.md'];
    const others = ['a/CONTRIBUTING.md', 'vendor/x/AGENTS.md', 'node_modules/y/CLAUDE.md'];
    expect(chooseConventions([...paths, ...others])).toEqual([
      'AGENTS.md',
      'web/AGENTS.md',
      'a/b/CLAUDE.md',
      'docs/AGENTS.md',
    ]);
    const many = Array.from({ length: 500 }, (_, nth) => `${String(nth)}/AGENTS.md`);
    expect(chooseConventions(many)).toHaveLength(20);
  });
});
