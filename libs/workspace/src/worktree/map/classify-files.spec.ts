import { describe, expect, it } from 'vitest';
import { kindOf, sortByUse } from './classify-files.js';

describe('kindOf', () => {
  it.each([
    ['source', ['index.js', 'src/a.ts', 'lib/vendors.py', 'cmd/main.go', 'A.java', 'a.rb', 'a.php', 'A.cs', 'a.rs']],
    ['test', ['test/a.js', 'src/a.spec.ts', 'test_a.py', 'a_test.go', 'src/test/java/ATest.java', 'spec/a_spec.rb']],
    ['test', ['tests/helper.php', 'src/CartTest.php', 'CartTests.cs', 'Shop.Tests/Cart.cs']],
    ['other', ['README.md', 'package-lock.json', 'Makefile', 'test/data.json', 'a.kt']],
    ['omitted', ['node_modules/a/index.js', 'vendor/x/y.go', 'third_party/a.py', 'web/dist/a.js', '.venv/lib/a.py']],
    ['omitted', ['a.min.js', 'a.js.map', 'api.pb.go', 'api_pb2.py', 'types.generated.ts', 'src/__generated__/a.ts']],
  ] as const)('is %s for %j', (kind, paths) => {
    expect(paths.map(kindOf)).toEqual(paths.map(() => kind));
  });
});

describe('sortByUse', () => {
  it('puts files near the root first, then sorts by name', () => {
    expect(sortByUse(['src/b/c.ts', 'src/b.ts', 'z.ts', 'src/a.ts'])).toEqual([
      'z.ts',
      'src/a.ts',
      'src/b.ts',
      'src/b/c.ts',
    ]);
  });

  it('puts examples and documentation last', () => {
    const sorted = sortByUse(['docs/conf.py', 'examples/a.js', 'packages/a/src/deep/b.ts']);
    expect(sorted).toEqual(['packages/a/src/deep/b.ts', 'docs/conf.py', 'examples/a.js']);
  });
});
