import {
  altered,
  type Files,
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
const TEST = 'test/bytes.test.js';

const published: Files = {
  ...packageFiles('bytes', { LICENSE: 'LICENSE', 'Readme.md': 'Readme.md', [INDEX]: 'index.js' }),
  'package.json': manifest({ name: 'bytes', version: '3.1.2', main: INDEX, scripts: { test: 'node --test' } }),
  [TEST]: nodeTest('bytes', '../index.js', {
    'parses whole units': "assert.equal(bytes.parse('1kb'), 1024);",
    'keeps the sign of a parsed value': "assert.equal(bytes.parse('-1kb'), -1024);",
    'formats kilobytes': "assert.equal(bytes.format(2048), '2KB');",
    'returns null for other types': 'assert.equal(bytes(undefined), null);',
  }),
};

/** Parses "1.5kb" as 1 KB, and says so by a failing test. */
const FRACTIONS = "assert.equal(bytes.parse('1.5kb'), 1536);";
const broken = altered(
  published,
  INDEX,
  'floatValue = parseFloat(results[1]);',
  'floatValue = parseInt(results[1], 10);',
);

export const bytes: Target = { name: 'bytes', files: published, testCommand: 'npm test' };

export const bytesRed: Target = {
  name: 'bytes-red',
  files: altered(
    broken,
    TEST,
    "test('formats kilobytes'",
    `test('parses fractions of a unit', () => {\n  ${FRACTIONS}\n});\n\ntest('formats kilobytes'`,
  ),
  testCommand: 'npm test',
};

const PARSE = 'floatValue = parseInt(results[1], 10);';
const fix = (text: string) => ({ edits: [{ path: INDEX, old: PARSE, new: text }] });
/** Compared by the shell: the module under test could replace what compares inside of its own process. */
const PARSED = "['1.5kb', '2.25mb', '-1.5kb', '1024', '3kb'].map((text) => bytes.parse(text)).join()";
const fractionOracle = {
  files: { 'oracle.js': `const bytes = require('./index.js');\nconsole.log(${PARSED});\n` },
  command: 'test "$(node oracle.js)" = "1536,2359296,-1536,1024,3072"',
};

export const fixFractions: Task = {
  request: 'bytes.parse drops the fraction: parse("1.5kb") returns 1024 instead of 1536. Please fix it.',
  class: 'behaviour',
  parts: [
    {
      title: 'parse keeps the fraction of a value',
      interface: 'require("./index.js").parse',
      failingTests: ['parses fractions of a unit'],
      check: nodeCheck(
        'check-fraction.test.js',
        nodeTest('bytes', './index.js', { 'parse keeps fractions': "assert.equal(bytes.parse('2.5kb'), 2560);" }),
      ),
    },
  ],
  findings: [
    {
      priority: 'P0',
      title: 'bytes.parse loses the fraction of a value',
      body: 'parse uses parseInt for the number, so "1.5kb" becomes 1024.',
      file: INDEX,
      line: 159,
      relation: 'is-request',
    },
  ],
  right: fix('floatValue = parseFloat(results[1]);'),
  wrong: {
    'loses the sign': fix('floatValue = parseFloat(results[3]);'),
    'rounds up': fix('floatValue = Math.ceil(results[1]);'),
  },
  scenarios: [
    { title: 'a fraction is parsed', command: requires('./index.js', "it.parse('1.5kb') === 1536") },
    { title: 'a whole unit is still parsed', command: requires('./index.js', "it.parse('2kb') === 2048") },
  ],
  oracle: fractionOracle,
};

const MAP = '  pb: Math.pow(1024, 5),\n';
const EXPRESSION = '(kb|mb|gb|tb|pb)$/i';
const FORMAT = "    if (mag >= map.pb) {\n      unit = 'PB';\n";
const parseExabytes = [
  { path: INDEX, old: MAP, new: `${MAP}  eb: Math.pow(1024, 6),\n` },
  { path: INDEX, old: EXPRESSION, new: '(kb|mb|gb|tb|pb|eb)$/i' },
];
const formatExabytes = {
  path: INDEX,
  old: FORMAT,
  new: "    if (mag >= map.eb) {\n      unit = 'EB';\n    } else if (mag >= map.pb) {\n      unit = 'PB';\n",
};

export const addExabytes: Task = {
  request: 'Support exabytes in bytes: parse("1eb") gives 1024 to the power of 6, and format shows such values as EB.',
  class: 'behaviour',
  parts: [
    {
      title: 'parse understands eb',
      interface: 'require("./index.js").parse("1eb")',
      check: nodeCheck(
        'check-parse-eb.test.js',
        nodeTest('bytes', './index.js', { 'parse reads eb': "assert.equal(bytes.parse('1eb'), Math.pow(1024, 6));" }),
      ),
    },
    {
      title: 'format shows EB',
      interface: 'require("./index.js").format(value)',
      check: nodeCheck(
        'check-format-eb.test.js',
        nodeTest('bytes', './index.js', { 'format shows EB': "assert.equal(bytes.format(Math.pow(1024, 6)), '1EB');" }),
      ),
    },
  ],
  steps: [
    {
      title: 'Let parse understand eb',
      detail: 'Add eb to the unit map and to the regular expression of parse.',
      parts: [0],
      check: 'parse("1eb") equals 1024 to the power of 6',
      change: { edits: parseExabytes },
    },
    {
      title: 'Let format show EB',
      detail: 'Choose the unit EB if the magnitude is at least one exabyte.',
      parts: [1],
      check: 'format(1024 to the power of 6) is 1EB',
      change: { edits: [formatExabytes] },
    },
  ],
  right: { edits: [...parseExabytes, formatExabytes] },
  wrong: {
    'parses only': { edits: parseExabytes },
    'wrong power': { edits: [{ path: INDEX, old: MAP, new: `${MAP}  eb: Math.pow(1000, 6),\n` }] },
  },
  scenarios: [
    { title: 'one exabyte is parsed', command: requires('./index.js', "it.parse('1eb') === Math.pow(1024, 6)") },
    { title: 'one exabyte is shown', command: requires('./index.js', "it.format(Math.pow(1024, 6)) === '1EB'") },
  ],
  oracle: nodeOracle(
    'oracle.test.js',
    nodeTest('bytes', './index.js', {
      'parses exabytes': "assert.equal(bytes.parse('2EB'), 2 * Math.pow(1024, 6));",
      'formats exabytes': "assert.equal(bytes.format(1.5 * Math.pow(1024, 6)), '1.5EB');",
      'keeps petabytes': "assert.equal(bytes.format(Math.pow(1024, 5)), '1PB');",
    }),
  ),
};

const CHOICE =
  published[INDEX]?.slice(
    published[INDEX].indexOf('    if (mag >= map.pb)'),
    published[INDEX].indexOf('\n\n  var val ='),
  ) ?? '';
const EXTRACTED = `
function chooseUnit (mag) {
  var names = ['PB', 'TB', 'GB', 'MB', 'KB'];
  for (var i = 0; i < names.length; i++) {
    if (mag >= map[names[i].toLowerCase()]) return names[i];
  }
  return 'B';
}
`;
const PARSE_HEAD = '/**\n * Parse the string value into an integer in bytes.';

export const extractUnitChoice: Task = {
  request:
    'Refactor bytes: move the choice of the unit in format into a function chooseUnit(mag). Behaviour stays the same.',
  class: 'keeps-behaviour',
  parts: [{ title: 'chooseUnit chooses the unit for format', interface: 'function chooseUnit(mag) in index.js' }],
  right: {
    edits: [
      { path: INDEX, old: CHOICE, new: '    unit = chooseUnit(mag);\n  }' },
      { path: INDEX, old: PARSE_HEAD, new: `${EXTRACTED.trimStart()}\n${PARSE_HEAD}` },
    ],
  },
  wrong: {
    'comment only': { edits: [{ path: INDEX, old: PARSE_HEAD, new: `// chooseUnit\n\n${PARSE_HEAD}` }] },
    'changes behaviour': {
      edits: [
        { path: INDEX, old: CHOICE, new: '    unit = chooseUnit(mag);\n  }' },
        { path: INDEX, old: PARSE_HEAD, new: `${EXTRACTED.trimStart().replace("'PB', 'TB', ", '')}\n${PARSE_HEAD}` },
      ],
    },
  },
  scenarios: [
    { title: 'petabytes are still shown', command: requires('./index.js', "it.format(Math.pow(1024, 5)) === '1PB'") },
  ],
  oracle: nodeOracle(
    'oracle.test.js',
    `${nodeTest('bytes', './index.js', {
      'formats as before':
        "assert.deepEqual([1, 2048, 3 << 20, Math.pow(1024, 5)].map((n) => bytes.format(n)), ['1B', '2KB', '3MB', '1PB']);",
      'has the function and uses it':
        "assert.match(require('node:fs').readFileSync('index.js', 'utf8'), /chooseUnit\\(mag\\)[^]*function chooseUnit/);",
    })}`,
  ),
};
