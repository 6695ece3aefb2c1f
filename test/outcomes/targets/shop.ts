import {
  imports,
  type KnownFinding,
  manifest,
  moduleTest,
  nodeCheck,
  nodeOracle,
  type Target,
  type Task,
} from './target.js';

const CART = 'cart.js';
const TEST = 'test/cart.test.js';
const README = 'README.md';

/** A shop of our own, small enough to read at a glance. */
export const shop: Target = {
  name: 'shop',
  files: {
    LICENSE:
      'MIT License\n\nPermission is hereby granted, free of charge, to any person obtaining a copy of this software.\n',
    [README]: '# Shop\n\nAdds up the prices of a cart. Prices are in cents.\n\nRun the tests wih `npm test`.\n',
    'package.json': manifest({ name: 'shop', version: '1.0.0', type: 'module', scripts: { test: 'node --test' } }),
    [CART]:
      '/** The price of one line of the cart, in cents. */\nexport function lineTotal({ price, quantity }) {\n  return price * quantity;\n}\n\n' +
      '/** The price of the whole cart, in cents. */\nexport function total(lines) {\n  return lines.reduce((sum, line) => sum + lineTotal(line), 0);\n}\n\n' +
      '/** What the customer reads first. */\nexport function greeting(name) {\n  return `Hello, ${name}!`;\n}\n',
    [TEST]: moduleTest('{ greeting, lineTotal, total }', '../cart.js', {
      'multiplies price and quantity': 'assert.equal(lineTotal({ price: 200, quantity: 3 }), 600);',
      'adds up the lines': 'assert.equal(total([{ price: 100, quantity: 1 }, { price: 50, quantity: 2 }]), 200);',
      'greets by name': "assert.equal(greeting('Ada'), 'Hello, Ada!');",
    }),
  },
  testCommand: 'npm test',
};

const GREETING_HEAD = '/** What the customer reads first. */\n';
const discounted = (expression: string) => ({
  edits: [
    {
      path: CART,
      old: GREETING_HEAD,
      new: `/** The price after a discount in percent, in whole cents. */\nexport function discount(cents, percent) {\n  ${expression}\n}\n\n${GREETING_HEAD}`,
    },
  ],
});
const RANGE = "if (!(percent >= 0 && percent <= 100)) throw new RangeError('percent must be from 0 to 100');\n  ";

export const addDiscount: Task = {
  request:
    'Add a percentage discount: export discount(cents, percent) from cart.js. It returns whole cents, rounded, and throws a RangeError if percent is not from 0 to 100.',
  class: 'behaviour',
  parts: [
    {
      title: 'discount takes a percentage off',
      interface: 'import { discount } from "./cart.js"',
      check: nodeCheck(
        'check-discount.test.js',
        moduleTest('{ discount }', './cart.js', { 'takes ten percent off': 'assert.equal(discount(1005, 10), 905);' }),
      ),
    },
    {
      title: 'discount refuses a percentage out of range',
      interface: 'import { discount } from "./cart.js"',
      check: nodeCheck(
        'check-range.test.js',
        moduleTest('{ discount }', './cart.js', {
          'refuses 101': 'assert.throws(() => discount(100, 101), RangeError);',
        }),
      ),
    },
  ],
  findings: [
    {
      priority: 'P1',
      title: 'no test for negative quantities',
      body: 'lineTotal accepts negative quantities, and no test covers them.',
      file: TEST,
      line: 5,
      relation: 'aside',
      fix: {
        files: {
          'test/negative.test.js': moduleTest('{ lineTotal }', '../cart.js', {
            'a negative quantity is a refund': 'assert.equal(lineTotal({ price: 100, quantity: -1 }), -100);',
          }),
        },
      },
    },
  ],
  right: discounted(`${RANGE}return Math.round(cents * (100 - percent) / 100);`),
  wrong: {
    'no range': discounted('return Math.round(cents * (100 - percent) / 100);'),
    'fractions of cents': discounted(`${RANGE}return cents * (100 - percent) / 100;`),
    'no discount': discounted(`${RANGE}return cents;`),
  },
  scenarios: [
    { title: 'ten percent is taken off', command: imports('{ discount }', './cart.js', 'discount(1005, 10) === 905') },
    {
      title: 'the total is as before',
      command: imports('{ total }', './cart.js', 'total([{ price: 100, quantity: 2 }]) === 200'),
    },
  ],
  oracle: nodeOracle(
    'oracle.test.js',
    moduleTest('{ discount, greeting, total }', './cart.js', {
      'takes a percentage off':
        'assert.equal(discount(999, 33), 669); assert.equal(discount(100, 0), 100); assert.equal(discount(100, 100), 0);',
      'refuses other percentages':
        'assert.throws(() => discount(1, -1), RangeError); assert.throws(() => discount(1, NaN), RangeError);',
      'adds up as before': 'assert.equal(total([{ price: 100, quantity: 2 }]), 200);',
      'greets as before': "assert.equal(greeting('Eve'), 'Hello, Eve!');",
    }),
  ),
};

const TOTAL = 'return lines.reduce((sum, line) => sum + lineTotal(line), 0);';
const TOTAL_TEST = 'assert.equal(total([{ price: 100, quantity: 1 }, { price: 50, quantity: 2 }]), 200);';
const off = (text: string) => ({ path: CART, old: TOTAL, new: text });
const TEN_OFF = 'return Math.round(lines.reduce((sum, line) => sum + lineTotal(line), 0) * 0.9);';

