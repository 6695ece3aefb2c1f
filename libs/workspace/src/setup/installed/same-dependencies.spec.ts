import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { tempFolder, type TempFolder } from '#testing';
import { detectSetup } from '../detect-setup.js';
import { type Files, write } from '../setup.fixture.js';
import { lacksDependencies } from './same-dependencies.js';

const METADATA = (name: string, version: string): string =>
  `Metadata-Version: 2.1\nName: ${name}\nVersion: ${version}\n`;
const SITE = '.venv/lib/python3.11/site-packages';
const VENV: Files = {
  '.venv/pyvenv.cfg': 'home = /usr/bin\n',
  [`${SITE}/Foo_Bar-1.2.dist-info/METADATA`]: METADATA('Foo_Bar', '1.2'),
  [`${SITE}/pip-24.0.dist-info/METADATA`]: METADATA('pip', '24.0'),
};
const FURTHER: Files = { [`${SITE}/more-1.0.dist-info/METADATA`]: METADATA('more', '1.0') };

const UV = `version = 1
requires-python = ">=3.11"

[[package]]
name = "colorama"
version = "0.4.6"

[[package]]
name = "foo-bar"
version = "1.2"
dependencies = [
    { name = "colorama", marker = "sys_platform == 'win32'" },
]

[[package]]
name = "sample"
version = "0.1.0"
source = { virtual = "." }
dependencies = [
    { name = "foo-bar" },
]
`;
const POETRY = `[[package]]
name = "foo-bar"
version = "1.2"
optional = false

[[package]]
name = "colorama"
version = "0.4.6"
optional = false
markers = "sys_platform == \\"win32\\""
`;
const PIPFILE = JSON.stringify({
  default: { 'foo-bar': { version: '==1.2' }, colorama: { version: '==0.4.6', markers: "sys_platform == 'win32'" } },
});
const COMPOSER = JSON.stringify({ packages: [{ name: 'a/b', version: '1.0.0' }], 'packages-dev': [] });
const INSTALLED = JSON.stringify({ packages: [{ name: 'a/b', version: '1.0.0' }] });
const GEMS = `GEM\n  remote: https://gems.test/\n  specs:\n    rack (3.0.8)\n    racc (1.7.3)\n    racc (1.7.3-java)\n`;
const BUNDLE: Files = {
  'vendor/bundle/ruby/3.2.0/gems/rack-3.0.8/a.rb': '',
  'vendor/bundle/ruby/3.2.0/gems/racc-1.7.3/a.rb': '',
};

type Row = readonly [what: string, lockFile: string, lock: string, installed: Files, lacks: RegExp | null];

describe('whether a folder holds what a lock file asks for', () => {
  let folder: TempFolder;
  beforeEach(() => (folder = tempFolder('same')));
  afterEach(() => folder.remove());

  const lacks = async (lockFile: string, lock: string, installed: Files): Promise<string | null> => {
    const [checkout, worktree] = [join(folder.path, 'checkout'), join(folder.path, 'worktree')];
    write(checkout, { [lockFile]: lock, ...installed });
    write(worktree, { [lockFile]: lock });
    const [setup] = await detectSetup(worktree);
    if (!setup || setup.folder === null) throw new Error('nothing was detected');
    return lacksDependencies({ ...setup, folder: setup.folder }, checkout, worktree);
  };

  it.each<Row>([
    ['pinned requirements', 'requirements.txt', '# a\nfoo.bar[x]==1.2 \\\n  --hash=sha256:1\n', VENV, null],
    ['pinned requirements and what they need', 'requirements.txt', 'foo-bar==1.2\n', { ...VENV, ...FURTHER }, null],
    ['another version', 'requirements.txt', 'foo-bar==1.3\n', VENV, /holds foo-bar 1.2/],
    ['a missing one', 'requirements.txt', 'foo-bar==1.2\nother==1\n', VENV, /lacks other/],
    ['a missing one for other machines', 'requirements.txt', 'foo-bar==1.2\nw==1 ; os_name == "nt"\n', VENV, null],
    ['requirements that pin nothing', 'requirements.txt', 'foo-bar>=1\n', VENV, /pins no version/],
    ['requirements from elsewhere', 'requirements.txt', '-r other.txt\n', VENV, /pins no version/],
    ['no environment', 'requirements.txt', 'foo-bar==1.2\n', { '.venv/a': '' }, /no virtual environment/],
    ['uv', 'uv.lock', UV, VENV, null],
    ['uv, and a further package', 'uv.lock', UV, { ...VENV, ...FURTHER }, /holds more/],
    ['uv, and a missing package', 'uv.lock', UV, { '.venv/pyvenv.cfg': '', [`${SITE}/a`]: '' }, /lacks foo-bar/],
    ['poetry', 'poetry.lock', POETRY, VENV, null],
    ['pipenv', 'Pipfile.lock', PIPFILE, VENV, null],
    ['composer', 'composer.lock', COMPOSER, { 'vendor/composer/installed.json': INSTALLED }, null],
    ['composer without its record', 'composer.lock', COMPOSER, { 'vendor/autoload.php': '' }, /no record/],
    ['composer, others', 'composer.lock', '{"packages":[]}', { 'vendor/composer/installed.json': INSTALLED }, /other/],
    [
      'composer with scripts',
      'composer.lock',
      COMPOSER,
      { 'vendor/composer/installed.json': INSTALLED, 'composer.json': '{"scripts":{"post-install-cmd":"x"}}' },
      /post-install-cmd/,
    ],
    ['bundler', 'Gemfile.lock', GEMS, BUNDLE, null],
    ['bundler, one missing', 'Gemfile.lock', `${GEMS}    more (1)\n`, BUNDLE, /lacks more/],
    ['bundler, from a path', 'Gemfile.lock', `PATH\n${GEMS}`, BUNDLE, /no index/],
    ['pnpm without its record', 'pnpm-lock.yaml', '', { 'node_modules/a/b.js': '' }, /no .modules.yaml/],
    ['bun, which leaves no record', 'bun.lock', '', { 'node_modules/a/b.js': '' }, /no record/],
    ['npm of old', 'package-lock.json', '{"dependencies":{}}', { 'node_modules/.package-lock.json': '{}' }, /before 7/],
  ])('%s', async (_, lockFile, lock, installed, expected) => {
    const reason = await lacks(lockFile, lock, installed);
    if (expected === null) expect(reason).toBeNull();
    else expect(reason).toMatch(expected);
  });

  it.each([
    ['pnpm-lock.yaml', 'lockfileVersion: 9', 'node_modules/.modules.yaml'],
    ['yarn.lock', '# yarn lockfile v1', 'node_modules/.yarn-integrity'],
    ['yarn.lock', '__metadata:\n  version: 8', 'node_modules/.yarn-state.yml'],
  ])('%s (%s): by the time of the record', async (lockFile, lock, record) => {
    expect(await lacks(lockFile, lock, { [record]: '' })).toBeNull();
    const later = new Date(Date.now() + 60_000);
    utimesSync(join(folder.path, 'checkout', lockFile), later, later);
    const setup = (await detectSetup(join(folder.path, 'worktree')))[0];
    if (!setup) throw new Error('nothing was detected');
    const again = { ...setup, folder: 'node_modules' };
    const reason = await lacksDependencies(again, join(folder.path, 'checkout'), join(folder.path, 'worktree'));
    expect(reason).toMatch(/changed after/);
  });
});
