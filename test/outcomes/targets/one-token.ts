import { manifest, nodeCheck, nodeOracle, nodeTest, type Target, type Task } from './target.js';

/* Small repositories with a bug of one token, or with tests whose names say nothing. */
const README = 'README.md';
const SOURCE = 'index.js';
const packageOf = (name: string, more: object = {}) =>
  manifest({ name, version: '1.0.0', main: SOURCE, scripts: { test: 'node --test' }, ...more });

const UNITS = 'const SECONDS = { minute: 60, hour: 360, day: 8640 };';
export const units: Target = {
  name: 'units',
  files: {
    'package.json': packageOf('units'),
    [README]: '# units\n\nSeconds of units of time.\n',
    [SOURCE]: `'use strict';\n\n${UNITS}\n\nexports.toSeconds = (count, unit) => count * SECONDS[unit];\n`,
    'test/units.test.js': nodeTest('{ toSeconds }', '../index.js', {
      'an hour has its seconds': "assert.equal(toSeconds(1, 'hour'), 3600);",
      'two minutes have theirs': "assert.equal(toSeconds(2, 'minute'), 120);",
    }),
  },
  testCommand: 'npm test',
};
const secondsOf = (hour: number, day: number) => ({
  path: SOURCE,
  old: UNITS,
  new: `const SECONDS = { minute: 60, hour: ${String(hour)}, day: ${String(day)} };`,
});
const LISTED = { path: README, old: 'Seconds of units of time.', new: 'Seconds: minute 60, hour 3600, day 8640.' };
const anHour = ['an hour has its seconds'];

export const fixTwoUnits: Task = {
  request: 'The seconds of an hour and those of a day are wrong in index.js. Please fix them.',
  class: 'behaviour',
  parts: [{ title: 'toSeconds knows hours and days', interface: 'toSeconds(count, unit)', failingTests: anHour }],
  right: { edits: [secondsOf(3600, 86400)] },
  wrong: { 'one of two': { edits: [secondsOf(3600, 8640)] } },
  scenarios: [],
  oracle: nodeOracle(
    'oracle.test.js',
    nodeTest('{ toSeconds }', './index.js', {
      both: "assert.equal(toSeconds(2, 'hour'), 7200); assert.equal(toSeconds(2, 'day'), 172800);",
    }),
  ),
};

export const fixUnitAndList: Task = {
  ...fixTwoUnits,
  request: 'toSeconds(1, "hour") returns 360, but an hour has 3600 seconds. Fix it. The README lists all units then.',
  parts: [{ title: 'an hour has 3600 seconds, as listed', interface: 'toSeconds(count, unit)', failingTests: anHour }],
  right: { edits: [secondsOf(3600, 8640), LISTED] },
  wrong: { 'number only': { edits: [secondsOf(3600, 8640)] } },
  oracle: {
    ...nodeOracle(
      'oracle.test.js',
      nodeTest('{ toSeconds }', './index.js', { hour: "assert.equal(toSeconds(2, 'hour'), 7200);" }),
    ),
    command: `node --test oracle.test.js && grep -q 'hour 3600' ${README}`,
  },
};

const RATIO = 'Math.round((part / whole) * 10)';
export const percent: Target = {
  name: 'percent',
  files: {
    'package.json': packageOf('percent'),
    [SOURCE]: `'use strict';\n\nexports.percent = (part, whole) => {\n  return ${RATIO};\n};\n`,
    'test/percent.test.js': nodeTest('{ percent }', '../index.js', {
      'a half is fifty percent': 'assert.equal(percent(1, 2), 50);',
    }),
  },
  testCommand: 'npm test',
};
const ratio = (text: string) => ({ edits: [{ path: SOURCE, old: RATIO, new: `Math.round((part / whole) ${text})` }] });

export const fixPercent: Task = {
  request: 'percent of a half is too small. Fix it.',
  class: 'behaviour',
  parts: [
    {
      title: 'percent of a half is 50',
      interface: 'percent(part, whole)',
      failingTests: ['a half is fifty percent'],
    },
  ],
  right: ratio('* 100'),
  wrong: { 'right for a half': ratio('+ 49.5'), 'the number of the test': ratio('* 50') },
  scenarios: [],
  oracle: nodeOracle(
    'oracle.test.js',
    nodeTest('{ percent }', './index.js', { quarters: 'assert.equal(percent(3, 4), 75);' }),
  ),
};

