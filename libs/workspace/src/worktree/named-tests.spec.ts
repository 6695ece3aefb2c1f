import { describe, expect, it } from 'vitest';
import { isNamedAfter, moduleName } from './named-tests.js';

describe('moduleName', () => {
  it.each([
    ['src/price.mjs', 'price'],
    ['src/price.service.ts', 'price'],
    ['src/price/index.ts', 'price'],
    ['shop/__init__.py', 'shop'],
    ['.hidden', '.hidden'],
    ['Makefile', 'Makefile'],
  ])('of %s is %s', (path, name) => {
    expect(moduleName(path)).toBe(name);
  });

  it.each([['index.js'], ['src/a.mjs'], ['src/a\nb.mjs'], ['']])('gives up on %j', (path) => {
    expect(moduleName(path)).toBeNull();
  });
});

describe('isNamedAfter', () => {
  it.each([
    ['test/price.test.mjs', 'price'],
    ['src/price.spec.ts', 'price'],
    ['src/price.integration.spec.ts', 'price'],
    ['tests/test_price.py', 'price'],
    ['sum/price_test.go', 'price'],
    ['src/test/java/PriceTest.java', 'Price'],
    ['test/price.js', 'price'],
  ])('%s is named after %s', (test, name) => {
    expect(isNamedAfter(test, name)).toBe(true);
  });

  it.each([
    ['test/prices.test.mjs', 'price'],
    ['test/price-list.test.mjs', 'price'],
    ['test/old-price.test.mjs', 'price'],
  ])('%s is not named after %s', (test, name) => {
    expect(isNamedAfter(test, name)).toBe(false);
  });
});
