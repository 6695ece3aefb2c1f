import { manifest, nodeCheck, nodeOracle, nodeTest, packageFiles, requires, type Target, type Task } from './target.js';

/* A repository that is one document. */
export const readmeOnly: Target = {
  name: 'readme-only',
  files: {
    'README.md': '# Notes\n\nHow we recieve parcels:\n\n1. Sign for the parcel.\n2. Open it.\n',
    LICENSE: 'MIT License\n',
  },
  testCommand: 'true',
};

export const fixTypo: Task = {
  request: 'Fix the spelling mistake "recieve" in README.md.',
  class: 'document',
  parts: [{ title: 'README.md spells "receive"', interface: 'README.md' }],
  right: { edits: [{ path: 'README.md', old: 'recieve', new: 'receive' }] },
  wrong: {
    'another word': { edits: [{ path: 'README.md', old: 'parcels', new: 'parcel' }] },
    'misspelt again': { edits: [{ path: 'README.md', old: 'recieve', new: 'receeve' }] },
  },
  scenarios: [{ title: 'the mistake is gone', command: '! grep -i recieve README.md' }],
  oracle: { files: {}, command: 'grep -q "we receive parcels" README.md' },
};

export const addSection: Task = {
  request: 'Add a section "Returns" to README.md that says that parcels can be returned within 14 days.',
  class: 'document',
  parts: [{ title: 'README.md has a section Returns with the 14 days', interface: 'README.md' }],
  right: {
    edits: [
      {
        path: 'README.md',
        old: '2. Open it.\n',
        new: '2. Open it.\n\n## Returns\n\nParcels can be returned within 14 days.\n',
      },
    ],
  },
  wrong: {
    'heading only': { edits: [{ path: 'README.md', old: '2. Open it.\n', new: '2. Open it.\n\n## Returns\n' }] },
  },
  scenarios: [{ title: 'the section is there', command: 'grep -A3 "## Returns" README.md | grep "14 days"' }],
  oracle: { files: {}, command: 'grep -A3 "^## Returns" README.md | grep -q "14 days"' },
};

/* semver-compare, with tests that pass; in one target another test is flaky. */
const INDEX = 'index.js';
const semverFiles = {
  ...packageFiles('semver-compare', { LICENSE: 'LICENSE', 'readme.markdown': 'readme.markdown', [INDEX]: INDEX }),
  'package.json': manifest({ name: 'semver-compare', version: '1.0.0', main: INDEX, scripts: { test: 'node --test' } }),
  'test/compare.test.js': nodeTest('compare', '../index.js', {
    'compares by number': "assert.equal(compare('1.10.0', '1.9.0'), 1);",
    'finds equal versions': "assert.equal(compare('1.0.0', '1.0.0'), 0);",
  }),
};
export const semver: Target = { name: 'semver-compare', files: semverFiles, testCommand: 'npm test' };

/**
 * The flaky test depends on the clock, since a sandbox keeps no state between two runs. It fails in one of four
 * milliseconds, so a second look at a failure nearly always passes.
 */
export const semverFlaky: Target = {
  name: 'semver-compare-flaky',
  files: {
    ...semverFiles,
    'test/clock.test.js':
      "'use strict';\nconst assert = require('node:assert');\nconst { test } = require('node:test');\n\n" +
      "test('finishes on an even tick', () => {\n  assert.notEqual(Date.now() % 4, 0);\n});\n",
  },
  testCommand: 'npm test',
};

/** Of many tests another one fails in each run, so a single look never tells which of them are broken. */
export const semverShifting: Target = {
  name: 'semver-compare-shifting',
  files: {
    ...semverFiles,
    'test/mirrors.test.js':
      "'use strict';\nconst assert = require('node:assert');\nconst { test } = require('node:test');\n\n" +
      "const letters = [...'bcdfghjklm'];\n" +
      'const mirrors = letters.flatMap((first) => letters.map((second) => first + second));\n' +
      'const slow = mirrors[Math.floor(Math.random() * mirrors.length)];\n' +
      'for (const mirror of mirrors) {\n' +
      "  test('answers in time from mirror ' + mirror, () => {\n    assert.notEqual(mirror, slow);\n  });\n}\n",
  },
  testCommand: 'npm test',
};

const SPLIT_A = "    var pa = a.split('.');\n    var pb = b.split('.');\n";
const prerelease = (text: string, end: string) => ({
  edits: [
    { path: INDEX, old: SPLIT_A, new: text },
    { path: INDEX, old: '    return 0;\n', new: end },
  ],
});
const CORE = "    var pa = a.split('-')[0].split('.');\n    var pb = b.split('-')[0].split('.');\n";