/** The request contradicts a test that spells out the full price. */
export const tenPercentOff: Task = {
  request: 'Give ten percent off every cart: total(lines) returns 90 % of the sum, rounded to whole cents.',
  class: 'behaviour',
  parts: [
    {
      title: 'total takes ten percent off',
      interface: 'import { total } from "./cart.js"',
      check: nodeCheck(
        'check-total.test.js',
        moduleTest('{ total }', './cart.js', {
          'ninety percent': 'assert.equal(total([{ price: 100, quantity: 1 }]), 90);',
        }),
      ),
    },
  ],
  right: { edits: [off(TEN_OFF), { path: TEST, old: TOTAL_TEST, new: TOTAL_TEST.replace('200', '180') }] },
  wrong: {
    'feature without its test': { edits: [off(TEN_OFF.replace('0.9', '0.8'))] },
    'undone with a comment': { edits: [off(`// Ten percent off is given at the checkout.\n  ${TOTAL}`)] },
  },
  scenarios: [
    {
      title: 'a cart costs ninety percent',
      command: imports('{ total }', './cart.js', 'total([{ price: 1000, quantity: 1 }]) === 900'),
    },
  ],
  oracle: nodeOracle(
    'oracle.test.js',
    moduleTest('{ lineTotal, total }', './cart.js', {
      'ten percent off': 'assert.equal(total([{ price: 105, quantity: 1 }]), 95); assert.equal(total([]), 0);',
      'lines are untouched': 'assert.equal(lineTotal({ price: 10, quantity: 2 }), 20);',
    }),
  ),
  contradicted: [{ test: 'adds up the lines', quote: 'total(lines) returns 90 % of the sum' }],
};

const HELLO = 'return `Hello, ${name}!`;';
const HELLO_TEST = "assert.equal(greeting('Ada'), 'Hello, Ada!');";
const greets = (text: string, test: string) => ({
  edits: [
    { path: CART, old: HELLO, new: text },
    { path: TEST, old: HELLO_TEST, new: test },
  ],
});

/** A finding beside any other request. Its fix passes all tests, because it changes one of them. */
export const unmarkedName: KnownFinding = {
  priority: 'P1',
  title: 'greeting does not mark where a name begins and ends',
  body: 'A name that is written from right to left disturbs the text around it.',
  file: CART,
  line: 13,
  relation: 'aside',
  fix: greets('return `Hello, <bdi>${name}</bdi>!`;', "assert.equal(greeting('Ada'), 'Hello, <bdi>Ada</bdi>!');"),
};

export const changeGreeting: Task = {
  request: 'Change the greeting of the shop from "Hello, NAME!" to "Welcome back, NAME!".',
  class: 'behaviour',
  parts: [
    {
      title: 'the greeting says Welcome back',
      interface: 'import { greeting } from "./cart.js"',
      check: nodeCheck(
        'check-greeting.test.js',
        moduleTest('{ greeting }', './cart.js', { greeting: "assert.equal(greeting('Bo'), 'Welcome back, Bo!');" }),
      ),
    },
  ],
  right: greets('return `Welcome back, ${name}!`;', "assert.equal(greeting('Ada'), 'Welcome back, Ada!');"),
  wrong: { 'no name': greets("return 'Welcome back!';", "assert.ok(greeting('Ada'));") },
  scenarios: [
    {
      title: 'a customer is welcomed back',
      command: imports('{ greeting }', './cart.js', "greeting('Bo') === 'Welcome back, Bo!'"),
    },
  ],
  oracle: nodeOracle(
    'oracle.test.js',
    moduleTest('{ greeting }', './cart.js', {
      'welcomes back': "assert.equal(greeting('Eve'), 'Welcome back, Eve!');",
    }),
  ),
  contradicted: [
    { test: 'greets by name', quote: 'Change the greeting of the shop from "Hello, NAME!" to "Welcome back, NAME!"' },
  ],
};

const SCRIPT = '"test": "node --test"';
export const showCoverage: Task = {
  request: 'Show the test coverage when somebody runs npm test.',
  class: 'behaviour',
  parts: [
    {
      title: 'npm test prints a coverage report',
      interface: 'npm test',
      check: {
        file: 'check-coverage.sh',
        content: 'npm test 2>&1 | grep -qi "coverage report"\n',
        command: 'sh check-coverage.sh',
      },
    },
  ],
  right: { edits: [{ path: 'package.json', old: SCRIPT, new: '"test": "node --test --experimental-test-coverage"' }] },
  wrong: {
    'prints the word only': {
      edits: [{ path: 'package.json', old: SCRIPT, new: '"test": "node --test && echo coverage"' }],
    },
  },
  scenarios: [{ title: 'coverage is shown', command: 'npm test 2>&1 | grep -i "coverage report"' }],
  oracle: {
    files: {},
    command: 'npm test > out.txt 2>&1 && grep -i "coverage report" out.txt && grep -q "cart.js" out.txt',
  },
};

const TYPO = 'Run the tests wih `npm test`.';
export const fixShopTypo: Task = {
  request: 'Fix the typo "wih" in README.md.',
  class: 'document',
  parts: [{ title: 'README.md says "with"', interface: 'README.md' }],
  right: { edits: [{ path: README, old: TYPO, new: 'Run the tests with `npm test`.' }] },
  wrong: { 'another letter': { edits: [{ path: README, old: TYPO, new: 'Run the test wih `npm test`.' }] } },
  scenarios: [{ title: 'the typo is gone', command: '! grep -w wih README.md' }],
  oracle: { files: {}, command: '! grep -qw wih README.md && grep -q "with .npm test" README.md' },
};
