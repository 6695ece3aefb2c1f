import {
  altered,
  imports,
  manifest,
  moduleTest,
  nodeCheck,
  nodeOracle,
  nodeTest,
  packageFiles,
  requires,
  type Target,
  type Task,
} from './target.js';

const INDEX = 'index.js';

/* slugify: the option strict also removes the spaces between words, and a test says so. */
const SLUG = 'slugify.js';
const slugTest = 'test/slugify.test.js';
export const slugifyRed: Target = {
  name: 'slugify-red',
  files: altered(
    {
      ...packageFiles('slugify', { LICENSE: 'LICENSE', 'README.md': 'README.md', [SLUG]: SLUG }),
      'package.json': manifest({ name: 'slugify', version: '1.6.9', main: SLUG, scripts: { test: 'node --test' } }),
      [slugTest]: nodeTest('slugify', '../slugify.js', {
        'joins words': "assert.equal(slugify('some string'), 'some-string');",
        'lowers letters': "assert.equal(slugify('Some String', { lower: true }), 'some-string');",
        'strict keeps the words apart': "assert.equal(slugify('foo_bar. baz', { strict: true }), 'foobar-baz');",
      }),
    },
    SLUG,
    "slug.replace(/[^A-Za-z0-9\\s]/g, '')",
    "slug.replace(/[^A-Za-z0-9]/g, '')",
  ),
  testCommand: 'npm test',
};

const STRICT = "slug.replace(/[^A-Za-z0-9]/g, '')";
const strict = (text: string) => ({ edits: [{ path: SLUG, old: STRICT, new: text }] });
export const fixStrict: Task = {
  request:
    'With {strict: true} slugify glues words together: "foo_bar. baz" becomes "foobarbaz". It must be "foobar-baz".',
  class: 'behaviour',
  parts: [
    {
      title: 'strict keeps words apart',
      interface: 'require("./slugify.js")(text, {strict: true})',
      failingTests: ['strict keeps the words apart'],
      check: nodeCheck(
        'check-strict.test.js',
        nodeTest('slugify', './slugify.js', { strict: "assert.equal(slugify('a! b', { strict: true }), 'a-b');" }),
      ),
    },
  ],
  right: strict("slug.replace(/[^A-Za-z0-9\\s]/g, '')"),
  wrong: {
    'keeps dots': strict("slug.replace(/[^A-Za-z0-9\\s.]/g, '')"),
    'keeps all': strict("slug.replace(/[^\\w\\s.]/g, '')"),
  },
  scenarios: [
    {
      title: 'strict keeps words apart',
      command: requires('./slugify.js', "it('foo_bar. baz', {strict: true}) === 'foobar-baz'"),
    },
  ],
  oracle: nodeOracle(
    'oracle.test.js',
    nodeTest('slugify', './slugify.js', {
      'strict drops signs and keeps words':
        "assert.equal(slugify('foo_bar. -@-baz!', { strict: true }), 'foobar-baz'); assert.equal(slugify('x. y', { strict: true }), 'x-y');",
    }),
  ),
};

/* leven: an ES module; a new named export. */
export const leven: Target = {
  name: 'leven',
  files: {
    ...packageFiles('leven', { license: 'license', 'readme.md': 'readme.md', [INDEX]: INDEX }),
    'package.json': manifest({
      name: 'leven',
      version: '4.1.0',
      type: 'module',
      exports: './index.js',
      scripts: { test: 'node --test' },
    }),
    'test/leven.test.js': moduleTest('leven', '../index.js', {
      'counts edits': "assert.equal(leven('kitten', 'sitting'), 3);",
      'is zero for equal texts': "assert.equal(leven('a', 'a'), 0);",
    }),
  },
  testCommand: 'npm test',
};

const CLOSEST = 'export function closestMatch(';
const similarity = (body: string) => ({
  edits: [{ path: INDEX, old: CLOSEST, new: `export function similarity(first, second) {\n${body}\n}\n\n${CLOSEST}` }],
});
const LONGEST = '\tconst longest = Math.max(first.length, second.length);\n';
export const addSimilarity: Task = {
  request:
    'Add a named export similarity(first, second) to leven: 1 for equal texts, 0 if everything differs, else 1 minus distance divided by the longer length.',
  class: 'behaviour',
  parts: [
    {
      title: 'similarity relates the distance to the longer text',
      interface: 'import { similarity } from "./index.js"',
      check: nodeCheck(
        'check-similarity.test.js',
        moduleTest('{ similarity }', './index.js', { similarity: "assert.equal(similarity('abcd', 'abxx'), 0.5);" }),
      ),
    },
  ],
  right: similarity(`${LONGEST}\treturn longest === 0 ? 1 : 1 - (leven(first, second) / longest);`),
  wrong: {
    'divides by the first': similarity('\treturn 1 - (leven(first, second) / first.length);'),
    'empty is no number': similarity(`${LONGEST}\treturn 1 - (leven(first, second) / longest);`),
    'returns a constant': similarity('\treturn first === second ? 1 : 0;'),
  },
  scenarios: [
    {
      title: 'half of the letters differ',
      command: imports('{ similarity }', './index.js', "similarity('abcd', 'abxx') === 0.5"),
    },
  ],
  oracle: nodeOracle(
    'oracle.test.js',
    moduleTest('{ similarity }', './index.js', {
      'relates to the longer text':
        "assert.equal(similarity('ab', 'abcd'), 0.5); assert.equal(similarity('', ''), 1); assert.equal(similarity('ab', 'xy'), 0);",
    }),
  ),
};

