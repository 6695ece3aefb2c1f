/** Base names that many folders have. The folder says which one is meant. */
const COMMON = new Set(['index', 'main', 'mod', 'lib', '__init__', '__main__', 'init', 'package']);
const SHORTEST = 2;
const TEST_AFFIX = /^(?:tests?[_-])|(?:[._-](?:tests?|spec|e2e|integration|unit)|Tests?|IT|Spec)$/;

/** The word by which other files name this one: its base name, or that of its folder. Null if there is none. */
export function moduleName(path: string): string | null {
  const parts = path.split('/');
  const base = (parts.pop() ?? '').replace(/(?!^)\..*$/, '');
  const name = COMMON.has(base) ? (parts.pop() ?? '') : base;
  return name.length >= SHORTEST && !/[\u0000-\u001f]/.test(name) ? name : null;
}

/** Whether a test file has the name of a module: `price.test.mjs`, `test_price.py`, `price_test.go`, `PriceTest.java`. */
export function isNamedAfter(test: string, name: string): boolean {
  let base = (test.split('/').pop() ?? '').replace(/(?!^)\.[^.]*$/, '');
  for (;;) {
    if (base === name) return true;
    const shorter = base.replace(TEST_AFFIX, '');
    if (shorter === base) return false;
    base = shorter;
  }
}
