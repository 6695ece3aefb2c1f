import type { TestRunner } from './test-runners.js';

/** What `node --test` runs if it is given no path. */
const NODE_DEFAULT =
  /(?:^|\/)test\/(?:.*\/)?[^/]+\.[cm]?[jt]s$|(?:^|\/)test(?:-[^/]*)?\.[cm]?[jt]s$|[._-]test\.[cm]?[jt]s$/;
const PATTERN = /[*?[\]{}()|^$\\]/;

/**
 * The files that a call would run by itself. A selection replaces the paths of the call, and must not run a test that
 * the call leaves out. Null if that is not certain.
 */
export function coveredFiles(
  runner: TestRunner['name'],
  filters: readonly string[],
  files: readonly string[],
): readonly string[] | null {
  if (filters.length === 0) return runner === 'node' ? files.filter((file) => NODE_DEFAULT.test(file)) : files;
  const plain = filters.map((filter) => filter.replace(/^(?:\.\/)+/, ''));
  if (runner === 'go') return filters.includes('./...') ? files : null;
  if (plain.some((filter) => PATTERN.test(filter))) return null;
  switch (runner) {
    case 'vitest':
    case 'jest':
      return files.filter((file) => plain.some((filter) => file.includes(filter)));
    case 'node':
    case 'pytest':
      return files.filter((file) => plain.some((filter) => isWithin(file, filter)));
    case 'mocha':
    case 'unittest':
    case 'cargo':
      return null;
  }
}

const isWithin = (file: string, path: string): boolean =>
  file === path || path === '.' || path === '' || file.startsWith(path.endsWith('/') ? path : `${path}/`);
