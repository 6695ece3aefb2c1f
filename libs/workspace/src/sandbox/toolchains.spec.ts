import { mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { tempFolder, type TempFolder } from '#testing';
import { toolchainsOn } from './toolchains.js';

let folder: TempFolder;
let home: string;
beforeAll(() => {
  folder = tempFolder('toolchains');
  home = join(folder.path, 'home', 'user');
  vi.stubEnv('HOME', home);
  for (const name of [
    'home/user/.pyenv/shims', 'home/user/.cargo/bin', 'home/user/.rustup/toolchains', 'home/user/bin', 'home/user/.git',
    'home/user/.nvm/versions/node/v24/bin', 'home/user/.local/bin', 'data/worktrees/x/bin', 'repo/.git', 'repo/bin',
    'app/node_modules/.bin', 'plain/bin', 'home/user/.local/share/uv/python/cpython/bin',
    'home/user/.local/share/uv/tools/ruff/bin', 'home/user/.local/share/uv/credentials',
  ]) mkdirSync(join(folder.path, name), { recursive: true }); // prettier-ignore
  symlinkSync(join(folder.path, 'plain/bin'), join(folder.path, 'linked'));
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await folder.remove();
});

const on = (...entries: string[]) =>
  toolchainsOn(
    entries.map((entry) => (entry.startsWith('/') || entry === '' ? entry : join(folder.path, entry))).join(':'),
    [join(folder.path, 'data')],
  );
const below = (name: string): string => join(folder.path, name);

describe('the toolchains on PATH', () => {
  it('of the system are there anyway', () => {
    expect(on('/usr/bin', '/bin')).toEqual({ path: '/usr/bin:/bin', folders: [], env: {} });
  });

  it('of a home folder are shown with what they need, and nothing beside', () => {
    const found = on('home/user/.pyenv/shims', 'home/user/.nvm/versions/node/v24/bin', 'home/user/.cargo/bin');
    expect(found.folders).toEqual(
      ['home/user/.pyenv', 'home/user/.nvm', 'home/user/.rustup', 'home/user/.cargo/bin'].map(below),
    );
    expect(found.env).toEqual({ RUSTUP_HOME: below('home/user/.rustup') });
    expect(found.folders).not.toContain(dirname(below('home/user/.cargo/bin')));
  });

  it('of uv are shown without the keys beside them', () => {
    const [python, tools] = ['home/user/.local/share/uv/python', 'home/user/.local/share/uv/tools'] as const;
    expect(on(`${python}/cpython/bin`).folders).toEqual([below(python)]);
    expect(on(`${tools}/ruff/bin`).folders).toEqual([below(python), below(tools)]);
  });

  it('are never a home folder, a hidden one, or what a repository brings along', () => {
    const found = on('home/user', 'data/worktrees/x/bin', 'data', 'repo/bin', 'app/node_modules/.bin', 'home', '.');
    expect(found).toEqual({ path: '', folders: [], env: {} });
  });

  it('are named as they are really called, once, where they are', () => {
    const found = on('plain/bin', 'linked', 'no-such-folder', '', 'plain/bin');
    expect(found).toEqual({ path: below('plain/bin'), folders: [below('plain/bin')], env: {} });
  });
});
