import { expect, it } from 'vitest';
import { isOpenDemand } from './demands.js';

const REQUEST = 'An hour has 360 seconds in `units.js`. Fix that, and list all units with their seconds in the README.';
const PARTS = [{ title: 'An hour has 3600 seconds' }];

it.each([
  ['list all units with their seconds in the README', true],
  ['List all units  with their\nseconds', true],
  ['add tests for the units', false],
  ['README', false],
  ['', false],
  ['seconds in the READ', false],
])('"%s" is a demand of the request that no part names: %s', (quote, isOpen) => {
  expect(isOpenDemand(quote, REQUEST, PARTS)).toBe(isOpen);
});

it('what a part says already is no demand beside the parts', () => {
  const parts = [...PARTS, { title: 'List all units with their seconds in the README' }];
  expect(isOpenDemand('list all units with their seconds in the README', REQUEST, parts)).toBe(false);
  expect(isOpenDemand('list all units', REQUEST, parts)).toBe(false);
  expect(isOpenDemand(REQUEST, REQUEST, parts)).toBe(false);
});