export const comparePrerelease: Task = {
  request:
    'semver-compare("1.0.1-beta", "1.0.0") returns -1. It must return 1: numbers decide first, and only then a prerelease comes before its release.',
  class: 'behaviour',
  parts: [
    {
      title: 'numbers decide before the prerelease',
      interface: 'require("./index.js")',
      check: nodeCheck(
        'check-prerelease.test.js',
        nodeTest('compare', './index.js', {
          prerelease: "assert.deepEqual([compare('2.0.1-rc', '2.0.0'), compare('2.0.0-rc', '2.0.0')], [1, -1]);",
        }),
      ),
    },
  ],
  right: prerelease(CORE, "    return b.includes('-') - a.includes('-');\n"),
  wrong: {
    'one way only': prerelease(CORE, "    return a.includes('-') ? -1 : 0;\n"),
    equal: prerelease(CORE, '    return 0;\n'),
  },
  scenarios: [{ title: 'a newer beta comes last', command: requires('./index.js', "it('1.0.1-beta', '1.0.0') === 1") }],
  oracle: nodeOracle(
    'oracle.test.js',
    nodeTest('compare', './index.js', {
      'orders prereleases':
        "assert.equal(compare('1.0.0-beta', '1.0.0'), -1); assert.equal(compare('1.0.0', '1.0.0-beta'), 1); assert.equal(compare('1.0.1-beta', '1.0.0'), 1);",
    }),
  ),
};

/* An npm workspace of two packages; the second imports the first. */
const CORE_FILE = 'packages/core/index.js';
const CLI_FILE = 'packages/cli/index.js';
const lock = {
  name: 'mono',
  lockfileVersion: 3,
  requires: true,
  packages: {
    '': { name: 'mono', workspaces: ['packages/*'] },
    'node_modules/@mono/cli': { resolved: 'packages/cli', link: true },
    'node_modules/@mono/core': { resolved: 'packages/core', link: true },
    'packages/cli': { name: '@mono/cli', version: '1.0.0', dependencies: { '@mono/core': '1.0.0' } },
    'packages/core': { name: '@mono/core', version: '1.0.0' },
  },
};
export const monorepo: Target = {
  name: 'monorepo',
  files: {
    LICENSE: 'MIT License\n',
    '.gitignore': 'node_modules\n',
    'package.json': manifest({ name: 'mono', workspaces: ['packages/*'], scripts: { test: 'npm test --workspaces' } }),
    'package-lock.json': `${JSON.stringify(lock, null, 2)}\n`,
    'packages/core/package.json': manifest({
      name: '@mono/core',
      version: '1.0.0',
      main: 'index.js',
      scripts: { test: 'node --test' },
    }),
    [CORE_FILE]:
      "'use strict';\n\n/** The middle one of sorted numbers. */\nexports.median = function (numbers) {\n  const sorted = [...numbers].sort();\n  return sorted[Math.floor(sorted.length / 2)];\n};\n",
    'packages/core/test/median.test.js': nodeTest('core', '../index.js', {
      'finds the middle': 'assert.equal(core.median([3, 1, 2]), 2);',
      'sorts by number': 'assert.equal(core.median([10, 9, 100]), 10);',
    }),
    'packages/cli/package.json': manifest({
      name: '@mono/cli',
      version: '1.0.0',
      main: 'index.js',
      dependencies: { '@mono/core': '1.0.0' },
      scripts: { test: 'node --test' },
    }),
    [CLI_FILE]:
      "'use strict';\nconst { median } = require('@mono/core');\n\nexports.run = (args) => `median: ${median(args.map(Number))}`;\n",
    'packages/cli/test/cli.test.js': nodeTest('cli', '../index.js', {
      'prints the median': "assert.equal(cli.run(['1', '2', '3']), 'median: 2');",
    }),
  },
  testCommand: 'npm test',
};

/* The same without tests of the root, beside a package that cannot be set up. */
export const packages: Target = {
  name: 'packages',
  files: {
    ...monorepo.files,
    'package.json': manifest({ name: 'mono', workspaces: ['packages/*'] }),
    'tools/report/package.json': manifest({ name: 'report', scripts: { test: 'node --test' } }),
    'tools/report/package-lock.json': '{}\n',
    'tools/report/report.test.js': "require('not-there');\n",
  },
  testCommand: 'cd packages/cli && npm test',
};

