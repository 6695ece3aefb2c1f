import { manifest, nodeCheck, nodeOracle, nodeTest, packageFiles, requires, type Target, type Task } from './target.js';

const INDEX = 'index.js';
const TEST = 'test/escape.test.js';
const README = 'Readme.md';

export const escapeHtml: Target = {
  name: 'escape-html',
  files: {
    ...packageFiles('escape-html', { LICENSE: 'LICENSE', [README]: 'Readme.md', [INDEX]: INDEX }),
    'package.json': manifest({ name: 'escape-html', version: '1.0.3', main: INDEX, scripts: { test: 'node --test' } }),
    [TEST]: nodeTest('escape', '../index.js', {
      'escapes tags': "assert.equal(escape('<b>'), '&lt;b&gt;');",
      'escapes the apostrophe as a number': "assert.equal(escape(\"it's\"), 'it&#39;s');",
      'leaves plain text alone': "assert.equal(escape('plain'), 'plain');",
    }),
  },
  testCommand: 'npm test',
};

const SIGNS = 'var matchHtmlRegExp = /["\'&<>]/;';
const CASE = '      default:\n        continue;';
const USAGE = "var html = escape('foo & bar');";
const backtick = [
  { path: INDEX, old: SIGNS, new: 'var matchHtmlRegExp = /["\'&<>`]/;' },
  { path: INDEX, old: CASE, new: `      case 96: // \`\n        escape = '&#96;';\n        break;\n${CASE}` },
];
const mentioned = { path: README, old: USAGE, new: `// escapes ", ', &, <, > and \`\n${USAGE}` };

export const escapeBacktick: Task = {
  request:
    'Escape the backtick as &#96; in escape-html, and list all escaped characters in the usage example of Readme.md.',
  class: 'behaviour',
  parts: [
    {
      title: 'the backtick is escaped',
      interface: 'require("./index.js")',
      check: nodeCheck(
        'check-backtick.test.js',
        nodeTest('escape', './index.js', { backtick: "assert.equal(escape('a`b'), 'a&#96;b');" }),
      ),
    },
    {
      title: 'Readme.md lists the escaped characters',
      interface: 'the usage example of Readme.md',
      check: {
        file: 'check-readme.test.js',
        content: nodeTest('{ readFileSync }', 'node:fs', {
          readme: "assert.match(readFileSync('Readme.md', 'utf8'), /escapes .*`/);",
        }),
        command: 'node --test check-readme.test.js',
      },
    },
  ],
  steps: [
    {
      title: 'Escape the backtick',
      detail: 'Add the backtick to the expression and to the switch.',
      parts: [0],
      check: 'escape("`") is &#96;',
      change: { edits: backtick },
    },
    {
      title: 'List the escaped characters in Readme.md',
      detail: 'Add a comment to the usage example.',
      parts: [1],
      check: 'Readme.md lists the backtick',
      change: { edits: [mentioned] },
    },
  ],
  right: { edits: [...backtick, mentioned] },
  wrong: {
    'code only': { edits: backtick },
    'document only': { edits: [mentioned] },
    'expression only': { edits: [backtick[0] ?? mentioned] },
  },
  scenarios: [
    {
      title: 'a backtick is escaped',
      command: requires('./index.js', "it('a' + String.fromCharCode(96)) === 'a&#96;'"),
    },
    { title: 'the other signs are escaped as before', command: requires('./index.js', "it('<') === '&lt;'") },
  ],
  oracle: nodeOracle(
    'oracle.test.js',
    nodeTest('escape', './index.js', {
      'escapes the backtick': "assert.equal(escape('`<`'), '&#96;&lt;&#96;');",
      'documents it': "assert.match(require('node:fs').readFileSync('Readme.md', 'utf8'), /escapes .*`/);",
    }),
  ),
};

const APOSTROPHE = "escape = '&#39;';";
const OLD_TEST = "assert.equal(escape(\"it's\"), 'it&#39;s');";
const named = (text: string) => ({ path: INDEX, old: APOSTROPHE, new: text });

/** An existing test spells out what the request changes. */
export const nameApostrophe: Task = {
  request: 'escape-html must write the apostrophe as &apos; instead of &#39;.',
  class: 'behaviour',
  parts: [
    {
      title: 'the apostrophe is written as &apos;',
      interface: 'require("./index.js")',
      check: nodeCheck(
        'check-apostrophe.test.js',
        nodeTest('escape', './index.js', { apostrophe: "assert.equal(escape('\\''), '&apos;');" }),
      ),
    },
  ],
  right: {
    edits: [
      named("escape = '&apos;';"),
      { path: TEST, old: OLD_TEST, new: "assert.equal(escape(\"it's\"), 'it&apos;s');" },
    ],
  },
  wrong: {
    'test only': { edits: [{ path: TEST, old: OLD_TEST, new: "assert.ok(escape('it'));" }] },
    misspelt: { edits: [named("escape = '&apos';"), { path: TEST, old: OLD_TEST, new: "assert.ok(escape('it'));" }] },
  },
  scenarios: [
    { title: 'the apostrophe has a name', command: requires('./index.js', "it(String.fromCharCode(39)) === '&apos;'") },
  ],
  oracle: nodeOracle(
    'oracle.test.js',
    nodeTest('escape', './index.js', { 'names the apostrophe': "assert.equal(escape('a\\'b\"'), 'a&apos;b&quot;');" }),
  ),
  contradicted: [
    { test: 'escapes the apostrophe as a number', quote: 'must write the apostrophe as &apos; instead of &#39;' },
  ],
};
