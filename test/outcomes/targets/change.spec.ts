import { describe, expect, it } from 'vitest';
import { type Change, isEmptyChange, mergeChanges, NO_CHANGE, pathsOf, planActions, replaceOnce } from './change.js';

const right: Change = { edits: [{ path: 'a.js', old: 'x = 1;', new: 'x = 1;\ny = 2;' }] };
const wrong: Change = { edits: [{ path: 'a.js', old: 'x = 1;', new: 'x = 1;\ny = 3;' }] };
const undo: Change = { edits: [{ path: 'a.js', old: 'x = 1;', new: 'x = 1;' }] };
const holds = (content: string) => (path: string) => (path === 'a.js' ? content : null);

describe('planActions', () => {
  it('edits a file that holds the original text', () => {
    expect(planActions(right, holds('x = 1;\n'))).toEqual([
      { kind: 'edit', path: 'a.js', old: 'x = 1;', new: 'x = 1;\ny = 2;' },
    ]);
  });

  it('does nothing if the change is already there', () => {
    expect(planActions(right, holds('x = 1;\ny = 2;\n'))).toEqual([]);
  });

  it('replaces the text of another known change', () => {
    expect(planActions(right, holds('x = 1;\ny = 3;\n'), [wrong])).toEqual([
      { kind: 'edit', path: 'a.js', old: 'x = 1;\ny = 3;', new: 'x = 1;\ny = 2;' },
    ]);
  });

  it('undoes a change that contains the original text', () => {
    expect(planActions(undo, holds('x = 1;\ny = 2;\n'), [right])).toEqual([
      { kind: 'edit', path: 'a.js', old: 'x = 1;\ny = 2;', new: 'x = 1;' },
    ]);
  });

  it('skips a file that does not exist and text that it does not know', () => {
    expect(planActions(right, () => null)).toEqual([]);
    expect(planActions(right, holds('z'))).toEqual([]);
  });

  it('writes, removes and runs what differs', () => {
    const change: Change = { files: { 'b.js': 'b', 'a.js': 'same' }, removes: ['a.js', 'c.js'], commands: ['make'] };
    expect(planActions(change, holds('same'))).toEqual([
      { kind: 'write', path: 'b.js', content: 'b' },
      { kind: 'run', command: 'rm -f a.js' },
      { kind: 'run', command: 'make' },
    ]);
  });
});

describe('a change', () => {
  it('names its files once and can be empty', () => {
    expect(pathsOf(mergeChanges(right, wrong, { removes: ['c.js'] }))).toEqual(['a.js', 'c.js']);
    expect([isEmptyChange(NO_CHANGE), isEmptyChange(right)]).toEqual([true, false]);
  });

  it('replaces text literally', () => {
    expect(replaceOnce('a', 'a', '$&$1')).toBe('$&$1');
    expect(replaceOnce('a', 'b', 'c')).toBeNull();
  });
});
