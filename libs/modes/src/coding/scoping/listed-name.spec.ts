import { describe, expect, it } from 'vitest';
import { findListedName } from './listed-name.js';

const HOURS = 'test_hours (tests.test_durations.DurationsTest.test_hours)';
const LISTED = [HOURS, 'test_minutes (tests.test_durations.DurationsTest.test_minutes)', 'parses > one hour'];

describe('the listed name of a test', () => {
  it('is the name itself if it is listed', () => {
    expect(findListedName(HOURS, LISTED)).toBe(HOURS);
  });

  it('is found by a part that only one listed name has', () => {
    expect(findListedName('test_hours', LISTED)).toBe(HOURS);
    expect(findListedName('one hour', LISTED)).toBe('parses > one hour');
  });

  it('is found if the list is quoted with marks or spaces around the name', () => {
    expect(findListedName(' `parses > one hour` ', LISTED)).toBe('parses > one hour');
  });

  it('is found in a line that the runner printed', () => {
    expect(findListedName('# Subtest: parses > one hour', LISTED)).toBe('parses > one hour');
    expect(findListedName('not ok 1 - adds', ['adds', 'adds up'])).toBe('adds');
    expect(findListedName('one hour and a half', ['hour'])).toBeNull();
  });

  it('is not found by a part that several names have', () => {
    expect(findListedName('DurationsTest', LISTED)).toBeNull();
  });

  it('is not found by a part of a word, nor by nothing', () => {
    expect(findListedName('hours', ['test_hours'])).toBeNull();
    expect(findListedName('hour', LISTED)).toBe('parses > one hour');
    expect(findListedName('', ['a'])).toBeNull();
    expect(findListedName('(', [HOURS])).toBeNull();
  });
});
