import { describe, expect, it } from 'vitest';
import { isTestFile } from './dialects.js';

describe('isTestFile', () => {
  it.each([
    'polls/tests.py',
    'polls/test_views.py',
    'spec/cart_spec.rb',
    'tests/CartTest.php',
    'Lib.Tests/ParserTests.cs',
    'src/test/java/CartTest.java',
    'src/cart.test.ts',
  ])('knows %s by its name', (path) => {
    expect(isTestFile(path)).toBe(true);
  });

  it.each(['polls/contests.py', 'app/cart.rb', 'src/Cart.php', 'Lib/Parser.cs', 'src/cart.ts', 'README.md'])(
    'takes %s for no test',
    (path) => {
      expect(isTestFile(path)).toBe(false);
    },
  );
});
