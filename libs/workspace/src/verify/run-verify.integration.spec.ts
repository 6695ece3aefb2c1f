import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '#testing';
import { openWorktree, PretendedSandbox, silent, write } from '../setup/setup.fixture.js';
import { detectVerify } from './detect-verify.js';
import { runVerify, type VerifyResult, type VerifyWish } from './run-verify.js';

const PATH = process.env['PATH'] ?? '/usr/bin:/bin';
const PASSING = `import { test } from 'node:test';\ntest('one', () => {});\ntest('two', () => {});\n`;

describe('verify commands', () => {
  let at: ReturnType<typeof openWorktree>;
  let sandbox: PretendedSandbox;
  beforeEach(() => {
    const scripts = { test: 'node --test', typecheck: 'true' };
    at = openWorktree({ 'package.json': JSON.stringify({ scripts }), 'sum.test.mjs': PASSING }, PATH);
    sandbox = new PretendedSandbox(at.commands, true);
  });
  afterEach(() => at.folder.remove());

  const verify = (commands: readonly string[], more: Partial<VerifyWish> = {}): Promise<VerifyResult> => {
    const { place, lease, abort } = at;
    const right = { sandbox, lease, signal: abort.signal, redactor: silent };
    return runVerify({ ...right, place, commands, timeoutMs: 60_000, ...more });
  };
  const detected = async (): Promise<string[]> => (await detectVerify(at.worktree)).map(({ command }) => command);

  it('pass where tests ran and every command succeeded', async () => {
    const commands = await detected();
    expect(commands).toEqual(['npm run typecheck', 'npm test']);
    const result = await verify(commands);
    expect(result).toMatchObject({ verdict: 'passed', reason: '2 tests passed' });
    expect(result.counts).toEqual({ runner: 'node:test', passed: 2, failed: 0, skipped: 0 });
    expect(result.commands.map(({ counts }) => counts?.passed ?? null)).toEqual([null, 2]);
    expect(sandbox.asked.every(({ network }) => network === 'none')).toBe(true);
  });

  it('prove nothing where the files of tests hold none', async () => {
    write(at.worktree, { 'sum.test.mjs': 'console.log(1 + 2);\n' });
    for (const command of ['node --test', 'node --test --test-reporter=tap']) {
      expect(await verify([command]), command).toMatchObject({ verdict: 'unproven', reason: 'no test ran' });
    }
  });

  it('have go name its tests, and prove nothing where it does not', async () => {
    const said = (line: string): string =>
      `[ "$GOFLAGS" = -v ] && printf -- '${line}\\nok  \\texample.test/a\\t0.1s\\n'`;
    expect(await verify([said('--- PASS: TestA (0.00s)')])).toMatchObject({ verdict: 'passed' });
    expect(await verify([said('--- SKIP: TestA (0.00s)')])).toMatchObject({ reason: 'no test ran, 1 skipped' });
    const { verdict, reason } = await verify([said('PASS')]);
    expect([verdict, reason]).toEqual(['unproven', expect.stringContaining('go test -v')]);
  });

  it('fail where a test fails, and all of them are run', async () => {
    write(at.worktree, {
      'bad.test.mjs': `import { test } from 'node:test';\ntest('bad', () => { throw new Error('bad'); });\n`,
    });
    const result = await verify([...(await detected()), 'echo last']);
    expect(result).toMatchObject({
      verdict: 'failed',
      reason: 'npm test: exit code 1',
      counts: { passed: 2, failed: 1 },
    });
    expect(result.commands.map(({ output }) => output).at(-1)).toBe('last\n');
  });

  it('prove nothing where all tests are skipped', async () => {
    write(at.worktree, { 'sum.test.mjs': PASSING.replaceAll("', ()", "', { skip: true }, ()") });
    expect(await verify(['npm test'])).toMatchObject({ verdict: 'unproven', reason: 'no test ran, 2 skipped' });
  });

  it('prove nothing where no runner reports, or there is no command', async () => {
    expect(await verify(['true'])).toMatchObject({ verdict: 'unproven', counts: null });
    expect(await verify([])).toMatchObject({ verdict: 'unproven', counts: null });
  });

  it('prove nothing where a failure is hidden from the exit code', async () => {
    write(at.worktree, {
      'bad.test.mjs': `import { test } from 'node:test';\ntest('bad', () => { throw new Error('bad'); });\n`,
    });
    expect(await verify(['npm test || true'])).toMatchObject({ verdict: 'unproven', counts: { failed: 1 } });
  });

  it('cannot talk themselves out of a failure with a forged summary', async () => {
    const result = await verify(['echo "Tests:       99 passed, 99 total"; exit 3']);
    expect(result).toMatchObject({ verdict: 'failed', counts: { passed: 99 } });
  });

  it('end at their time-out, with all that they started', async () => {
    const result = await verify(['echo begun; (sleep 60 & sleep 60)'], { timeoutMs: 300 });
    expect(result).toMatchObject({ verdict: 'failed', commands: [{ endedBy: 'time-out', output: 'begun\n' }] });
    expect(at.registry.running).toBe(0);
  });

  it('fail where they fill the disk, and say so', async () => {
    const limits = { disk: { folders: [at.worktree], bytes: 32 * 1024 ** 2 } };
    const result = await verify(['npm test && fallocate -l 20M one && fallocate -l 20M two'], { limits });
    expect(result).toMatchObject({ verdict: 'failed', commands: [{ endedBy: 'disk' }] });
    expect(result.reason).toContain('ended because it filled too much of the disk');
  });

  it('keep the beginning and the end of a long output', async () => {
    const { commands } = await verify(['echo first; head -c 300000 /dev/zero | tr "\\0" x; echo; echo last']);
    const output = commands[0]?.output ?? '';
    expect(output.length).toBeLessThan(70_000);
    expect(output).toMatch(/^first\n[\s\S]*characters left out[\s\S]*last\n$/);
  });

  it('give an output that can be stored, whatever bytes it had', async () => {
    const { commands } = await verify([`printf 'a\\0b\\377c'`]);
    expect(commands[0]?.output).toBe('a\ufffdb\ufffdc');
  });

  it('say when a command met a folder that it may not write', async () => {
    const place = { ...at.place, readOnly: [join(at.worktree, 'node_modules')] };
    const result = await verify(['echo "EROFS: read-only file system" >&2; exit 1'], { place });
    expect(result.commands[0]?.metReadOnly).toBe(true);
  });

  it('have no result when they are interrupted', async () => {
    const running = verify(['touch begun.log; sleep 60']);
    running.catch(() => undefined);
    await eventually('the command works', () => existsSync(join(at.worktree, 'begun.log')));
    at.abort.abort(new Error('paused'));
    await expect(running).rejects.toThrow('paused');
  });
});
