import { addMonths, ms } from './ms.js';
import { type Check, manifest, nodeCheck, nodeOracle, nodeTest, type Part, type Target, type Task } from './target.js';

/* Requests for the package ms with a part that no source code shows: a script, a test, data. */
const INDEX = 'index.js';
const TEST = 'test/ms.test.js';
const MANIFEST = 'package.json';
const UNITS = 'spec/units.json';

const PARSE = '/**\n * Parse the given `str` and return milliseconds.';
const exportsUnits = (list: string) => ({
  path: INDEX,
  old: PARSE,
  new: `module.exports.units = [${list}];\n\n${PARSE}`,
});
const withUnits = exportsUnits("'s', 'm', 'h', 'd', 'w', 'y'");
const withoutWeeks = exportsUnits("'s', 'm', 'h', 'd', 'y'");

const unitsPart: Part = {
  title: 'ms.units is exported',
  interface: 'require("./index.js").units',
  check: nodeCheck(
    'check-units.test.js',
    nodeTest('ms', './index.js', { 'units are exported': "assert.ok((ms.units || []).includes('w'));" }),
  ),
};
const unitsTest = nodeTest('ms', './index.js', { units: "assert.ok(ms.units.includes('w'));" });
const shellCheck = (file: string, content: string): Check => ({ file, content, command: `bash ${file}` });

const SCRIPTS = '"test": "node --test"';
const script = (name: string, command: string) => ({
  path: MANIFEST,
  old: SCRIPTS,
  new: `${SCRIPTS},\n    "${name}": "${command}"`,
});

export const addUnitsScript: Task = {
  request: 'Export the units as ms.units, and add an npm script "units" that prints them.',
  class: 'behaviour',
  parts: [
    unitsPart,
    {
      title: 'the npm script units prints the units',
      interface: 'npm run units',
      check: shellCheck(
        'check-script.sh',
        'npm run --silent units | grep -q w || { echo "AssertionError: no units"; exit 1; }\n',
      ),
    },
  ],
  right: { edits: [withUnits, script('units', 'echo s m h d w y')] },
  wrong: {
    'no script': { edits: [withUnits] },
    'another list': { edits: [withoutWeeks, script('units', 'echo s m h d y')] },
  },
  scenarios: [],
  oracle: {
    files: { 'oracle.test.js': unitsTest },
    command: 'node --test oracle.test.js && npm run --silent units | grep -q w',
  },
};

const NEXT_TEST = "test('formats minutes'";
const tests = (body: string) => ({
  path: TEST,
  old: NEXT_TEST,
  new: `test('exports the units', () => {\n  ${body}\n});\n\n${NEXT_TEST}`,
});

export const addTestedUnits: Task = {
  request: 'Export the units as ms.units, and add a test for it to test/ms.test.js.',
  class: 'behaviour',
  parts: [
    unitsPart,
    {
      title: 'test/ms.test.js tests ms.units',
      interface: TEST,
      check: {
        file: 'check-test.js',
        content: `const assert = require('node:assert');\nconst text = require('node:fs').readFileSync('${TEST}', 'utf8');\nassert.match(text, /units/);\n`,
        command: 'node check-test.js',
      },
    },
  ],
  right: { edits: [withUnits, tests("assert.ok(ms.units.includes('w'));")] },
  wrong: { 'no test': { edits: [withUnits] }, 'a comment': { edits: [withUnits, tests('// ms.units')] } },
  scenarios: [],
  oracle: {
    files: { 'oracle.test.js': unitsTest },
    command: `node --test oracle.test.js && npm test && grep -q 'assert.*ms[.]units' ${TEST}`,
  },
};

export const msSpec: Target = {
  ...ms,
  name: 'ms-spec',
  files: { ...ms.files, [UNITS]: '{\n  "units": []\n}\n' },
};
const lists = (unit: string) => ({ path: UNITS, old: '"units": []', new: `"units": ["${unit}"]` });

export const listUnits: Task = {
  request: 'Export the units as ms.units, and list the unit "w" in spec/units.json.',
  class: 'behaviour',
  parts: [
    unitsPart,
    {
      title: 'spec/units.json lists w',
      interface: UNITS,
      check: nodeCheck(
        'check-spec.test.js',
        nodeTest('described', `./${UNITS}`, { 'w is listed': "assert.ok(described.units.includes('w'));" }),
      ),
    },
  ],
  right: { edits: [withUnits, lists('w')] },
  wrong: { 'another unit': { edits: [withUnits, lists('d')] } },
  scenarios: [],
  oracle: nodeOracle(
    'oracle.test.js',
    unitsTest +
      nodeTest('described', `./${UNITS}`, { listed: "assert.ok(described.units.includes('w'));" }).replace(
        /^[^]*?(?=const described)/,
        '',
      ),
  ),
};

