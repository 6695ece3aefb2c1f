import { mergeChanges } from './change.js';
import { addMonths, fixWeeks } from './ms.js';
import { nodeOracle, nodeTest, requires, type Task } from './target.js';

const months = { edits: addMonths.right.edits ?? [] };
const failingTests = fixWeeks.parts.flatMap((part) => part.failingTests ?? []);
const check = addMonths.parts.flatMap((part) => part.check ?? [])[0];
if (!check) throw new Error('The months have a check.');

/** Failing tests in general, and a feature that no test is about. */
export const fixTestsAndAddMonths: Task = {
  request: 'Fix the failing tests, and accept months: "1 month" and "1mo" are a twelfth of a year.',
  class: 'behaviour',
  parts: [
    { title: 'the failing tests pass', interface: 'npm test', failingTests },
    { title: 'months are accepted', interface: 'a month is a twelfth of a year', check },
  ],
  right: mergeChanges(fixWeeks.right, months),
  wrong: { 'weeks only': fixWeeks.right, 'months only': months },
  scenarios: [{ title: 'one month is accepted', command: requires('./index.js', "it('1mo') * 12 === it('1y')") }],
  oracle: nodeOracle(
    'oracle.test.js',
    nodeTest('ms', './index.js', {
      months: "assert.equal(ms('6 months'), ms('1y') / 2); assert.equal(ms('1mo'), ms('1 month'));",
      weeks: "assert.equal(ms('3 weeks'), ms('21 days'));",
    }),
  ),
};

/** The parts as a planner sees them that takes the failing tests for checks of the feature too. */
export const partsWithLinkedTests: Task['parts'] = fixTestsAndAddMonths.parts.map((part) => ({
  ...part,
  failingTests,
}));