/* range-parser: adjacent ranges are not combined; one more test is red for another reason. */
const rangeTests = {
  'parses one range': "assert.deepEqual(parse(1000, 'bytes=0-499')[0], { start: 0, end: 499 });",
  'combines adjacent ranges': "assert.equal(parse(150, 'bytes=0-4,5-9', { combine: true }).length, 1);",
};
const rangeFiles = altered(
  {
    ...packageFiles('range-parser', { LICENSE: 'LICENSE', 'README.md': 'README.md', [INDEX]: INDEX }),
    'package.json': manifest({ name: 'range-parser', version: '1.3.0', main: INDEX, scripts: { test: 'node --test' } }),
    'test/range.test.js': nodeTest('parse', '../index.js', rangeTests),
  },
  INDEX,
  'range.start > current.end + 1',
  'range.start > current.end',
);
export const rangeUnrelatedRed: Target = {
  name: 'range-parser-unrelated-red',
  files: {
    ...rangeFiles,
    'test/zone.test.js':
      "'use strict';\nconst assert = require('node:assert');\nconst { test } = require('node:test');\n\n" +
      "test('runs in the time zone of the author', () => {\n  assert.equal(process.env.TZ, 'Pacific/Chatham');\n});\n",
  },
  testCommand: 'npm test',
};

const combine = (text: string) => ({ edits: [{ path: INDEX, old: 'range.start > current.end)', new: text }] });
export const combineAdjacent: Task = {
  request: 'range-parser with {combine: true} does not join adjacent ranges: "bytes=0-4,5-9" must give one range.',
  class: 'behaviour',
  parts: [
    {
      title: 'adjacent ranges are joined',
      interface: 'require("./index.js")(size, header, {combine: true})',
      failingTests: ['combines adjacent ranges'],
      check: nodeCheck(
        'check-adjacent.test.js',
        nodeTest('parse', './index.js', {
          adjacent: "assert.deepEqual(parse(99, 'bytes=0-1,2-3', { combine: true })[0], { start: 0, end: 3 });",
        }),
      ),
    },
  ],
  right: combine('range.start > current.end + 1)'),
  wrong: {
    'joins too much': combine('range.start > current.end + 2)'),
    'joins never': combine('range.start >= current.end)'),
  },
  scenarios: [
    {
      title: 'adjacent ranges become one',
      command: requires('./index.js', "it(150, 'bytes=0-4,5-9', {combine: true}).length === 1"),
    },
  ],
  oracle: nodeOracle(
    'oracle.test.js',
    nodeTest('parse', './index.js', {
      'joins adjacent ranges only':
        "assert.equal(parse(99, 'bytes=0-4,5-9', { combine: true }).length, 1); assert.equal(parse(99, 'bytes=0-4,6-9', { combine: true }).length, 2);",
    }),
  ),
};

/* titleize: no tests at all, and upper-case letters stay. */
export const titleizeUntested: Target = {
  name: 'titleize-untested',
  files: altered(
    {
      ...packageFiles('titleize', { license: 'license', 'readme.md': 'readme.md', [INDEX]: INDEX }),
      'package.json': manifest({ name: 'titleize', version: '4.0.0', type: 'module', exports: './index.js' }),
    },
    INDEX,
    'string.toLowerCase().replaceAll',
    'string.replaceAll',
  ),
  testCommand: 'node --test',
};

const lower = (text: string) => ({ edits: [{ path: INDEX, old: 'return string.replaceAll', new: text }] });
export const lowerOthers: Task = {
  request: 'titleize("HELLO WORLD") returns "HELLO WORLD"; it must return "Hello World".',
  class: 'behaviour',
  parts: [
    {
      title: 'letters inside a word become lower case',
      interface: 'import titleize from "./index.js"',
      check: nodeCheck(
        'check-lower.test.js',
        moduleTest('titleize', './index.js', { lower: "assert.equal(titleize('FOO bAR'), 'Foo Bar');" }),
      ),
    },
  ],
  right: lower('return string.toLowerCase().replaceAll'),
  wrong: {
    'raises all': lower('return string.toUpperCase().replaceAll'),
    'first word only': lower('return string.slice(0, 5).toLowerCase().concat(string.slice(5)).replaceAll'),
  },
  scenarios: [
    {
      title: 'upper case becomes title case',
      command: imports('titleize', './index.js', "titleize('HELLO WORLD') === 'Hello World'"),
    },
  ],
  oracle: nodeOracle(
    'oracle.test.js',
    moduleTest('titleize', './index.js', {
      'title case': "assert.equal(titleize('gOOD mORNING-sUN'), 'Good Morning-Sun');",
    }),
  ),
};
