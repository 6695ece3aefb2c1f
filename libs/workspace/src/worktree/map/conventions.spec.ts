import { describe, expect, it } from 'vitest';
import { isConvention, renderConventions } from './conventions.js';

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

describe('isConvention', () => {
  it('accepts the known names in the root and in .github', () => {
    expect(['AGENTS.md', 'CLAUDE.md', 'contributing.md', '.github/CONTRIBUTING.md'].every(isConvention)).toBe(true);
    expect(['src/AGENTS.md', 'AGENTS.md/x', 'MY-AGENTS.md', 'README.md'].some(isConvention)).toBe(false);
  });
});
