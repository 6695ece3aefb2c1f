import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OUTCOME_UNKNOWN } from '#kernel';
import { startTimeOf } from '#process-monitor';
import { eventually, tempFolder, type TempFolder } from '#testing';
import { Git } from './git.js';

let folder: TempFolder;
beforeEach(() => {
  folder = tempFolder('git');
  mkdirSync(below('bin'));
});
afterEach(() => folder.remove());

const below = (name: string): string => join(folder.path, name);
const place = () => ({ cwd: folder.path, env: {} });

/** Stands in for git on PATH: says who it is, then does as the lines say. */
function gitThat(lines: string, parts: { timeoutMs?: number } = {}): Git {
  writeFileSync(below('bin/git'), `#!/bin/sh\necho $$ > pid.part; mv pid.part pid\n${lines}\n`);
  chmodSync(below('bin/git'), 0o755);
  return new Git({ path: `${below('bin')}:/usr/bin:/bin`, home: folder.path, ...parts });
}

const isRunning = (): boolean => startTimeOf(Number(readFileSync(below('pid'), 'utf8'))) !== null;

describe('a git that is stuck inside a script', () => {
  it('ends with it when its time is up', async () => {
    const git = gitThat('sleep 30', { timeoutMs: 300 });
    const since = performance.now();
    const script = git.script('try', 'git one; git two\n', [], place());
    await expect(script).rejects.toMatchObject({ code: OUTCOME_UNKNOWN });
    expect(performance.now() - since).toBeLessThan(5_000);
    await eventually('git is gone', () => !isRunning());
  });

  it('ends with it when it is interrupted, and may take its locks away first', async () => {
    const git = gitThat("trap 'rm lock; exit 1' TERM; touch lock; sleep 30 & wait");
    const abort = new AbortController();
    const script = git.script('try', 'git one; git two\n', [], place(), { signal: abort.signal });
    const ended = expect(script).rejects.toMatchObject({ code: OUTCOME_UNKNOWN });
    await eventually('git holds a lock', () => existsSync(below('lock')));
    abort.abort();
    await ended;
    expect(existsSync(below('lock'))).toBe(false);
    await eventually('git is gone', () => !isRunning());
  });

  it('is not asked for ever', async () => {
    const git = gitThat("trap '' TERM; sleep 30; sleep 30", { timeoutMs: 300 });
    await expect(git.script('try', 'git one\n', [], place())).rejects.toMatchObject({ code: OUTCOME_UNKNOWN });
    await eventually('git is gone', () => !isRunning());
  });
});

it('ends a git that says more than is wanted, and those that it started', async () => {
  const git = gitThat('yes | cat');
  const { isCut, stdout } = await git.run(['log'], place(), { cutAtBytes: 1_000 });
  expect([isCut, stdout.length]).toEqual([true, 1_000]);
});
