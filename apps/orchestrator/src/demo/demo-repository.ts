import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A small program with a test: what somebody's repository might look like, without anything to install. */
const FILES: Readonly<Record<string, string>> = {
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

export async function makeDemoRepository(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [name, text] of Object.entries(FILES)) await writeFile(join(folder, name), text);
  await git(folder, ['init', '-q', '-b', 'main']);
  await git(folder, ['add', '-A']);
  await git(folder, ['commit', '-q', '-m', 'A greeter']);
}

/** What git says in a repository, with nobody's configuration but its own. */
export async function git(folder: string, args: readonly string[]): Promise<string> {
  const who = ['-c', 'user.name=demo', '-c', 'user.email=demo@localhost', '-c', 'core.hooksPath=/dev/null'];
  const env = { PATH: process.env['PATH'], GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
  const { stdout } = await run('git', ['-C', folder, ...who, ...args], { env });
  return stdout.trimEnd();
}
