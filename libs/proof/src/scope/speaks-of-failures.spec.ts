import { describe, expect, it } from 'vitest';
import { asksOnlyForFailures, isAboutFailures } from './speaks-of-failures.js';

describe('a title that is about failing tests in general', () => {
  it.each([
    'Fix the failing tests',
    'The failing tests pass',
    'All tests pass.',
    'The test suite is green again',
    'npm test passes',
    'Broken unit tests in the parser are fixed',
  ])('asks for them, or says that they pass: %s', (title) => {
    expect(isAboutFailures(title)).toBe(true);
  });

  it.each([
    '--json prints an array',
    '--json prints an array, and all tests pass',
    'All tests pass with --json',
    'The report says that tests fail',
    'tests',
    '',
  ])('is none that is about something else: %s', (title) => {
    expect(isAboutFailures(title)).toBe(false);
  });
});

describe('a request for failing tests in general', () => {
  it.each([
    'Fix the failing tests',
    'Please fix all failing tests in this repo.',
    'The tests are failing. Fix them!',
    'Make CI green again',
    'npm test fails, please fix it',
  ])('asks for nothing else: %s', (request) => {
    expect(asksOnlyForFailures(request)).toBe(true);
  });

  it.each([
    'Fix the failing tests and add --json',
    'Fix the failing tests. Add --json',
    'Fix the failing tests, then rename the flag',
    'Add a dark mode',
    'Fix them',
    '',
  ])('may ask for more, or for something else: %s', (request) => {
    expect(asksOnlyForFailures(request)).toBe(false);
  });
});
