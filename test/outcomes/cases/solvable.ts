import type { Mistake } from '../model/skill.js';
import { partsWithLinkedTests } from '../targets/failing-and-feature.js';
import { jobs } from '../targets/index.js';
import { unmarkedName } from '../targets/shop.js';
import { nodeCheck, nodeTest } from '../targets/target.js';
import { type OutcomeCase, solvable, wrong } from './case.js';
import { strictlyJudged } from './rulings.js';
import { acceptance } from './solvable-acceptance.js';
import { besideCode } from './solvable-beside-code.js';
import { partsOfOtherKinds } from './solvable-kinds.js';

const openai = { protocol: 'openai' } as const;
const errand = { mode: 'errand' } as const;
const classic = { mode: 'classic' } as const;

/** Only the judge of the whole result says so. */
const TAKEN_BACK = /The result was not proven with it, so its fix was taken back/;

/** Point 1: reviewers report the requested bug itself, or something that belongs after or beside the change. */
const reported: readonly OutcomeCase[] = [
  solvable({ name: 'bug-reported-as-p0', point: 1, job: jobs.fixFractions }),
  solvable({ name: 'bug-reported-as-p0-openai', point: 1, job: jobs.fixWeeks, ...openai }),
  // What it takes in classic mode without a mistake.
  solvable({ name: 'bug-reported-as-p0-classic', point: 1, job: jobs.fixWeeks, ...classic, maxCalls: 21 }),
  solvable({ name: 'python-bug-reported', point: 1, job: jobs.fixHours }),
  solvable({ name: 'p1-before-the-feature', point: 1, job: jobs.addDiscount }),
  solvable({
    name: 'aside-changes-a-test',
    point: 1,
    job: jobs.addDiscount,
    believes: { findings: [unmarkedName] },
    tells: { 'DEFERRED.md': TAKEN_BACK, 'SUMMARY.md': TAKEN_BACK },
  }),
  solvable({ name: 'p1-after-the-feature', point: 1, job: jobs.addMonths, ...openai }),
];

/** Point 2: tests are red because of the bug, and the first tiers get it wrong. */
const climbing: readonly OutcomeCase[] = [
  solvable({
    name: 'only-large-can',
    point: 2,
    job: jobs.fixFractions,
    does: { small: wrong(jobs.fixFractions, 'rounds up'), medium: wrong(jobs.fixFractions, 'rounds up') },
  }),
  solvable({
    name: 'medium-breaks-another-test',
    point: 2,
    job: jobs.fixFractions,
    does: { small: wrong(jobs.fixFractions, 'rounds up'), medium: wrong(jobs.fixFractions, 'loses the sign') },
    ...openai,
  }),
  solvable({
    name: 'weeks-stay-red-at-first',
    point: 2,
    job: jobs.fixWeeks,
    does: { small: wrong(jobs.fixWeeks, 'six days'), medium: wrong(jobs.fixWeeks, 'eight days') },
  }),
  solvable({
    name: 'errand-climbs',
    point: 2,
    job: jobs.fixStrict,
    does: { small: wrong(jobs.fixStrict, 'keeps dots'), medium: wrong(jobs.fixStrict, 'keeps all') },
    ...errand,
  }),
  solvable({
    name: 'errand-climbs-openai',
    point: 2,
    job: jobs.fixMedian,
    does: { small: wrong(jobs.fixMedian, 'unsorted'), medium: wrong(jobs.fixMedian, 'by length') },
    ...errand,
    ...openai,
  }),
  solvable({
    name: 'python-only-large-can',
    point: 2,
    job: jobs.fixHours,
    does: { small: wrong(jobs.fixHours, 'off by ten'), medium: wrong(jobs.fixHours, 'minutes again') },
    ...openai,
  }),
];

