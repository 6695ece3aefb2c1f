import {
  altered,
  manifest,
  nodeCheck,
  nodeOracle,
  nodeTest,
  packageFiles,
  requires,
  type Target,
  type Task,
} from './target.js';

const INDEX = 'index.js';
const TEST = 'test/ms.test.js';
const LEGACY = 'legacy.js';
const LEGACY_TEST = 'test/legacy.test.js';

const published = {
  ...packageFiles('ms', { 'license.md': 'license.md', 'readme.md': 'readme.md', [INDEX]: 'index.js' }),
  'package.json': manifest({ name: 'ms', version: '2.1.3', main: INDEX, scripts: { test: 'node --test' } }),
  [TEST]: nodeTest('ms', '../index.js', {
    'parses days': "assert.equal(ms('2 days'), 172800000);",
    'formats minutes': "assert.equal(ms(60000), '1m');",
    'formats in words': "assert.equal(ms(60000, { long: true }), '1 minute');",
    'refuses an empty string': "assert.throws(() => ms(''));",
  }),
};

export const ms: Target = { name: 'ms', files: published, testCommand: 'npm test' };

/** A week has five days, and a test says so. */
export const msRed: Target = {
  name: 'ms-red',
  files: altered(
    altered(published, INDEX, 'var w = d * 7;', 'var w = d * 5;'),
    TEST,
    "test('formats minutes'",
    "test('parses weeks', () => {\n  assert.equal(ms('1 week'), 604800000);\n});\n\ntest('formats minutes'",
  ),
  testCommand: 'npm test',
};

const week = (text: string) => ({ edits: [{ path: INDEX, old: 'var w = d * 5;', new: text }] });

export const fixWeeks: Task = {
  request: 'The test "parses weeks" of ms fails: one week is not seven days. Make the failing tests pass.',
  class: 'behaviour',
  parts: [
    {
      title: 'one week is seven days',
      interface: 'require("./index.js")("1 week")',
      failingTests: ['parses weeks'],
      check: nodeCheck(
        'check-weeks.test.js',
        nodeTest('ms', './index.js', { 'two weeks': "assert.equal(ms('2w'), 1209600000);" }),
      ),
    },
  ],
  findings: [
    {
      priority: 'P0',
      title: 'a week is counted as five days',
      body: 'The constant w is d * 5; a week has seven days.',
      file: INDEX,
      line: 9,
      relation: 'is-request',
    },
  ],
  right: week('var w = d * 7;'),
  wrong: { 'six days': week('var w = d * 6;'), 'eight days': week('var w = d * 8;') },
  scenarios: [{ title: 'one week is parsed', command: requires('./index.js', "it('1w') === 604800000") }],
  oracle: nodeOracle(
    'oracle.test.js',
    nodeTest('ms', './index.js', {
      'weeks and days agree': "assert.equal(ms('3 weeks'), ms('21 days'));",
      'days are untouched': "assert.equal(ms('1d'), 86400000);",
    }),
  ),
};

const YEAR = 'var y = d * 365.25;';
const WORDS = 'weeks?|w|years?|yrs?|y)?$/i';
const WEEK_CASE = "    case 'weeks':\n";
const monthEdits = (length: string) => [
  { path: INDEX, old: YEAR, new: `${YEAR}\nvar mo = ${length};` },
  { path: INDEX, old: WORDS, new: 'weeks?|w|months?|mo|years?|yrs?|y)?$/i' },
  {
    path: INDEX,
    old: WEEK_CASE,
    new: `    case 'months':\n    case 'month':\n    case 'mo':\n      return n * mo;\n${WEEK_CASE}`,
  },
];

export const addMonths: Task = {
  request: 'Let ms parse months: "1 month", "2 months" and "1mo", where a month is a twelfth of a year.',
  class: 'behaviour',
  parts: [
    {
      title: 'months are parsed',
      interface: 'require("./index.js")("1 month")',
      check: nodeCheck(
        'check-months.test.js',
        nodeTest('ms', './index.js', {
          'a month is a twelfth of a year': "assert.equal(ms('1 month') * 12, ms('1 year'));",
        }),
      ),
    },
  ],
  findings: [
    {
      priority: 'P1',
      title: 'no test covers months',
      body: 'The new unit needs a test for "1mo" and for the plural.',
      file: TEST,
      line: 1,
      relation: 'after',
    },
  ],
  right: {
    edits: monthEdits('y / 12'),
    files: {
      'test/months.test.js': nodeTest('ms', '../index.js', {
        'parses months': "assert.equal(ms('2 months'), ms('1 year') / 6);",
        'parses the short form': "assert.equal(ms('1mo'), ms('1 month'));",
      }),
    },
  },
  wrong: {
    'four weeks': { edits: monthEdits('w * 4') },
    'thirty-one days': { edits: monthEdits('d * 31') },
  },
  scenarios: [
    { title: 'one month is parsed', command: requires('./index.js', "it('1mo') * 12 === it('1y')") },
    { title: 'minutes are still minutes', command: requires('./index.js', "it('1m') === 60000") },
  ],
  oracle: nodeOracle(
    'oracle.test.js',
    nodeTest('ms', './index.js', {
      'months are parsed': "assert.equal(ms('6 months'), ms('1y') / 2); assert.equal(ms('1mo'), ms('1 month'));",
      'minutes are untouched': "assert.equal(ms('5m'), 300000);",
    }),
  ),
};

const MAIN = '  "main": "index.js",\n';
const PARSE = '/**\n * Parse the given `str` and return milliseconds.';
const withVersion = { path: INDEX, old: PARSE, new: `module.exports.version = '2.1.3';\n\n${PARSE}` };
const requiring = (range: string) => ({
  path: 'package.json',
  old: MAIN,
  new: `${MAIN}  "engines": {\n    "node": "${range}"\n  },\n`,
});