export const msBuild: Target = {
  ...ms,
  name: 'ms-build',
  files: {
    ...ms.files,
    [MANIFEST]: manifest({
      ...{ name: 'ms', version: '2.1.3', main: INDEX },
      scripts: { build: 'node -e 0', test: 'node --test' },
    }),
  },
};
const BUILD = '    "build": "node -e 0",\n';
const buildIsGone = nodeTest('described', `./${MANIFEST}`, {
  'build is gone': 'assert.equal(described.scripts.build, undefined);',
  'tests are there': "assert.equal(described.scripts.test, 'node --test');",
});

export const removeBuild: Task = {
  request: 'Remove the script "build" from package.json: it does nothing any more.',
  class: 'behaviour',
  parts: [
    {
      title: 'the script build is gone',
      interface: 'scripts of package.json',
      check: nodeCheck('check-build.test.js', buildIsGone),
    },
  ],
  right: { edits: [{ path: MANIFEST, old: BUILD, new: '' }] },
  wrong: {
    'another name': { edits: [{ path: MANIFEST, old: '"test": "node --test"', new: '"tests": "node --test"' }] },
  },
  scenarios: [],
  oracle: nodeOracle('oracle.test.js', buildIsGone),
  contradicted: [{ test: 'npm run build', quote: 'Remove the script "build" from package.json' }],
};

/* A runner that says neither which files it runs nor how many tests. */
export const msOwnRunner: Target = {
  ...ms,
  name: 'ms-own-runner',
  files: {
    ...Object.fromEntries(Object.entries(ms.files).filter(([path]) => !path.startsWith('test/'))),
    [MANIFEST]: manifest({ name: 'ms', version: '2.1.3', main: INDEX, scripts: { test: 'node run-tests.js' } }),
    'run-tests.js':
      "'use strict';\nconst files = require('node:fs').readdirSync('test');\nfor (const file of files) require('./test/' + file);\nconsole.log('done');\n",
    'test/days.test.js': "'use strict';\nrequire('node:assert').equal(require('../index.js')('2 days'), 172800000);\n",
  },
};

const MONTHS_TEST =
  "'use strict';\nconst ms = require('../index.js');\nrequire('node:assert').equal(ms('2 months'), ms('1 year') / 6);\n";

export const addTestedMonths: Task = {
  ...addMonths,
  findings: [],
  wrong: {
    'a test that nothing runs': { edits: addMonths.right.edits ?? [], files: { 'tests/months.test.js': MONTHS_TEST } },
  },
  oracle: { ...addMonths.oracle, command: `${addMonths.oracle.command} && test ! -d tests` },
  right: {
    edits: addMonths.right.edits ?? [],
    files: {
      'test/months.test.js': MONTHS_TEST,
    },
  },
};

/* A repository that ignores every file with a dot, so that no commit shows a check. */
export const msDotless: Target = {
  ...ms,
  name: 'ms-dotless',
  files: { ...ms.files, '.gitignore': 'node_modules\n.*\n!.gitignore\n' },
};

export const addIgnoredMonths: Task = {
  ...addMonths,
  findings: [],
  parts: addMonths.parts.map((part) => ({
    ...part,
    check: nodeCheck(
      '.qralph-checks/months.test.js',
      nodeTest('ms', '../index.js', { months: "assert.equal(ms('3 months') * 4, ms('1 year'));" }),
    ),
  })),
};

/* A part in a file that nothing in the repository runs. */
const WORKFLOW = '.github/workflows/ci.yml';
const VERSIONS = 'node: [20, 22]';
export const msWorkflow: Target = {
  ...ms,
  name: 'ms-workflow',
  files: {
    ...ms.files,
    [WORKFLOW]: `on: push\njobs:\n  test:\n    runs-on: ubuntu-latest\n    strategy:\n      matrix:\n        ${VERSIONS}\n    steps:\n      - uses: actions/checkout@v4\n      - run: npm test\n`,
  },
};
const versions = (list: string) => ({ edits: [{ path: WORKFLOW, old: VERSIONS, new: `node: [${list}]` }] });

export const testOnNode24: Task = {
  request: 'Let the CI workflow also test on Node 24.',
  class: 'behaviour',
  parts: [
    {
      title: 'the matrix of the workflow has Node 24',
      interface: `${WORKFLOW}: jobs.test.strategy.matrix.node`,
      check: nodeCheck(
        '.qralph-checks/workflow.test.js',
        nodeTest('{ readFileSync }', 'node:fs', {
          'has Node 24': `const [, list = ''] = /^ +node: \\[(.*)\\]$/m.exec(readFileSync('${WORKFLOW}', 'utf8')) || [];\n  assert.deepEqual(list.split(',').map(Number), [20, 22, 24]);`,
        }),
      ),
    },
  ],
  right: versions('20, 22, 24'),
  wrong: { 'another version': versions('20, 22, 23'), 'without an old one': versions('22, 24') },
  scenarios: [],
  oracle: { files: {}, command: `grep -qx '        node: .20, 22, 24.' ${WORKFLOW}` },
};
