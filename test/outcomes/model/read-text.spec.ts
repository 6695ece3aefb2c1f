import { describe, expect, it } from 'vitest';
import { idNear, listedName, numberBefore, numberedLines } from './read-text.js';

describe('numberBefore', () => {
  it('finds the number of a list item', () => {
    expect(numberBefore('Parts:\n1. first thing\n2. second thing', 'second thing')).toBe(2);
    expect(numberBefore('[{"part":0,"title":"first thing"}]', 'first thing')).toBe(0);
  });

  it('finds none in another line or without the words', () => {
    expect(numberBefore('1\nfirst thing', 'first thing')).toBeNull();
    expect(numberBefore('1. a', 'b')).toBeNull();
  });
});

it('numberedLines finds the first line under each number', () => {
  expect(numberedLines('Tests:\n1. adds\n2. takes away\n\n1. output of adds\nx 3. no')).toEqual([
    { number: 1, line: 'adds' },
    { number: 2, line: 'takes away' },
  ]);
});

describe('idNear', () => {
  it('prefers the id before the words', () => {
    expect(idNear('F-001 P1 too slow (a.js)\nF-002 P0 loses data', 'loses data')).toBe('F-002');
    expect(idNear('too slow (F-003)', 'too slow')).toBe('F-003');
    expect(idNear('too slow', 'too slow')).toBeNull();
  });
});

describe('listedName', () => {
  it('is the name that Python lists, not a line of its stack', () => {
    const text = '- test_hours (tests.HoursTest.test_hours)\n  File "tests.py", line 11, in test_hours';
    expect(listedName(text, 'test_hours')).toBe('test_hours (tests.HoursTest.test_hours)');
  });

  it('takes the name as the list has it', () => {
    expect(listedName('- `test/a.js: parses`\nnot ok 1 - parses', 'parses')).toBe('test/a.js: parses');
  });

  it('falls back to the title', () => {
    expect(listedName('nothing', 'parses')).toBe('parses');
  });
});
