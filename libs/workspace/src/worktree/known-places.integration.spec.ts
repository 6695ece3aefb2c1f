import { mkdir, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { tempFolder } from '#testing';
import { KnownPlaces } from './known-places.js';

const folder = tempFolder('known-places');
afterAll(() => folder.remove());

let repo = '';
let nth = 0;

async function gitFolder(path: string): Promise<void> {
  await mkdir(join(path, 'objects'), { recursive: true });
  await mkdir(join(path, 'refs'));
  await writeFile(join(path, 'HEAD'), 'ref: refs/heads/main\n');
}

beforeEach(async () => {
  repo = join(await realpath(folder.path), `repository-${String((nth += 1))}`);
  await gitFolder(join(repo, '.git'));
});

describe('the place of a repository', () => {
  it('is the same as long as nothing has changed, and one look serves all who ask at once', async () => {
    const places = new KnownPlaces();
    expect(places.last(repo)).toBeUndefined();
    const [one, other] = await Promise.all([places.of(repo), places.of(repo)]);
    expect(one).toEqual({ repo, gitDir: join(repo, '.git'), commonDir: join(repo, '.git') });
    expect(other).toBe(one);
    expect(await places.of(repo)).toBe(one);
    expect(places.last(repo)).toBe(one);
  });

  it('is refused as soon as a link stands where something is written, and found again without it', async () => {
    const places = new KnownPlaces();
    const before = await places.of(repo);
    const [objects, aside] = [join(repo, '.git', 'objects'), join(repo, 'aside')];
    await rename(objects, aside);
    await symlink(aside, objects);
    await expect(places.of(repo)).rejects.toMatchObject({ code: 'REPO_SYMLINKED' });
    await rm(objects);
    await rename(aside, objects);
    expect(await places.of(repo)).toEqual(before);
  });

  it('is another one where the repository has moved, and none where it is gone', async () => {
    const places = new KnownPlaces();
    await places.of(repo);
    const elsewhere = `${repo}-git`;
    await rename(join(repo, '.git'), elsewhere);
    await writeFile(join(repo, '.git'), `gitdir: ${elsewhere}\n`);
    expect(await places.of(repo)).toEqual({ repo, gitDir: elsewhere, commonDir: elsewhere });
    await rm(repo, { recursive: true });
    await expect(places.of(repo)).rejects.toMatchObject({ code: 'REPO_NOT_FOUND' });
  });
});
