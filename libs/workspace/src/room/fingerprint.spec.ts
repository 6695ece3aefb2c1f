import { appendFileSync, chmodSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { tempFolder } from '#testing';
import { write } from '../setup/setup.fixture.js';
import { fingerprint } from './fingerprint.js';

describe('the fingerprint of a folder', () => {
  let folder: ReturnType<typeof tempFolder>;
  beforeEach(() => {
    folder = tempFolder('fingerprint');
    write(folder.path, { 'a/one.js': '1', 'a/b/__pycache__/two.pyc': '2' });
    symlinkSync('one.js', join(folder.path, 'a/link'));
  });
  afterEach(() => folder.remove());

  const at = (...parts: string[]): string => join(folder.path, 'a', ...parts);

  it('stays the same as long as nothing changes', async () => {
    expect(await fingerprint(at())).toBe(await fingerprint(at()));
  });

  const changes: readonly (readonly [string, () => void])[] = [
    ['a file is written', () => appendFileSync(at('one.js'), '2')],
    ['a file is replaced by one of the same size and time', () => replaceSameSize(at('one.js'))],
    ['bytecode is written', () => writeFileSync(at('b/__pycache__/two.pyc'), '3')],
    ['a file is added', () => writeFileSync(at('b/new'), '')],
    ['a file is removed', () => rmSync(at('one.js'))],
    ['a link is changed', () => (rmSync(at('link')), symlinkSync('/etc', at('link')))],
    ['rights of a folder are changed', () => chmodSync(at('b'), 0o500)],
    ['everything is removed', () => rmSync(at(), { recursive: true })],
  ];

  it.each(changes)('differs after %s', async (_what, change) => {
    const before = await fingerprint(at());
    change();
    expect(await fingerprint(at())).not.toBe(before);
  });
});

function replaceSameSize(file: string): void {
  writeFileSync(`${file}.new`, '9');
  utimesSync(`${file}.new`, 1, 1);
  renameSync(`${file}.new`, file);
}
