import { describe, expect, it } from 'vitest';
import { changed, diffOf } from './patch.fixture.js';
import { testTampering } from './test-tampering.js';
import { verifiedBy } from './verified-by.js';

const found = (commands: readonly string[], file: string, ...lines: string[]): readonly string[] | undefined =>
  testTampering(diffOf(changed(file, ...lines)), verifiedBy(commands)).verification;

describe('what verify commands run', () => {
  it.each([
    ['npm run build', 'build'],
    ['npm run -s build -- --fast', 'build'],
    ['pnpm -r build && npm test', 'build'],
    ['yarn workspace one build', 'build'],
    ['npm run build', 'prebuild'],
    ['cd web; npm run types:all', 'types:all'],
  ])('is another where a script is: %s', (command, script) => {
    const lines = [`-    "${script}": "tsc",`, `+    "${script}": "true",`];
    expect(found([command], 'package.json', ...lines)).toEqual([`package.json: ${script}`]);
    expect(found([command], 'web/package.json', lines[0]!)).toEqual([`web/package.json: ${script}`]);
    expect(found(['node --test'], 'package.json', ...lines)).toEqual([]);
  });

  it('is the same where a script only moved, has a comma now, or is in a new file', () => {
    const lines = ['-    "build": "tsc"', '+    "build": "tsc",', '+    "lint": "eslint ."'];
    expect(found(['npm run build'], 'package.json', ...lines)).toEqual([]);
    const added = diffOf({ from: null, to: 'b/package.json', lines: ['+  "build": "tsc"'] });
    expect(testTampering(added, verifiedBy(['npm run build'])).verification).toEqual([]);
  });

  it.each([
    ['sh scripts/check.sh', 'scripts/check.sh'],
    ["bash -c './scripts/check.sh --all'", 'scripts/check.sh'],
    ['tsc -p tsconfig.build.json', 'tsconfig.build.json'],
    ['make check', 'Makefile'],
  ])('is another where a file is that they name: %s', (command, file) => {
    expect(found([command], file, '+x')).toEqual([file]);
    expect(found(['npm test'], file, '+x')).toEqual([]);
  });

  it('is meant to be another where it is a test', () => {
    expect(found(['node --test a.test.mjs'], 'a.test.mjs', '+x')).toEqual([]);
  });
});