/** Point 3: requests that contradict tests, documents, and red or flaky tests that have nothing to do with them. */
const ordinary: readonly OutcomeCase[] = [
  solvable({ name: 'remove-with-its-test', point: 3, job: jobs.removeDeprecated }),
  solvable({ name: 'remove-with-its-test-errand', point: 3, job: jobs.removeDeprecated, ...errand, ...openai }),
  solvable({ name: 'change-a-tested-greeting', point: 3, job: jobs.changeGreeting }),
  solvable({ name: 'change-a-tested-greeting-openai', point: 3, job: jobs.changeGreeting, ...openai }),
  solvable({ name: 'change-a-tested-escape', point: 3, job: jobs.nameApostrophe, ...classic }),
  solvable({ name: 'change-expected-values', point: 3, job: jobs.raiseTax }),
  solvable({ name: 'test-with-expected-values', point: 3, job: jobs.addTax, ...errand }),
  solvable({ name: 'show-coverage', point: 3, job: jobs.showCoverage }),
  solvable({ name: 'typo-without-tests', point: 3, job: jobs.fixTypo }),
  solvable({ name: 'typo-without-tests-errand', point: 3, job: jobs.fixTypo, ...errand }),
  solvable({ name: 'typo-beside-tests', point: 3, job: jobs.fixShopTypo, ...openai }),
  solvable({ name: 'section-without-tests', point: 3, job: jobs.addSection, ...openai }),
  solvable({ name: 'unrelated-red-test', point: 3, job: jobs.combineAdjacent }),
  solvable({ name: 'unrelated-red-test-errand', point: 3, job: jobs.combineAdjacent, ...errand, ...openai }),
  solvable({ name: 'unrelated-red-test-of-a-package', point: 3, job: jobs.addCountBesideRed }),
  solvable({ name: 'unrelated-red-test-of-a-package-errand', point: 3, job: jobs.addCountBesideRed, ...errand }),
  solvable({ name: 'flaky-test', point: 3, job: jobs.comparePrereleaseFlaky }),
  solvable({ name: 'another-test-fails-each-time', point: 3, job: jobs.comparePrereleaseShifting, ...errand }),
];

/** Point 4: the check is wrong, not the work; or the work is wrong and only the largest tier can do it. */
const BROKEN_IMPORT =
  "node -e \"const it = require('./lib/bytes-index.js'); process.exit(it.parse('1eb') > 0 ? 0 : 1)\"";
const WRONG_CHECK: Mistake = {
  kind: 'wrong-check',
  times: 1,
  check: nodeCheck(
    'check-prerelease.test.js',
    nodeTest('compare', './index.js', { prerelease: "assert.equal(compare('2.0.1-rc', '2.0.0'), 2);" }),
  ),
};
const ANY_MONTH = nodeCheck(
  'check-months.test.js',
  nodeTest('ms', './index.js', { months: "assert.ok(ms('2 months') > ms('1 month'));" }),
);
const checked: readonly OutcomeCase[] = [
  solvable({
    name: 'scenario-with-a-bad-import',
    point: 4,
    job: jobs.addExabytes,
    mistakes: [{ kind: 'wrong-scenario', command: BROKEN_IMPORT, times: 1 }],
  }),
  solvable({
    name: 'check-asks-for-something-else',
    point: 4,
    job: jobs.comparePrerelease,
    mistakes: [WRONG_CHECK],
  }),
  solvable({
    name: 'check-asks-for-something-else-errand',
    point: 4,
    job: jobs.comparePrerelease,
    mistakes: [WRONG_CHECK],
    ...errand,
  }),
  solvable({
    name: 'inspector-misreads-the-document',
    point: 4,
    job: jobs.fixTypo,
    mistakes: [{ kind: 'misread' }],
  }),
  solvable({
    name: 'inspector-misreads-the-refactoring-errand',
    point: 4,
    job: jobs.extractUnitChoice,
    mistakes: [{ kind: 'misread' }],
    ...errand,
    ...openai,
  }),
  solvable({
    name: 'feature-only-large-can',
    point: 4,
    job: jobs.addMonths,
    does: { small: wrong(jobs.addMonths, 'four weeks'), medium: wrong(jobs.addMonths, 'thirty-one days') },
  }),
  solvable({
    name: 'scenario-only-large-can',
    point: 4,
    job: jobs.addMonths,
    // Neither the check nor the inspector notices the wrong month: only the scenario does.
    believes: { findings: [], parts: jobs.addMonths.task.parts.map((part) => ({ ...part, check: ANY_MONTH })) },
    mistakes: [{ kind: 'overlook' }],
    does: { small: wrong(jobs.addMonths, 'four weeks'), medium: wrong(jobs.addMonths, 'thirty-one days') },
  }),
  solvable({
    name: 'feature-only-large-can-errand',
    point: 4,
    job: jobs.addDiscount,
    does: { small: wrong(jobs.addDiscount, 'no discount'), medium: wrong(jobs.addDiscount, 'no range') },
    ...errand,
  }),
];

