import { describe, expect, it } from 'vitest';
import { BLOT, SecretBook } from '#kernel';
import { lastCommandOf } from './last-command.js';

const SECRET = 'the-password-of-the-database-0123456789';
const book = new SecretBook([SECRET]);
const call = (name: string, input: object, id = 'c') => ({ id, name, input: { ...input } });
const result = (text: string) => ({ callId: 'c', text, isError: false });

describe('the last command of a turn', () => {
  it('is the last call of the tool run, with its result', () => {
    const calls = [call('run', { command: 'npm ci' }), call('run', { command: 'npm test' }), call('list_files', {})];
    const results = [result('exit code 0'), result('exit code 1\nstdout:\n1 failed'), result('a.mjs')];
    expect(lastCommandOf(calls, results, book)).toEqual({
      command: 'npm test',
      result: 'exit code 1\nstdout:\n1 failed',
    });
  });

  it('is null if the turn ran no command, or called the tool without a command text', () => {
    expect(lastCommandOf([call('read_file', { path: 'a' })], [result('x')], book)).toBeNull();
    expect(lastCommandOf([call('run', { command: ['ls'] })], [result('x')], book)).toBeNull();
    expect(lastCommandOf([{ id: 'c', name: 'run', input: 'ls' }], [result('x')], book)).toBeNull();
    expect(lastCommandOf([], [], book)).toBeNull();
  });

  it('is bounded and redacted', () => {
    const long = lastCommandOf(
      [call('run', { command: `echo ${SECRET} ${'x'.repeat(9_000)}` })],
      [result('y'.repeat(9_000))],
      book,
    );
    expect(long?.command).toContain(`echo ${BLOT}`);
    expect(long?.command.length).toBeLessThanOrEqual(500);
    expect(long?.result.length).toBeLessThan(2_100);
  });
});
