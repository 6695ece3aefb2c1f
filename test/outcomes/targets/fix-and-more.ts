import { type Change, mergeChanges } from './change.js';
import { fixHours } from './python.js';
import { fixStrict, slugifyRed } from './small-packages.js';
import { nodeCheck, nodeTest, type Part, type Step, type Target, type Task } from './target.js';

/** A bug fix, and something for which no command is a good check: a document, a test, or what stays as it is. */
const SLUG = 'slugify.js';
const README = 'README.md';
const TEST = 'test/slugify.test.js';
const [fixed] = fixStrict.parts;
if (!fixed) throw new Error('The fix has a part.');

const fix = fixStrict.right;
const edit = (path: string, old: string, text: string): Change => ({ edits: [{ path, old, new: text }] });
const oracleOfFix = fixStrict.oracle.files;
const scenarios = fixStrict.scenarios;

const stepOf = ({ title }: Part, parts: readonly number[], change: Change): Step => ({
  ...{ title, detail: 'Look at the option strict.', parts, change },
  check: 'The part holds.',
});

const COMMENT = '// strip special characters except replacement,';
const document = edit(README, COMMENT, '// strip special characters, keep words apart,');
const documented: Part = {
  title: 'The README says that strict keeps words apart',
  interface: 'the options in README.md',
};

export const fixAndDocument: Task = {
  request:
    'Fix the option strict of slugify, which glues words together: "foo_bar. baz" must become "foobar-baz". Document in the README that strict keeps words apart.',
  class: 'behaviour',
  parts: [fixed, documented],
  steps: [stepOf(fixed, [0], fix), stepOf(documented, [1], document)],
  right: mergeChanges(fix, document),
  wrong: { 'fix only': fix, 'document only': document },
  scenarios,
  oracle: {
    files: oracleOfFix,
    command: `node --test oracle.test.js && grep -q 'strip special.*words apart' ${README}`,
  },
};

/** The document as a demand that no part names. */
export const documentIsForgotten: Partial<Task> = {
  parts: [fixed],
  steps: [{ ...stepOf(fixed, [0], fix), title: 'Leave spaces in strict slugs' }],
  demands: [{ quote: 'Document in the README that strict keeps words apart', change: document }],
};

const RED_TEST = /\ntest\('strict keeps[^]*$/;
/** The same bug, and no test is about it. */
export const slugifyStrict: Target = {
  ...slugifyRed,
  name: 'slugify-strict',
  files: { ...slugifyRed.files, [TEST]: (slugifyRed.files[TEST] ?? '').replace(RED_TEST, '') },
};

const LAST = "  assert.equal(slugify('Some String', { lower: true }), 'some-string');\n});\n";
const testedBy = (assertion: string): Change =>
  edit(TEST, LAST, `${LAST}\ntest('strict leaves words alone', () => {\n  ${assertion}\n});\n`);
const regressionTest = testedBy("assert.equal(slugify('one. two', { strict: true }), 'one-two');");
const checked: Part = { title: fixed.title, interface: fixed.interface, ...(fixed.check && { check: fixed.check }) };
const tested: Part = { title: 'A regression test covers words and strict', interface: TEST };
const UNFIX = String.raw`sed -i 's/A-Za-z0-9\\s\]/A-Za-z0-9]/' ${SLUG}`;

export const fixAndTest: Task = {
  request:
    'Fix the option strict of slugify, which glues words together: "foo_bar. baz" must become "foobar-baz". Add a regression test.',
  class: 'behaviour',
  parts: [checked, tested],
  steps: [stepOf(checked, [0], fix), stepOf(tested, [1], regressionTest)],
  right: mergeChanges(fix, regressionTest),
  wrong: {
    'fix only': fix,
    'hollow test': mergeChanges(fix, testedBy("assert.ok(slugify('one. two', { strict: true }));")),
    'test only': regressionTest,
  },
  scenarios,
  oracle: {
    files: oracleOfFix,
    command: `node --test oracle.test.js && npm test && ${UNFIX} && ! node --test ${TEST}`,
  },
};

const CONDITION = 'if (options.strict) {';
const kept: Part = {
  title: 'Everything else stays as it is',
  interface: 'require("./slugify.js")(text, options)',
  check: nodeCheck(
    'check-rest.test.js',
    nodeTest('slugify', './slugify.js', {
      rest: "assert.equal(slugify('a_b. c', { strict: false }), 'a_b.-c'); assert.equal(slugify('a_b'), 'a_b');",
    }),
  ),
  holds: true,
};

export const fixAndKeep: Task = {
  request:
    'With {strict: true} slugify glues words together: "foo_bar. baz" must become "foobar-baz". Everything else stays as it is.',
  class: 'behaviour',
  parts: [fixed, kept],
  right: fix,
  wrong: {
    'whatever strict says': mergeChanges(fix, edit(SLUG, CONDITION, 'if (options.strict !== undefined) {')),
  },
  scenarios,
  oracle: {
    files: {
      ...oracleOfFix,
      'rest.test.js': nodeTest('slugify', './slugify.js', {
        'strict may be false': "assert.equal(slugify('x_y. z', { strict: false }), 'x_y.-z');",
      }),
    },
    command: 'node --test oracle.test.js rest.test.js',
  },
};

const UNITS_TEXT = 'Parses durations.';
const units = edit(README, UNITS_TEXT, 'Parses durations of seconds (1), minutes (60) and hours (3600 seconds).');

/** A fix of one number, and a document. The plan may fold both into one part, or forget one of them. */
export const fixHoursAndList: Task = {
  ...fixHours,
  request: `${fixHours.request} Then list the units with their seconds in README.md.`,
  findings: [],
  demands: [{ quote: 'list the units with their seconds in README.md', change: units }],
  right: mergeChanges(fixHours.right, units),
  steps: fixHours.parts.map((part) => stepOf(part, [0], fixHours.right)),
  wrong: { 'number only': fixHours.right },
  oracle: { ...fixHours.oracle, command: `${fixHours.oracle.command} && grep -q '3600 seconds' ${README}` },
};

/** The parts as a planner sees them that says what each is about. */
export const withKinds = ({ parts }: Task, ...kinds: readonly NonNullable<Part['kind']>[]): Partial<Task> => ({
  parts: parts.map((part, index) => ({ ...part, kind: kinds[index] ?? 'behaviour' })),
});