/** Point 5: turns run out, a reviewer hangs, an answer is no JSON. */
const stumbling: readonly OutcomeCase[] = [
  solvable({
    name: 'runs-out-of-turns',
    point: 5,
    job: jobs.addSimilarity,
    mistakes: [{ kind: 'endless', role: 'implementer', times: 1 }],
    start: { parameters: { turns: 8 } },
  }),
  solvable({
    name: 'medium-runs-out-of-turns',
    point: 5,
    job: jobs.lowerOthers,
    mistakes: [{ kind: 'endless', role: 'implementer', tiers: ['small', 'medium'] }],
    start: { parameters: { turns: 8 } },
    ...openai,
  }),
  solvable({
    name: 'errand-runs-out-of-turns',
    point: 5,
    job: jobs.comparePrerelease,
    mistakes: [{ kind: 'endless', role: 'implementer', times: 1 }],
    start: { parameters: { turns: 8 } },
    ...errand,
  }),
  solvable({
    name: 'reviewer-hangs-twice',
    point: 5,
    job: jobs.addCount,
    mistakes: [{ kind: 'hang', role: 'reviewer', head: 'security', times: 2 }],
    start: { parameters: { reviewSeconds: 4 }, agents: { pin: ['security-reviewer'], count: 3 } },
  }),
  solvable({
    name: 'reviewers-answer-badly',
    point: 5,
    job: jobs.addExabytes,
    mistakes: [{ kind: 'bad-json', role: 'reviewer', times: 2 }],
    ...openai,
  }),
  solvable({
    name: 'implementer-answers-badly',
    point: 5,
    job: jobs.lowerOthers,
    mistakes: [{ kind: 'bad-json', role: 'implementer', times: 2 }],
  }),
  solvable({
    name: 'planner-answers-badly',
    point: 5,
    job: jobs.addDays,
    mistakes: [
      { kind: 'bad-json', role: 'planner', times: 2 },
      { kind: 'bad-json', role: 'scenario-planner', times: 2 },
    ],
  }),
  solvable({
    name: 'looks-in-a-wrong-path',
    point: 5,
    job: jobs.fixStrict,
    mistakes: [{ kind: 'wrong-path', times: 1 }],
  }),
];

/** Point 6: every step of a plan is done. */
const planned: readonly OutcomeCase[] = [
  solvable({ name: 'classic-two-steps', point: 6, job: jobs.escapeBacktick, isStepwise: true, ...classic }),
  solvable({
    name: 'classic-two-steps-openai',
    point: 6,
    job: jobs.addExabytes,
    isStepwise: true,
    ...classic,
    ...openai,
  }),
  solvable({ name: 'coding-two-steps', point: 6, job: jobs.escapeBacktick, isStepwise: true, ...openai }),
];

/** Nothing goes wrong at all. */
const plain: readonly OutcomeCase[] = [
  solvable({ name: 'simple-feature', job: jobs.addToggle }),
  solvable({ name: 'simple-feature-errand', job: jobs.addToggle, ...errand }),
  solvable({ name: 'failing-tests-and-a-feature', job: jobs.fixTestsAndAddMonths }),
  solvable({
    name: 'links-a-failing-test-to-a-feature',
    job: jobs.fixTestsAndAddMonths,
    believes: { parts: partsWithLinkedTests },
    ...errand,
    ...openai,
  }),
  solvable({ name: 'simple-feature-errand-openai', job: jobs.addSimilarity, ...errand, ...openai }),
  // 1.5 times what it took without a planner, checks and a proof: 4 and 11 calls.
  solvable({ name: 'one-line-fix-errand', job: jobs.fixHours, ...errand, maxCalls: 6 }),
  solvable({ name: 'monorepo-fix', job: jobs.fixMedian, maxCalls: 16 }),
  solvable({ name: 'packages-without-root-tests', job: jobs.addCountToPackage }),
  solvable({ name: 'package-that-the-root-does-not-test', job: jobs.addCountBelowRoot }),
  solvable({ name: 'package-behind-twenty-others', job: jobs.addCountBehindOthers, ...errand }),
  solvable({ name: 'package-with-its-own-lock-file', job: jobs.addHeading }),
  solvable({ name: 'monorepo-feature-openai', job: jobs.addCount, ...openai }),
  solvable({ name: 'python-feature-openai', job: jobs.addDays, ...openai }),
  solvable({ name: 'untested-repository', job: jobs.lowerOthers }),
  solvable({ name: 'refactoring', job: jobs.extractUnitChoice }),
  solvable({ name: 'refactoring-classic', job: jobs.extractUnitChoice, ...classic, ...openai }),
  solvable({ name: 'tests-only', job: jobs.testNegatives }),
  solvable({ name: 'field-of-the-manifest', job: jobs.exportVersion }),
  solvable({ name: 'field-of-the-manifest-errand', job: jobs.exportVersion, ...errand, ...openai }),
  solvable({ name: 'replaced-dependency', job: jobs.replaceDependency }),
  solvable({ name: 'replaced-dependency-errand', job: jobs.replaceDependency, ...errand, ...openai }),
  solvable({ name: 'ten-percent-off', job: jobs.tenPercentOff, ...openai }),
];

export const solvableCases: readonly OutcomeCase[] = [
  ...reported,
  ...climbing,
  ...ordinary,
  ...checked,
  ...acceptance,
  ...stumbling,
  ...planned,
  ...plain,
  ...besideCode,
  ...partsOfOtherKinds,
  ...strictlyJudged,
];
