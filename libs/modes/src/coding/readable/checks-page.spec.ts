import { describe, expect, it } from 'vitest';
import type { Check } from '../scoping/request-plan.js';
import { checksPage } from './checks-page.js';

const CHECK: Check = {
  id: 'C-001',
  part: 1,
  title: 'discount takes a percentage off',
  command: 'node .qralph-checks/discount.mjs',
  files: [{ path: '.qralph-checks/discount.mjs', content: 'import { discount } from "../src/price.js";\n' }],
  red: { kind: 'assertion' },
  isAdapted: false,
  dropped: null,
};

describe('CHECKS.md', () => {
  it('shows the command and the files of each check', () => {
    const page = checksPage('007-discount', [CHECK]);
    expect(page).toContain('# Checks of 007-discount');
    expect(page).toContain('## C-001 discount takes a percentage off');
    expect(page).toContain('    $ node .qralph-checks/discount.mjs');
    expect(page).toContain('    import { discount } from "../src/price.js";');
    expect(page).toContain('- on the base: it failed\n');
  });

  it('says what was missing on the base, and why a check does not count', () => {
    const page = checksPage('x', [
      { ...CHECK, red: { kind: 'absent', missing: ['discount'] }, dropped: 'the request asks for a sum' },
    ]);
    expect(page).toContain('because this was missing: discount');
    expect(page).toContain('- it does not count: the request asks for a sum');
  });

  it('says that a check of what stays passed on the base', () => {
    expect(checksPage('x', [{ ...CHECK, red: { kind: 'kept' } }])).toContain('- on the base: it passed, and');
  });

  it('lets no text of an agent become a heading', () => {
    const page = checksPage('x', [
      { ...CHECK, title: 'a\n# b', command: 'true\n# c', files: [{ path: 'd\n# e', content: '# f' }] },
    ]);
    expect(page.split('\n').filter((line) => line.startsWith('# '))).toEqual(['# Checks of x']);
  });

  it('shows a file that two checks share once', () => {
    const page = checksPage('x', [CHECK, { ...CHECK, id: 'C-002' }]);
    expect(page.match(/import \{ discount \}/g)).toHaveLength(1);
    expect(page).toContain('The same file as in C-001.');
  });

  it('says so if there is none', () => {
    expect(checksPage('x', [])).toContain('No check was written');
  });
});
