import { describe, expect, it } from 'vitest';
import { isAboutSettings, isPlainCheck } from './plain-check.js';

const check = (command: string, content = "assert.ok(require('./package.json').scripts.units);") => ({
  command,
  files: [{ content }],
});

describe('isPlainCheck', () => {
  it.each(['node check.mjs', 'node --test .qralph-checks/c.test.js', 'bash check.sh', 'sh ./a/check.sh'])(
    'holds for %s',
    (command) => {
      expect(isPlainCheck(check(command))).toBe(true);
    },
  );

  it.each([
    'npm test',
    'npx vitest run check.test.ts',
    'node node_modules/.bin/jest check.js && true',
    'node --import ./setup.js check.js',
    'NODE_OPTIONS=--require=./x.js node check.js',
    'python3 -m unittest check',
    'make check',
    './check.sh',
  ])('does not hold for %s', (command) => {
    expect(isPlainCheck(check(command))).toBe(false);
  });

  it.each(['npm run --silent units', 'execSync("pnpm test")', 'make units', 'spawn("python3", ["a.py"])'])(
    'does not hold if a file of it runs %s',
    (content) => {
      expect(isPlainCheck(check('bash check.sh', content))).toBe(false);
    },
  );
});

describe('isAboutSettings', () => {
  it.each([
    ['npm test prints a coverage report', true],
    ['the scripts of package.json', true],
    ['make test prints a coverage report', true],
    ['pytest stops at the first failure', true],
    ['ms.units is exported\nrequire("./index.js").units', false],
    ['months are parsed', false],
    ['make it just as dark, and go on with the task', false],
  ])('reads %s', (words, isAbout) => {
    expect(isAboutSettings(words, ['packages/a/package.json'])).toBe(isAbout);
  });
});
