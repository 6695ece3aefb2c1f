import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { tempFolder, type TempFolder } from '#testing';
import { DemoRepository } from './demo-repository.js';

let folder: TempFolder;
beforeEach(() => {
  folder = tempFolder('demo-repository');
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await folder.remove();
});

it('is made whatever the user has configured for git', async () => {
  const home = join(folder.path, 'home');
  await mkdir(home);
  await writeFile(join(home, '.gitconfig'), '[commit]\n\tgpgsign = true\n[gpg]\n\tprogram = /no/such/gpg\n');
  vi.stubEnv('HOME', home);
  vi.stubEnv('GIT_DIR', join(folder.path, 'elsewhere'));
  const repository = new DemoRepository(join(folder.path, 'greeter'), '/usr/local/bin:/usr/bin:/bin');
  await repository.make();
  expect(await repository.git(['log', '--format=%an %s'])).toBe('demo A greeter');
});
