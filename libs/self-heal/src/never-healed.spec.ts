import { describe, expect, it } from 'vitest';
import { neverHealed } from './never-healed.js';

const diffOf = (path: string, ...lines: string[]): string =>
  `diff --git a/${path} b/${path}\nindex 1..2 100644\n--- a/${path}\n+++ b/${path}\n@@ -1,2 +1,2 @@\n${lines.join('\n')}\n`;
const reasonOf = (diff: string): string | null => neverHealed({ output: '', diff });

describe('an error by which the environment refuses', () => {
  it.each([
    "Error: EACCES: permission denied, open '/etc/hosts'",
    "[Error: EPERM: operation not permitted, unlink '/x'] {",
    'Error: listen EACCES: permission denied 0.0.0.0:80',
    "E   PermissionError: [Errno 13] Permission denied: '/data'",
    'sh: 1: ./run.sh: Permission denied',
    'mkdir: cannot create directory ‘/data’: Permission denied',
    'open /var/run/x.sock: permission denied',
    'Os { code: 13, kind: PermissionDenied, message: Permission denied (os error 13) }',
    'npm error code EACCES',
    'git@github.com: Permission denied (publickey).',
    'error: permission denied for table users',
  ])('is never healed: %s', (line) => {
    expect(neverHealed({ output: `first\n${line}\nlast` })).toContain('the environment refuses it: ');
  });

  it.each([
    ['a test named after it', '✖ answers with permission denied (1.2ms)'],
    ['a test named after the code', "✖ tells of EACCES: permission denied, open '/x' (1.2ms)"],
    ['a test of pytest', 'FAILED test_a.py::test_permission_denied - assert 403 == 200'],
    ['an assertion about it', "AssertionError: expected 'EACCES: permission denied, open' to be 'EPERM'"],
    ['one side of a difference', "- 'EACCES: permission denied, open /x'"],
    ['an answer of the program', 'HTTP 403: permission denied for you'],
    ['a sentence', 'the user sees: Permission denied'],
  ])('is not %s', (_, line) => {
    expect(neverHealed({ output: line })).toBeNull();
  });

  it('is not one that was printed before the change, too', () => {
    const line = (path: string): string => `Error: EACCES: permission denied, open '${path}/src/locked'`;
    expect(neverHealed({ output: line('/a/one'), before: line('/b/two') })).toBeNull();
    expect(neverHealed({ output: line('/a/one'), before: 'ok' })).not.toBeNull();
  });
});

describe('a change of secrets', () => {
  it.each([
    '.env', 'app/.env.production', 'certs/server.pem', 'certs/server.key', '.ssh/id_rsa', '.aws/credentials',
    'config/secrets.yml', 'credentials.json', '.npmrc',
  ])('is never healed: %s', (path) => {
    expect(reasonOf(diffOf(path, '+A=1'))).toBe(`it changes ${path}, which holds secrets`);
  }); // prettier-ignore

  it('is seen when a file gets such a name, or loses it', () => {
    const renamed = 'diff --git a/.env b/settings.txt\nsimilarity index 100%\nrename from .env\nrename to settings.txt\n';
    expect(reasonOf(renamed)).toContain('.env');
    expect(reasonOf('diff --git a/x.pem b/x.pem\ndeleted file mode 100644\nBinary files a/x.pem and /dev/null differ')).toContain('x.pem');
  }); // prettier-ignore

  it('is seen by the value, blotted out or not', () => {
    const key = `sk-ant-${'aB3dE5gH7jK9'.repeat(4)}`;
    expect(reasonOf(diffOf('src/a.ts', `+const key = '${key}';`))).toBe('it changes a secret in src/a.ts');
    expect(reasonOf(diffOf('src/a.ts', `-const key = '[secret]';`))).toBe('it changes a secret in src/a.ts');
    expect(reasonOf(diffOf('src/a.ts', ` const key = '${key}';`, '+const b = 1;'))).toBeNull();
  });

  it.each(['.env.example', 'src/credentials.ts', 'src/secrets.service.ts', 'src/environment.ts', 'id_rsa.pub', 'docs/keys.md'])(
    'is not one of %s',
    (path) => {
      expect(reasonOf(diffOf(path, '+const a = process.env.TOKEN;'))).toBeNull();
    },
  ); // prettier-ignore
});

describe('a migration that drops data', () => {
  it.each([
    ['prisma/migrations/1_x/migration.sql', '+DROP TABLE "user";'],
    ['prisma/migrations/1_x/migration.sql', '+ALTER TABLE a\n+  DROP COLUMN b;'],
    ['db/V2__clean.sql', '+TRUNCATE users;'],
    ['migrations/2.sql', '+DELETE FROM users;'],
    ['migrations/2.js', '+exports.up = (knex) => knex.schema.dropTable("a");'],
    ['db/migrate/2_x.rb', '+    remove_column :users, :name'],
    ['app/migrations/0002_x.py', '+        migrations.RemoveField('],
  ])('is never healed: %s %s', (path, line) => {
    expect(reasonOf(diffOf(path, ...line.split('\n')))).toBe(`it adds a migration that drops data: ${path}`);
  });

  it.each([
    ['one that only adds', 'migrations/2.sql', ['+CREATE TABLE a (id int);', '+-- DROP TABLE later']],
    ['one that deletes some rows', 'migrations/2.sql', ['+DELETE FROM a', '+  WHERE id = 1;']],
    ['the way back', 'migrations/2.js', ['+exports.up = (k) => k.createTable("a");', '+exports.down = (k) => {', '+  k.dropTable("a")']],
    ['a file for the way back', 'migrations/2.down.sql', ['+DROP TABLE a;']],
    ['a drop that is taken out', 'migrations/2.sql', ['-DROP TABLE a;']],
    ['other code', 'src/table.ts', ['+await query("DROP TABLE a")']],
  ])('is not %s', (_, path, lines) => {
    expect(reasonOf(diffOf(path, ...lines))).toBeNull();
  }); // prettier-ignore

  it('is known by a tool that asks for consent', () => {
    const output = '⚠️  There might be data loss when applying the changes:\nUse the --accept-data-loss flag';
    expect(neverHealed({ output })).toContain('it asks for consent to lose data: ');
    expect(neverHealed({ output: '✖ warns of data loss (2ms)' })).toBeNull();
  });
});

describe('anything else', () => {
  it('may be healed', () => {
    expect(neverHealed({ output: 'TypeError: sum is not a function', diff: diffOf('src/sum.ts', '+a') })).toBeNull();
  });

  it('is judged soon, whatever was printed or changed', () => {
    const since = performance.now();
    for (const piece of ['open ', 'sh: a: ', 'DROP ', 'diff --git a/', '+++ b/', 'DELETE FROM a ', 'EACCES: ', '\n+']) {
      const text = piece.repeat(60_000);
      neverHealed({ output: text, before: text, diff: `${diffOf('migrations/a.sql', '+a')}${text}` });
    }
    expect(performance.now() - since).toBeLessThan(8_000);
  });
});
