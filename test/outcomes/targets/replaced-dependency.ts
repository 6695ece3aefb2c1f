import { manifest, nodeCheck, nodeOracle, nodeTest, requires, type Target, type Task } from './target.js';

/* A package whose dependencies lie in its own repository, so that set-up needs no network. */
const INDEX = 'index.js';
const MANIFEST = 'package.json';
const LOCK = 'package-lock.json';

const inVendor = (name: string) => `file:vendor/${name}`;
const manifestWith = (dependency: string): string =>
  manifest({
    ...{ name: 'ranking', version: '1.0.0', main: INDEX, scripts: { test: 'node --test' } },
    dependencies: { [dependency]: inVendor(dependency) },
  });
const lockWith = (dependency: string): string => {
  const own = { name: 'ranking', version: '1.0.0' };
  const packages = {
    '': { ...own, license: 'MIT', dependencies: { [dependency]: inVendor(dependency) } },
    [`node_modules/${dependency}`]: { resolved: `vendor/${dependency}`, link: true },
    [`vendor/${dependency}`]: { version: '1.0.0' },
  };
  return `${JSON.stringify({ ...own, lockfileVersion: 3, requires: true, packages }, null, 2)}\n`;
};
const library = (name: string, code: string) => ({
  [`vendor/${name}/package.json`]: manifest({ name, version: '1.0.0', main: INDEX }),
  [`vendor/${name}/${INDEX}`]: `'use strict';\n\n${code}\n`,
});

export const ranking: Target = {
  name: 'ranking',
  files: {
    LICENSE: 'MIT License\n',
    '.gitignore': 'node_modules\n',
    [MANIFEST]: manifestWith('old-order'),
    [LOCK]: lockWith('old-order'),
    ...library('old-order', 'module.exports = (numbers) => [...numbers].sort((a, b) => b - a);'),
    ...library('new-order', 'exports.descending = (numbers) => numbers.toSorted((a, b) => b - a);'),
    [INDEX]: "'use strict';\nconst order = require('old-order');\n\nexports.best = (scores) => order(scores)[0];\n",
    'test/best.test.js': nodeTest('ranking', '../index.js', {
      'finds the best score': 'assert.equal(ranking.best([3, 10, 9]), 10);',
    }),
  },
  testCommand: 'npm test',
};

const USES = "const order = require('old-order');";
const uses = (text: string) => ({ path: INDEX, old: USES, new: text });

export const replaceDependency: Task = {
  request:
    'Replace the dependency old-order by new-order, which lies in vendor/new-order and exports descending. old-order must no longer be listed in package.json.',
  class: 'behaviour',
  parts: [
    {
      title: 'package.json lists new-order instead of old-order',
      interface: 'package.json',
      check: nodeCheck(
        'check-dependency.test.js',
        nodeTest('{ dependencies }', './package.json', {
          'lists new-order alone': "assert.deepEqual(Object.keys(dependencies), ['new-order']);",
        }),
      ),
    },
  ],
  right: {
    edits: [uses("const { descending: order } = require('new-order');")],
    files: { [MANIFEST]: manifestWith('new-order'), [LOCK]: lockWith('new-order') },
  },
  wrong: {
    'keeps the dependency': { edits: [uses("const { descending: order } = require('./vendor/new-order');")] },
  },
  scenarios: [
    {
      title: 'old-order is gone',
      command: requires('./package.json', "Object.keys(it.dependencies).join() === 'new-order'"),
    },
  ],
  oracle: nodeOracle(
    'oracle.test.js',
    nodeTest('{ dependencies }', './package.json', {
      'lists new-order alone': "assert.deepEqual(Object.keys(dependencies), ['new-order']);",
      'uses it': "assert.match(require('node:fs').readFileSync('index.js', 'utf8'), /require\\('new-order'\\)/);",
    }),
  ),
};