const CLAMP = 'Math.min(Math.max(value, high), high)';
const clampModule = `'use strict';\n\nexports.clamp = (value, low, high) => {\n  return ${CLAMP};\n};\n`;
export const built: Target = {
  name: 'built',
  files: {
    'package.json': packageOf('built', { main: 'dist/clamp.js' }),
    'build.js': "require('node:fs').copyFileSync('src/clamp.js', 'dist/clamp.js');\n",
    'src/clamp.js': clampModule,
    'dist/clamp.js': clampModule,
    'test/clamp.test.js': nodeTest('{ clamp }', '../dist/clamp.js', {
      'a number between its bounds stays': 'assert.equal(clamp(2, 1, 3), 2);',
    }),
  },
  testCommand: 'npm test',
};
const clampIn = (folder: string) => ({
  path: `${folder}/clamp.js`,
  old: CLAMP,
  new: 'Math.min(Math.max(value, low), high)',
});

export const fixClamp: Task = {
  request: 'clamp uses high instead of low. Fix it.',
  class: 'behaviour',
  parts: [
    {
      title: 'clamp compares with low first',
      interface: 'clamp(value, low, high)',
      failingTests: ['a number between its bounds stays'],
    },
  ],
  right: { edits: [clampIn('src'), clampIn('dist')] },
  wrong: { 'build output only': { edits: [clampIn('dist')] } },
  scenarios: [],
  oracle: {
    ...nodeOracle(
      'oracle.test.js',
      nodeTest('{ clamp }', './dist/clamp.js', { low: 'assert.equal(clamp(0, 1, 3), 1);' }),
    ),
    command: 'node build.js && node --test oracle.test.js',
  },
};

/* Every word of its tests is a common one. */
const LIST = 'test/list.test.js';
const GET_TEST = 'test/get.test.js';
const GET = '\nexports.get = (list, key) => list.find((item) => item.key === key);\n';
export const list: Target = {
  name: 'list',
  files: {
    'package.json': packageOf('list'),
    [SOURCE]: `'use strict';\n\nexports.size = 50;\n\nexports.first = (list) => list[0];\n${GET}`,
    [LIST]: nodeTest('list', '../index.js', {
      'is right by default': 'assert.equal(list.size, 50);',
      'has the first item': 'assert.equal(list.first([1, 2]), 1);',
    }),
    [GET_TEST]: nodeTest('list', '../index.js', {
      'works with one key': "assert.equal(list.get([{ key: 'a' }], 'a').key, 'a');",
    }),
  },
  testCommand: 'npm test',
};

const sized = (text: string) => ({ path: SOURCE, old: 'exports.size = 50;', new: `exports.size = ${text};` });
const sizedTest = { path: LIST, old: 'assert.equal(list.size, 50);', new: 'assert.equal(list.size, 72);' };
export const raiseSize: Task = {
  request: 'Change the default of size from 50 to 72.',
  class: 'behaviour',
  parts: [
    {
      title: 'the default of size is 72',
      interface: 'require("./index.js").size',
      check: nodeCheck(
        'check-size.test.js',
        nodeTest('list', './index.js', { 'the size is 72': 'assert.equal(list.size, 72);' }),
      ),
    },
  ],
  right: { edits: [sized('72'), sizedTest] },
  wrong: { 'another number': { edits: [sized('70')] } },
  scenarios: [],
  oracle: nodeOracle('oracle.test.js', nodeTest('list', './index.js', { size: 'assert.equal(list.size, 72);' })),
  contradicted: [{ test: 'is right by default', quote: 'from 50 to 72' }],
};

const GONE = 'assert.equal(list.get, undefined); assert.equal(list.first([1]), 1);';
export const removeGet: Task = {
  request: `Remove the function that looks up an item by key, together with its tests in ${GET_TEST}.`,
  class: 'behaviour',
  parts: [
    {
      title: 'no function looks up an item by key',
      interface: 'require("./index.js")',
      check: nodeCheck('check-gone.test.js', nodeTest('list', './index.js', { 'it is gone': GONE })),
    },
  ],
  right: { edits: [{ path: SOURCE, old: GET, new: '' }], removes: [GET_TEST] },
  wrong: { 'tests only': { removes: [GET_TEST] } },
  scenarios: [],
  oracle: { ...nodeOracle('oracle.test.js', nodeTest('list', './index.js', { gone: GONE })) },
  contradicted: [{ test: 'works with one key', quote: `together with its tests in ${GET_TEST}` }],
};
