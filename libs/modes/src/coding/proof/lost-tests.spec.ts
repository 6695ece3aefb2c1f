import { describe, expect, it } from 'vitest';
import { verifiedAs } from '../coding.fixture.js';
import {
  countMissingTests,
  findEmptiedFiles,
  findMissingTests,
  findSilentCommands,
  lacksTitles,
} from './lost-tests.js';

const counts = (passed: number, emptyFiles: readonly string[] = []) => ({
  counts: { runner: 'node', passed, failed: 0, skipped: 0, emptyFiles },
});

describe('findEmptiedFiles', () => {
  it('names test files of the base that run no test any more', () => {
    const given = { baseline: counts(2), result: counts(1, ['a.test.mjs']), newFiles: [] };
    expect(findEmptiedFiles(given)).toEqual(['a.test.mjs']);
  });

  it('leaves out files that were empty before, and new ones', () => {
    const baseline = counts(2, ['a.test.mjs']);
    const result = counts(2, ['a.test.mjs', '/room/test/helper.test.mjs']);
    expect(findEmptiedFiles({ baseline, result, newFiles: ['test/helper.test.mjs'] })).toEqual([]);
  });

  it('finds nothing if the runner does not count', () => {
    expect(findEmptiedFiles({ baseline: { counts: null }, result: { counts: null }, newFiles: [] })).toEqual([]);
  });
});

describe('countMissingTests', () => {
  it('says how many tests are missing', () => {
    expect(countMissingTests({ baseline: counts(3), result: counts(1) })).toEqual(['2 of 3 tests']);
  });

  it('says nothing if as many or more tests ran, or if they were not counted', () => {
    expect(countMissingTests({ baseline: counts(3), result: counts(4) })).toEqual([]);
    expect(countMissingTests({ baseline: { counts: null }, result: counts(1) })).toEqual([]);
  });
});

describe('findMissingTests', () => {
  const ran = (passed: number, ...titles: readonly string[]) =>
    verifiedAs('passed', { passed }, titles.map((title) => `✔ ${title} (0.1ms)`).join('\n'));

  it('names them if the runner prints each test', () => {
    const given = { baseline: ran(3, 'hours', 'days', 'weeks'), result: ran(2, 'hours', 'days') };
    expect(findMissingTests(given)).toEqual({ counted: [], named: ['weeks'] });
  });

  it('counts them if the runner does not name them all', () => {
    const given = { baseline: ran(3, 'hours'), result: ran(1) };
    expect(findMissingTests(given)).toEqual({ counted: ['2 of 3 tests'], named: [] });
  });

  it('finds nothing if no fewer tests ran, whatever their names', () => {
    expect(findMissingTests({ baseline: ran(1, 'hours'), result: ran(1, 'days') })).toEqual({ counted: [], named: [] });
  });
});

describe('findSilentCommands', () => {
  const ran = (command: string, passed: number | null) => ({
    commands: [{ command, counts: passed === null ? null : counts(passed).counts }],
  });

  it('names a command that no longer says how its tests went', () => {
    expect(findSilentCommands(ran('npm test', 3), ran('npm test', null))).toEqual(['the tests of npm test']);
    expect(findSilentCommands(ran('npm test', 3), ran('npm test', 0))).toEqual(['the tests of npm test']);
  });

  it('says nothing of commands that still report tests, never did, or are gone', () => {
    expect(findSilentCommands(ran('npm test', 3), ran('npm test', 1))).toEqual([]);
    expect(findSilentCommands(ran('npm run build', null), ran('npm run build', null))).toEqual([]);
    expect(findSilentCommands(ran('npm test', 3), ran('make test', null))).toEqual([]);
  });
});

describe('lacksTitles', () => {
  const named = (...titles: readonly string[]) =>
    verifiedAs('passed', { passed: 2 }, titles.map((title) => `✔ ${title} (0.1ms)`).join('\n'));

  it('finds a test that is gone, though as many tests run', () => {
    expect(lacksTitles({ baseline: named('hours', 'days'), result: named('hours', 'is new') })).toBe(true);
  });

  it('finds nothing if each test is still named, or the runner names none', () => {
    expect(lacksTitles({ baseline: named('hours'), result: named('hours', 'is new') })).toBe(false);
    expect(lacksTitles({ baseline: named(), result: named() })).toBe(false);
  });
});
