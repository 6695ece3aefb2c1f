import { manifest, nodeCheck, nodeOracle, nodeTest, type Oracle, type Target, type Task } from './target.js';

/* A root with tests, beside a package with a lock file and a dependency of its own. The dependency needs no network. */
const LABEL = 'frontend/index.js';
const TOTAL = 'frontend/total.js';

const PAD = 'vendor/pad';
const own = { name: 'frontend', version: '1.0.0' };
const dependencies = { pad: `file:${PAD}` };
const lock = {
  ...own,
  lockfileVersion: 3,
  requires: true,
  packages: {
    '': { ...own, license: 'MIT', dependencies },
    'node_modules/pad': { resolved: PAD, link: true },
    [PAD]: { version: '1.0.0' },
  },
};

export const frontend: Target = {
  name: 'frontend',
  files: {
    LICENSE: 'MIT License\n',
    '.gitignore': 'node_modules\n',
    'package.json': manifest({ name: 'shop', version: '1.0.0', scripts: { test: 'node --test test/*.test.js' } }),
    'server.js': "'use strict';\n\nexports.prices = () => [5, 10];\n",
    'test/server.test.js': nodeTest('server', '../server.js', {
      'has prices': 'assert.deepEqual(server.prices(), [5, 10]);',
    }),
    'frontend/package.json': manifest({ ...own, main: 'index.js', scripts: { test: 'node --test' }, dependencies }),
    'frontend/package-lock.json': `${JSON.stringify(lock, null, 2)}\n`,
    [`frontend/${PAD}/package.json`]: manifest({ name: 'pad', version: '1.0.0', main: 'index.js' }),
    [`frontend/${PAD}/index.js`]: "'use strict';\n\nmodule.exports = (text, width) => String(text).padStart(width);\n",
    [LABEL]: "'use strict';\nconst pad = require('pad');\n\nexports.label = (price) => pad(price, 6);\n",
    'frontend/test/label.test.js': nodeTest('frontend', '../index.js', {
      'puts prices below each other': "assert.equal(frontend.label(5), '     5');",
    }),
  },
  testCommand: 'npm test && cd frontend && npm test',
};

/* The same, but its lock file is broken: the package cannot be set up. */
export const frontendNotSetUp: Target = {
  ...frontend,
  name: 'frontend-not-set-up',
  files: { ...frontend.files, 'frontend/package-lock.json': '{}\n' },
};

/** What set-up makes of the package. */
export const LINK_PAD = 'mkdir -p frontend/node_modules && ln -sfn ../vendor/pad frontend/node_modules/pad';
const oracle = (content: string): Oracle => {
  const { files, command } = nodeOracle('oracle.test.js', content);
  return { files, command: `${LINK_PAD} && ${command}` };
};
const labelIsKept = "assert.equal(require('./frontend/index.js').label(12), '    12');";

/* Only what the dependency is needed for tells whether this is done. */
const EXPORTS = 'exports.label = (price) => pad(price, 6);';
const heading = (width: string) => ({
  edits: [{ path: LABEL, old: EXPORTS, new: `${EXPORTS}\nexports.heading = (title) => pad(title, ${width});` }],
});
export const addHeading: Task = {
  request: 'Export heading from frontend/index.js. It puts a title above the labels: heading("EUR") is "   EUR".',
  class: 'behaviour',
  parts: [
    {
      title: 'heading is as wide as a label',
      interface: 'require("./frontend/index.js").heading',
      check: nodeCheck(
        'check-heading.test.js',
        nodeTest('frontend', './frontend/index.js', {
          heading: "assert.equal((frontend.heading || String)('USD'), '   USD');",
        }),
      ),
    },
  ],
  right: heading('6'),
  wrong: { 'too wide': heading('8') },
  scenarios: [],
  oracle: oracle(
    nodeTest('frontend', './frontend/index.js', {
      heading: `assert.equal(frontend.heading('A'), '     A'); ${labelIsKept}`,
    }),
  ),
};

/* A new file that needs no dependency, so that its check says nothing of the rest of the package. */
const total = (start: string) => ({
  files: {
    [TOTAL]: `'use strict';\n\nexports.total = (prices) => prices.reduce((sum, price) => sum + price, ${start});\n`,
  },
});
export const addTotal: Task = {
  request: 'Add frontend/total.js with the export total: total([5, 10]) is 15.',
  class: 'behaviour',
  parts: [
    {
      title: 'total adds prices up',
      interface: 'require("./frontend/total.js").total',
      check: nodeCheck(
        'check-total.test.js',
        nodeTest('{ existsSync }', 'node:fs', {
          total: `assert.ok(existsSync('${TOTAL}')); assert.equal(require('./${TOTAL}').total([1, 2, 3]), 6);`,
        }),
      ),
    },
  ],
  right: total('0'),
  wrong: { 'one too much': total('1') },
  scenarios: [],
  oracle: oracle(
    nodeTest('{ total }', './frontend/total.js', {
      total: `assert.equal(total([5, 10]), 15); assert.equal(total([]), 0); ${labelIsKept}`,
    }),
  ),
};
