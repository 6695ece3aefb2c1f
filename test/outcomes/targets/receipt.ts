import { altered, manifest, nodeCheck, nodeOracle, nodeTest, requires, type Target, type Task } from './target.js';

const INDEX = 'receipt.js';
const TEST = 'test/receipt.test.js';
const EXPECTED = 'test/expected.json';

/** Its test compares with values that are in a file of their own. The tax is left out. */
export const receiptRed: Target = {
  name: 'receipt-red',
  files: {
    LICENSE: 'MIT License\n',
    'README.md': '# Receipt\n\nAdds up a receipt. Amounts are in cents.\n',
    'package.json': manifest({ name: 'receipt', version: '1.0.0', main: INDEX, scripts: { test: 'node --test' } }),
    [INDEX]:
      "'use strict';\n\nconst TAX = 0.1;\n\nmodule.exports = function receipt(prices) {\n" +
      '  const net = prices.reduce((sum, price) => sum + price, 0);\n  return { net, tax: 0, gross: net };\n};\n\n' +
      'module.exports.TAX = TAX;\n',
    [TEST]: nodeTest('receipt', '../receipt.js', {
      'adds up a receipt': "assert.deepEqual(receipt([100, 200]), require('./expected.json'));",
      'knows the tax': 'assert.equal(receipt.TAX, 0.1);',
    }),
    [EXPECTED]: `${JSON.stringify({ net: 300, tax: 30, gross: 330 }, null, 2)}\n`,
  },
  testCommand: 'npm test',
};

const RESULT = 'return { net, tax: 0, gross: net };';
const ADDED = 'const tax = Math.round(net * TAX);\n  return { net, tax, gross: net + tax };';
const taxed = (text: string) => ({ edits: [{ path: INDEX, old: RESULT, new: text }] });

export const addTax: Task = {
  request: 'receipt(prices) leaves out the tax of ten percent. Its result must have tax and gross with the tax in it.',
  class: 'behaviour',
  parts: [
    {
      title: 'the receipt has the tax in it',
      interface: 'require("./receipt.js")(prices)',
      failingTests: ['adds up a receipt'],
    },
  ],
  right: taxed(ADDED),
  wrong: {
    'gross only': taxed('return { net, tax: 0, gross: net + Math.round(net * TAX) };'),
    'expects no tax': {
      edits: [
        { path: EXPECTED, old: '"tax": 30', new: '"tax": 0' },
        { path: EXPECTED, old: '"gross": 330', new: '"gross": 300' },
      ],
    },
  },
  scenarios: [{ title: 'the tax is added', command: requires('./receipt.js', 'it([1000]).gross === 1100') }],
  oracle: nodeOracle(
    'oracle.test.js',
    nodeTest('receipt', './receipt.js', {
      'adds the tax': 'assert.deepEqual(receipt([50, 50]), { net: 100, tax: 10, gross: 110 });',
    }),
  ),
};

export const receipt: Target = {
  ...receiptRed,
  name: 'receipt',
  files: altered(receiptRed.files, INDEX, RESULT, ADDED),
};

const raised = (rate: string) => ({
  edits: [
    { path: INDEX, old: 'const TAX = 0.1;', new: `const TAX = ${rate};` },
    { path: TEST, old: 'assert.equal(receipt.TAX, 0.1);', new: `assert.equal(receipt.TAX, ${rate});` },
    { path: EXPECTED, old: '"tax": 30', new: `"tax": ${String(300 * Number(rate))}` },
    { path: EXPECTED, old: '"gross": 330', new: `"gross": ${String(300 + 300 * Number(rate))}` },
  ],
});
const RAISE = 'Raise the tax of receipt(prices) from ten to twenty percent';

/** The request contradicts the expected values of a test. */
export const raiseTax: Task = {
  request: `${RAISE}.`,
  class: 'behaviour',
  parts: [
    {
      title: 'the tax is twenty percent',
      interface: 'require("./receipt.js")(prices).tax',
      check: nodeCheck(
        'check-tax.test.js',
        nodeTest('receipt', './receipt.js', { 'twenty percent': 'assert.equal(receipt([100]).tax, 20);' }),
      ),
    },
  ],
  right: raised('0.2'),
  wrong: { 'half of it': raised('0.15') },
  scenarios: [{ title: 'the tax is higher', command: requires('./receipt.js', 'it([1000]).gross === 1200') }],
  oracle: nodeOracle(
    'oracle.test.js',
    nodeTest('receipt', './receipt.js', {
      'adds twenty percent': 'assert.deepEqual(receipt([50, 50]), { net: 100, tax: 20, gross: 120 });',
    }),
  ),
  contradicted: ['adds up a receipt', 'knows the tax'].map((test) => ({ test, quote: RAISE })),
};