/* The tests of the root leave the packages out. */
export const rootTests: Target = {
  name: 'root-tests',
  files: {
    ...monorepo.files,
    'package.json': manifest({ name: 'mono', workspaces: ['packages/*'], scripts: { test: 'node --test test/' } }),
    'test/licence.test.js':
      "const test = require('node:test');\nconst assert = require('node:assert');\nconst { readFileSync } = require('node:fs');\n\ntest('has a licence', () => assert.match(readFileSync('LICENSE', 'utf8'), /MIT/));\n",
    [CLI_FILE]: `${monorepo.files[CLI_FILE] ?? ''}exports.usage = () => 'median NUMBER…';\n`,
    'packages/cli/test/usage.test.js': nodeTest('cli', '../index.js', {
      'says how it is used': "assert.equal(cli.usage(), 'median NUMBER…');",
    }),
  },
  testCommand: 'npm test',
};

/* The same, with a red test in one package that the request does not mean, though they share a name. */
export const rootTestsRed: Target = {
  ...rootTests,
  name: 'root-tests-red',
  files: {
    ...rootTests.files,
    'packages/cli/test/median.test.js': nodeTest('cli', '../index.js', {
      'explains its options': 'assert.match(cli.usage(), /--help/);',
    }),
  },
};

const SORT = '[...numbers].sort();';
const sorted = (text: string) => ({ edits: [{ path: CORE_FILE, old: SORT, new: text }] });
export const fixMedian: Task = {
  request: 'median in @mono/core sorts numbers as text, so median([10, 9, 100]) is wrong and its test fails. Fix it.',
  class: 'behaviour',
  parts: [
    {
      title: 'median sorts by number',
      interface: 'require("./packages/core").median',
      failingTests: ['sorts by number'],
      check: nodeCheck(
        'check-median.test.js',
        nodeTest('core', './packages/core/index.js', { median: 'assert.equal(core.median([5, 9, 100]), 9);' }),
      ),
    },
  ],
  right: sorted('[...numbers].sort((a, b) => a - b);'),
  wrong: {
    'by length': sorted('[...numbers].sort((a, b) => String(a).length - String(b).length);'),
    unsorted: sorted('[...numbers];'),
  },
  scenarios: [
    { title: 'the median of 10, 9, 100', command: requires('./packages/core', 'it.median([10, 9, 100]) === 10') },
  ],
  oracle: nodeOracle(
    'oracle.test.js',
    nodeTest('core', './packages/core/index.js', {
      'by number':
        'assert.equal(core.median([5, 9, 100]), 9); assert.equal(core.median([20, 30, 10]), 20); assert.equal(core.median([1, 200, 30]), 30);',
    }),
  ),
};

const RUN = 'exports.run = (args) => `median: ${median(args.map(Number))}`;';
export const addCount: Task = {
  request: 'Let run in @mono/cli also say how many numbers there were: run(["1", "2", "3"]) returns "median: 2 of 3".',
  class: 'behaviour',
  parts: [
    {
      title: 'run names the count',
      interface: 'require("./packages/cli").run',
      check: nodeCheck(
        'check-count.test.js',
        nodeTest('cli', './packages/cli/index.js', {
          count: "assert.equal(cli.run(['1', '5', '9', '9', '9']), 'median: 9 of 5');",
        }),
      ),
    },
  ],
  right: {
    edits: [
      {
        path: CLI_FILE,
        old: RUN,
        new: 'exports.run = (args) => `median: ${median(args.map(Number))} of ${args.length}`;',
      },
      { path: 'packages/cli/test/cli.test.js', old: "'median: 2')", new: "'median: 2 of 3')" },
    ],
  },
  wrong: {
    'constant count': {
      edits: [{ path: CLI_FILE, old: RUN, new: 'exports.run = (args) => `median: ${median(args.map(Number))} of 3`;' }],
    },
  },
  scenarios: [
    { title: 'the count is printed', command: requires('./packages/cli', "it.run(['1', '2']) === 'median: 2 of 2'") },
  ],
  oracle: {
    files: {
      'oracle.test.js': nodeTest('cli', './packages/cli/index.js', {
        count: "assert.equal(cli.run(['4', '5']), 'median: 5 of 2');",
      }),
    },
    command:
      'mkdir -p node_modules/@mono && ln -sfn ../../packages/core node_modules/@mono/core && node --test oracle.test.js',
  },
  contradicted: [{ test: 'prints the median', quote: 'run(["1", "2", "3"]) returns "median: 2 of 3"' }],
};
