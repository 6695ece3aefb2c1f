import { mkdir, readFile, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { tempFolder, type TempFolder } from '#testing';
import { EditableBuild } from './edit-build.js';

describe('EditableBuild', () => {
  let from: TempFolder;
  let to: TempFolder;
  beforeEach(async () => {
    from = tempFolder('build');
    to = tempFolder('build-copy');
    await mkdir(join(from.path, 'dist', 'libs'), { recursive: true });
    await writeFile(join(from.path, 'dist', 'libs', 'a.js'), 'one');
    await writeFile(join(from.path, 'package.json'), '{}');
  });
  afterEach(() => Promise.all([from.remove(), to.remove()]));

  const read = (path: string): Promise<string> => readFile(path, 'utf8');

  it('edits the copy for the time of a run, and never the build itself', async () => {
    const build = await EditableBuild.copy(from.path, to.path);
    const path = build.pathOf('libs/a.js');
    const edits = [{ file: 'libs/a.js', old: 'one', new: 'two' }];
    const seen = await build.withEdits(edits, async () => [
      await read(path),
      await read(join(from.path, 'dist/libs/a.js')),
    ]);
    expect(seen).toEqual(['two', 'one']);
    expect(await read(path)).toBe('one');
  });

  it('restores the copy if the run fails, and changes nothing if an edit does not fit', async () => {
    const build = await EditableBuild.copy(from.path, to.path);
    const failing = build.withEdits([{ file: 'libs/a.js', old: 'one', new: 'two' }], () =>
      Promise.reject(new Error('no')),
    );
    await expect(failing).rejects.toThrow('no');
    const unfit = build.withEdits([{ file: 'libs/a.js', old: 'three', new: 'two' }], () => Promise.resolve());
    await expect(unfit).rejects.toThrow('Adapt the mutation');
    expect(await read(build.pathOf('libs/a.js'))).toBe('one');
  });

  it('links what is beside the build', async () => {
    await EditableBuild.copy(from.path, to.path);
    expect(await realpath(join(to.path, 'package.json'))).toBe(await realpath(join(from.path, 'package.json')));
  });
});
