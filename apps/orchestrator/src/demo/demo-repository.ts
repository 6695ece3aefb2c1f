import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

type Files = Readonly<Record<string, string>>;

/** A small program with a test: what somebody's repository might look like, without anything to install. */
export const GREETER: Files = {
  'package.json': `${JSON.stringify({ name: 'greeter', private: true, type: 'module', scripts: { test: 'node --test' } }, null, 2)}\n`,
  'greeting.mjs': 'export const greeting = (name) => `Hello, ${name}!`;\n',
  'greeting.test.mjs': [
    "import assert from 'node:assert/strict';",
    "import { test } from 'node:test';",
    "import { greeting } from './greeting.mjs';",
    '',
    "test('greets by name', () => {",
    "  assert.equal(greeting('Ada'), 'Hello, Ada!');",
    '});',
    '',
  ].join('\n'),
};

/** The same with a test that fails already, and a weakness that no test shows. */
export const FLAWED_GREETER: Files = {
  ...GREETER,
  'greeting.test.mjs': [
    GREETER['greeting.test.mjs'],
    "test('greets a stranger where there is no name', () => {",
    "  assert.equal(greeting(''), 'Hello, stranger!');",
    '});',
    '',
  ].join('\n'),
  'templates.mjs': [
    "import { readFileSync } from 'node:fs';",
    '',
    '/** The text of a template, by its name. */',
    'export const template = (name) =>',
    "  readFileSync(new URL(`./templates/${name}.txt`, import.meta.url), 'utf8');",
    '',
  ].join('\n'),
  'templates/plain.txt': 'Dear reader,\n',
};

/** A repository in a folder, with git found on a path; nobody's configuration counts there but its own. */
export class DemoRepository {
  constructor(
    readonly folder: string,
    private readonly path: string,
  ) {}

  async make(files: Files = GREETER): Promise<void> {
    for (const [name, text] of Object.entries(files)) {
      await mkdir(dirname(join(this.folder, name)), { recursive: true });
      await writeFile(join(this.folder, name), text);
    }
    await this.git(['init', '-q', '-b', 'main']);
    await this.git(['add', '-A']);
    await this.git(['commit', '-q', '-m', 'A greeter']);
  }

  /** What git says. */
  async git(args: readonly string[]): Promise<string> {
    const who = ['-c', 'user.name=demo', '-c', 'user.email=demo@localhost', '-c', 'core.hooksPath=/dev/null'];
    const env = { PATH: this.path, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
    const { stdout } = await run('git', ['-C', this.folder, ...who, ...args], { env });
    return stdout.trimEnd();
  }
}
