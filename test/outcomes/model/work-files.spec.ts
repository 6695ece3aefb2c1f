import { describe, expect, it } from 'vitest';
import type { MadeCall } from './conversation.js';
import { WorkFiles } from './work-files.js';

const readCall = (path: string, result: string): MadeCall => ({
  name: 'read_file',
  input: { path },
  result,
  isError: false,
});

describe('WorkFiles', () => {
  it('reads the content behind line numbers', () => {
    const files = new WorkFiles([readCall('a', '1\tfirst\n2\t\n3\tthird\t3'), readCall('b', 'there is no file b')]);
    expect(files.read('a')).toBe('first\n\nthird\t3\n');
    expect([files.read('b'), files.hasRead('b'), files.hasRead('c')]).toEqual([null, true, false]);
  });

  it('shows a change only if its text is there', () => {
    const change = { edits: [{ path: 'a', old: 'x', new: 'y' }] };
    expect(new WorkFiles([readCall('a', '1\ty')]).shows(change)).toBe(true);
    expect(new WorkFiles([readCall('a', '1\tx')]).shows(change)).toBe(false);
    expect(new WorkFiles([readCall('a', '1\tz')]).shows(change)).toBe(false);
    expect(new WorkFiles([]).shows(change)).toBe(false);
  });
});
