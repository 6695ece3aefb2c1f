import { describe, expect, it } from 'vitest';
import { explainsAbsence } from './explains-absence.js';

const PATCH = `diff --git a/src/cart.js b/src/cart.js
--- a/src/cart.js
+++ b/src/cart.js
@@ -1,2 +1,4 @@
 import { requests } from './old.js';
-export const removed = 1;
+export function applyDiscount(cart) {}
+  options: { 'dry-run': { type: 'boolean' }, json: true },
+app.get('/v1/health', () => {});
`;
const diff = {
  files: [
    { path: 'src/cart.js', status: 'changed' },
    { path: 'src/minus.ts', status: 'added' },
    { path: 'pricing/discount/__init__.py', status: 'added' },
    { path: 'docs/usage.md', status: 'renamed' },
    { path: 'src/old.js', status: 'deleted' },
  ],
  patch: PATCH,
};

describe('explainsAbsence', () => {
  it.each([
    ['an added identifier', ['applyDiscount']],
    ['a flag by its name', ['--json']],
    ['a flag with a dash', ['--dry-run']],
    ['a route', ['/v1/health']],
    ['an added file', ['./minus.js']],
    ['an added file by its absolute path', ['/clean/room/src/minus.mjs']],
    ['an added file from another folder', ['../src/minus']],
    ['a package of Python', ['pricing/discount.py']],
    ['a folder with an added file', ['docs']],
    ['a file that was renamed to it', ['docs/usage.md']],
    ['the built file of an added source', ['../dist/minus.js']],
    ['the built file by its absolute path', ['/clean/room/build/minus.js']],
    ['several names', ['applyDiscount', './minus.js']],
  ])('accepts %s', (_, missing) => {
    expect(explainsAbsence(missing, diff)).toBe(true);
  });

  it.each([
    ['a part of an identifier', ['Discount']],
    ['a name that was only removed', ['removed']],
    ['a name that was there before', ['requests']],
    ['a module that a line imports, but no file adds', ['./old.js']],
    ['the built file of no added source', ['../dist/plus.js']],
    ['a deleted file', ['src/old.js']],
    ['another file with the same end', ['us.ts']],
    ['one unknown name among known ones', ['applyDiscount', 'nothing']],
    ['nothing at all', []],
    ['an empty name', ['']],
  ])('refuses %s', (_, missing) => {
    expect(explainsAbsence(missing, diff)).toBe(false);
  });
});
