import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempFolder } from '#testing';
import { type Files, write } from './setup.fixture.js';

/** A project with one dependency, a package that lies beside it as an archive: npm needs no network for it. */
export async function npmProject(scripts: Readonly<Record<string, string>> = {}): Promise<Files> {
  const made = tempFolder('npm-package');
  try {
    const archive = packTiny(made.path);
    const integrity = `sha512-${createHash('sha512').update(archive).digest('base64')}`;
    const manifest = { name: 'sample', version: '1.0.0', scripts, dependencies: { tiny: 'file:tiny-1.0.0.tgz' } };
    const tiny = { version: '1.0.0', resolved: 'file:tiny-1.0.0.tgz', integrity };
    const lock = { name: 'sample', version: '1.0.0', lockfileVersion: 3, requires: true };
    return {
      'package.json': JSON.stringify(manifest),
      'package-lock.json': JSON.stringify({ ...lock, packages: { '': manifest, 'node_modules/tiny': tiny } }),
      'tiny-1.0.0.tgz': archive,
      'sum.test.mjs': TEST,
    };
  } finally {
    await made.remove();
  }
}

const TEST = `import assert from 'node:assert';
import { test } from 'node:test';
import tiny from 'tiny';
test('adds', () => assert.equal(tiny(1, 2), 3));
test('adds again', () => assert.equal(tiny(2, 2), 4));
`;

function packTiny(root: string): Buffer {
  mkdirSync(join(root, 'package'));
  write(root, {
    'package/package.json': '{"name":"tiny","version":"1.0.0","main":"index.js"}',
    'package/index.js': 'module.exports = (a, b) => a + b;\n',
  });
  execFileSync('tar', ['-czf', 'tiny.tgz', 'package'], { cwd: root });
  return readFileSync(join(root, 'tiny.tgz'));
}
