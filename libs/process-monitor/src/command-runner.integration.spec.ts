import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LeaseLost } from '#engine';
import { eventually } from '#testing';
import { ESCAPE, openCommands, STUBBORN_ESCAPE } from './commands.fixture.js';
import { membersOf, startTimeOf } from './index.js';

let commands: ReturnType<typeof openCommands>;

beforeEach(() => {
  commands = openCommands();
});
afterEach(() => commands.folder.remove());

const nobodyLeft = async (): Promise<void> => {
  for (const { group } of commands.registry.everRegistered) {
    await eventually('the group is gone', async () => membersOf(group).length === 0 || undefined);
  }
  expect(commands.registry.records).toEqual([]);
};

describe('a command', () => {
  it('gives its output and exit code, and leaves no record', async () => {
    const result = await commands.runner.run(commands.shell('echo out; echo err >&2; exit 3'));
    expect(result).toEqual({ exitCode: 3, stdout: 'out\n', stderr: 'err\n', endedBy: 'itself' });
    expect(commands.registry.everRegistered).toHaveLength(1);
    await nobodyLeft();
  });

  it('gives the whole of a long output', async () => {
    const { stdout } = await commands.runner.run(commands.shell('head -c 1000000 /dev/zero | tr "\\0" x'));
    expect(stdout).toHaveLength(1_000_000);
  });

  it('says that its output was too much even when the excess is read after its end', async () => {
    const script = 'head -c 1048577 /dev/zero | tr "\\0" x';
    for (let nth = 1; nth <= 5; nth += 1) {
      expect((await commands.runner.run(commands.shell(script))).endedBy).toBe('output');
    }
  });

  it('sees nothing of the service’s environment or input, but the mark of its run', async () => {
    const { stdout } = await commands.runner.run(commands.shell('env; cat', { env: { ONLY: 'this' } }));
    const names = stdout.trim().split('\n').map((line) => line.split('=')[0]); // prettier-ignore
    expect(names.sort()).toEqual(['LANG', 'ONLY', 'PATH', 'PWD', 'QRALPH_RUN']);
  });

  it('does nothing at all under a lease that is void', async () => {
    const stale = commands.shell('touch did-something', { lease: { ...commands.lease, epoch: 2 } });
    await expect(commands.runner.run(stale)).rejects.toBeInstanceOf(LeaseLost);
    expect(commands.exists('did-something')).toBe(false);
  });

  it('has no exit code when it is killed from outside', async () => {
    const result = await commands.runner.run(commands.shell('kill -9 $$'));
    expect(result).toMatchObject({ exitCode: null, endedBy: 'itself' });
    await nobodyLeft();
  });

  it('is ended by its time-out and by too much output', async () => {
    expect((await commands.runner.run(commands.shell('sleep 60', { timeoutMs: 100 }))).endedBy).toBe('time-out');
    const loud = await commands.runner.run(commands.shell('while :; do echo yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy; done'));
    expect(loud.endedBy).toBe('output');
    expect(loud.stdout.length).toBeLessThanOrEqual(1024 * 1024);
    await nobodyLeft();
  });

  it('says so when there is no such program or folder', async () => {
    const nothing = commands.shell('', { file: 'no-such-program', args: [] });
    expect(await commands.runner.run(nothing)).toMatchObject({ exitCode: 127 });
    await expect(commands.runner.run(commands.shell('true', { cwd: '/no/such/folder' }))).rejects.toMatchObject({
      code: 'COMMAND_NOT_STARTED',
    });
  });
});

describe('what a command started', () => {
  it('is ended with it before an abort’s deadline of 8 s, even if it ignores SIGTERM', async () => {
    const abort = new AbortController();
    const script = `trap '' TERM; (trap '' TERM; sleep 60) & sleep 60 & echo started > started; wait`;
    const running = commands.runner.run(commands.shell(script, { signal: abort.signal }));
    await commands.appears('started');
    const abortedAt = performance.now();
    abort.abort();
    expect((await running).endedBy).toBe('interruption');
    expect(performance.now() - abortedAt).toBeLessThan(7_500);
    await nobodyLeft();
  });

  it('is taken along when it was left in the background', async () => {
    await commands.runner.run(commands.shell('sleep 60 >/dev/null 2>&1 &'));
    await nobodyLeft();
  });

  it('is taken along when it was left in the background without the mark of its run', async () => {
    await commands.runner.run(commands.shell('env -i sleep 60 >/dev/null 2>&1 &'));
    await nobodyLeft();
  });

  it('is ended with it even outside of its group, ignoring SIGTERM, holding its output', async () => {
    const result = await commands.runner.run(commands.shell(`${STUBBORN_ESCAPE}; echo said`));
    expect(result).toEqual({ exitCode: 0, stdout: 'said\n', stderr: '', endedBy: 'itself' });
    expect(startTimeOf(commands.pidIn('escaped'))).toBeNull();
    await nobodyLeft();
  });

  it('does not keep it beyond its time-out by holding its output', async () => {
    const startedAt = performance.now();
    const result = await commands.runner.run(commands.shell(`${ESCAPE}; sleep 60`, { timeoutMs: 500 }));
    expect(result.endedBy).toBe('time-out');
    expect(performance.now() - startedAt).toBeLessThan(10_000);
    expect(startTimeOf(commands.pidIn('escaped'))).toBeNull();
  });

  it('does not keep it when it cannot be found', async () => {
    const hidden = `env -i setsid sh -c 'echo $$ > hidden.part; mv hidden.part hidden; exec sleep 30' &
      while [ ! -e hidden ]; do sleep 0.02; done; echo said`;
    const result = await commands.runner.run(commands.shell(hidden));
    expect(result).toMatchObject({ exitCode: 0, stdout: 'said\n' });
    process.kill(commands.pidIn('hidden'), 'SIGKILL');
  });

  it('is left alone when another command of the same project ends', async () => {
    const abort = new AbortController();
    const long = commands.runner.run(commands.shell(`${ESCAPE}; sleep 60`, { signal: abort.signal }));
    await commands.appears('escaped');
    expect(await commands.runner.run(commands.shell('echo short'))).toMatchObject({ stdout: 'short\n' });
    expect(startTimeOf(commands.pidIn('escaped'))).not.toBeNull();
    expect(commands.registry.records).toHaveLength(1);
    abort.abort();
    expect((await long).endedBy).toBe('interruption');
    expect(startTimeOf(commands.pidIn('escaped'))).toBeNull();
  });
});
