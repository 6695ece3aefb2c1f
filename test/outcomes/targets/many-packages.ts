import { packages, rootTests } from './others.js';
import { manifest, nodeTest, type Target } from './target.js';

/* Twenty folders with a manifest come before the packages, and only as many are verified. One of them has a test. */
const examples = Object.fromEntries(
  Array.from({ length: 20 }, (_, nth) => {
    const name = `example-${String(nth + 10)}`;
    return [`examples/${name}/package.json`, manifest({ name, version: '1.0.0' })];
  }),
);

/* Files of both packages, as below a root with tests. The root itself has none. */
const ofPackages = Object.entries(rootTests.files).filter(([path]) => !path.startsWith('test/'));

export const manyPackages: Target = {
  name: 'many-packages',
  files: {
    ...Object.fromEntries(ofPackages),
    'package.json': packages.files['package.json'] ?? '',
    ...examples,
    'examples/example-10/package.json': manifest({
      name: 'example-10',
      version: '1.0.0',
      scripts: { test: 'node --test' },
    }),
    'examples/example-10/example.test.js': nodeTest('{ sep }', 'node:path', {
      'has a separator': 'assert.equal(sep.length, 1);',
    }),
  },
  testCommand: 'cd packages/cli && npm test',
};