export const exportVersion: Task = {
  request: 'Export the version of the package as ms.version, and require Node 18 or later in package.json.',
  class: 'behaviour',
  parts: [
    {
      title: 'ms.version is exported',
      interface: 'require("./index.js").version',
      check: nodeCheck(
        'check-version.test.js',
        nodeTest('ms', './index.js', {
          'the version is exported': "assert.equal(ms.version, require('./package.json').version);",
        }),
      ),
    },
    {
      title: 'package.json requires Node 18 or later',
      interface: 'engines.node of package.json',
      check: nodeCheck(
        'check-engines.test.js',
        nodeTest('described', './package.json', {
          'Node 18 is required': "assert.match(described.engines?.node ?? '', /^>= ?18/);",
        }),
      ),
    },
  ],
  right: { edits: [withVersion, requiring('>=18')] },
  wrong: { 'no engines': { edits: [withVersion] }, 'Node 8': { edits: [withVersion, requiring('>=8')] } },
  scenarios: [{ title: 'the version is there', command: requires('./index.js', "it.version === '2.1.3'") }],
  oracle: nodeOracle(
    'oracle.test.js',
    nodeTest('ms', './index.js', {
      'the version is a text': "assert.equal(ms.version, '2.1.3');",
      'Node 18 is required': "assert.match(require('./package.json').engines.node, /^>= ?18/);",
      'minutes are untouched': "assert.equal(ms('5m'), 300000);",
    }),
  ),
};

/** With a deprecated function and its test. */
export const msLegacy: Target = {
  name: 'ms-legacy',
  files: {
    ...published,
    [LEGACY]:
      "'use strict';\nvar ms = require('./index.js');\n\n/** Seconds of a duration. */\nexports.seconds = function (text) {\n  return ms(text) / 1000;\n};\n\n" +
      '/** @deprecated Use seconds. */\nexports.toSeconds = function (text) {\n  return exports.seconds(text);\n};\n',
    [LEGACY_TEST]: nodeTest('legacy', '../legacy.js', {
      'seconds of a minute': "assert.equal(legacy.seconds('1m'), 60);",
      'toSeconds gives the same as seconds': "assert.equal(legacy.toSeconds('1m'), 60);",
    }),
  },
  testCommand: 'npm test',
};

const DEPRECATED =
  '\n/** @deprecated Use seconds. */\nexports.toSeconds = function (text) {\n  return exports.seconds(text);\n};\n';
const ITS_TEST =
  "\ntest('toSeconds gives the same as seconds', () => {\n  assert.equal(legacy.toSeconds('1m'), 60);\n});\n";
const withoutTest = { path: LEGACY_TEST, old: ITS_TEST, new: '' };

export const removeDeprecated: Task = {
  request: 'Remove the deprecated function toSeconds from legacy.js together with its test.',
  class: 'behaviour',
  parts: [
    {
      title: 'toSeconds is gone',
      interface: 'require("./legacy.js")',
      check: nodeCheck(
        'check-gone.test.js',
        nodeTest('legacy', './legacy.js', { 'toSeconds is gone': 'assert.equal(legacy.toSeconds, undefined);' }),
      ),
    },
  ],
  right: { edits: [{ path: LEGACY, old: DEPRECATED, new: '' }, withoutTest] },
  wrong: {
    'test only': { edits: [withoutTest] },
    'removes both functions': { edits: [withoutTest], files: { [LEGACY]: "'use strict';\n" } },
  },
  scenarios: [
    {
      title: 'toSeconds is gone',
      command: requires('./legacy.js', "it.toSeconds === undefined && it.seconds('1m') === 60"),
    },
  ],
  oracle: nodeOracle(
    'oracle.test.js',
    nodeTest('legacy', './legacy.js', {
      'toSeconds is gone': 'assert.equal(legacy.toSeconds, undefined);',
      'seconds is there': "assert.equal(legacy.seconds('2m'), 120);",
    }),
  ),
  contradicted: [
    {
      test: 'toSeconds gives the same as seconds',
      quote: 'Remove the deprecated function toSeconds from legacy.js together with its test.',
    },
  ],
};

const NEGATIVE_TEST = 'test/negative.test.js';

export const testNegatives: Task = {
  request: 'Add tests for negative durations to ms: parsing "-1m" and formatting -60000. Change nothing else.',
  class: 'tests-only',
  parts: [{ title: 'negative durations are tested', interface: 'test/*.test.js' }],
  right: {
    files: {
      [NEGATIVE_TEST]: nodeTest('ms', '../index.js', {
        'parses negative minutes': "assert.equal(ms('-1m'), -60000);",
        'formats negative minutes': "assert.equal(ms(-60000), '-1m');",
      }),
    },
  },
  wrong: {
    'tests nothing': {
      files: { [NEGATIVE_TEST]: nodeTest('ms', '../index.js', { 'negative durations': 'assert.ok(ms);' }) },
    },
  },
  breaks: {
    edits: [
      {
        path: INDEX,
        old: 'var msAbs = Math.abs(ms);\n  if (msAbs >= d) {\n    return Math.round',
        new: 'var msAbs = ms;\n  if (msAbs >= d) {\n    return Math.round',
      },
    ],
  },
  scenarios: [{ title: 'the negative tests run', command: `node --test ${NEGATIVE_TEST}` }],
  oracle: {
    files: {
      'mutate.sh':
        "set -e\nnpm test >/dev/null\nsed -i 's/Math.abs(ms)/ms/' index.js\nif npm test >/dev/null 2>&1; then exit 1; fi\n",
    },
    command: 'sh mutate.sh',
  },
};
