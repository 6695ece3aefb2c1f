import {
  addIgnoredMonths,
  addTestedMonths,
  addTestedUnits,
  addUnitsScript,
  listUnits,
  msBuild,
  msDotless,
  msOwnRunner,
  msSpec,
  msWorkflow,
  removeBuild,
  testOnNode24,
} from './beside-sources.js';
import { addExabytes, bytes, bytesRed, extractUnitChoice, fixFractions } from './bytes.js';
import { escapeBacktick, escapeHtml, nameApostrophe } from './escape-html.js';
import { fixAndDocument, fixAndKeep, fixAndTest, fixHoursAndList, slugifyStrict } from './fix-and-more.js';
import { fixTestsAndAddMonths } from './failing-and-feature.js';
import { addHeading, addTotal, frontend, frontendNotSetUp } from './frontend.js';
import { addToggle, greeter } from './greeter.js';
import { manyPackages } from './many-packages.js';
import { addMonths, exportVersion, fixWeeks, ms, msLegacy, msRed, removeDeprecated, testNegatives } from './ms.js';
import {
  addCount,
  addSection,
  comparePrerelease,
  fixMedian,
  fixTypo,
  monorepo,
  packages,
  readmeOnly,
  rootTests,
  rootTestsRed,
  semver,
  semverFlaky,
  semverShifting,
} from './others.js';
import {
  built,
  fixClamp,
  fixPercent,
  fixTwoUnits,
  fixUnitAndList,
  list,
  percent,
  raiseSize,
  removeGet,
  units,
} from './one-token.js';
import { addDays, fixHours, python } from './python.js';
import { ranking, replaceDependency } from './replaced-dependency.js';
import { addTax, raiseTax, receipt, receiptRed } from './receipt.js';
import { addDiscount, changeGreeting, fixShopTypo, shop, showCoverage, tenPercentOff } from './shop.js';
import {
  addSimilarity,
  combineAdjacent,
  fixStrict,
  leven,
  lowerOthers,
  rangeUnrelatedRed,
  slugifyRed,
  titleizeUntested,
} from './small-packages.js';
import type { Target, Task } from './target.js';
import { banner, dropUnit, silentInTests, table, tax, taxFromEnvironment } from './test-settings.js';

/** A request for a repository. */
export interface Job {
  readonly target: Target;
  readonly task: Task;
}

const job = (target: Target, task: Task): Job => ({ target, task });

export const jobs = {
  fixFractions: job(bytesRed, fixFractions),
  addExabytes: job(bytes, addExabytes),
  extractUnitChoice: job(bytes, extractUnitChoice),
  fixWeeks: job(msRed, fixWeeks),
  fixAndDocument: job(slugifyRed, fixAndDocument),
  fixHoursAndList: job(python, fixHoursAndList),
  fixAndTest: job(slugifyStrict, fixAndTest),
  fixAndKeep: job(slugifyRed, fixAndKeep),
  fixTestsAndAddMonths: job(msRed, fixTestsAndAddMonths),
  addMonths: job(ms, addMonths),
  exportVersion: job(ms, exportVersion),
  removeDeprecated: job(msLegacy, removeDeprecated),
  testNegatives: job(ms, testNegatives),
  fixStrict: job(slugifyRed, fixStrict),
  addSimilarity: job(leven, addSimilarity),
  combineAdjacent: job(rangeUnrelatedRed, combineAdjacent),
  lowerOthers: job(titleizeUntested, lowerOthers),
  escapeBacktick: job(escapeHtml, escapeBacktick),
  nameApostrophe: job(escapeHtml, nameApostrophe),
  addDiscount: job(shop, addDiscount),
  tenPercentOff: job(shop, tenPercentOff),
  changeGreeting: job(shop, changeGreeting),
  showCoverage: job(shop, showCoverage),
  fixShopTypo: job(shop, fixShopTypo),
  fixTypo: job(readmeOnly, fixTypo),
  addSection: job(readmeOnly, addSection),
  comparePrerelease: job(semver, comparePrerelease),
  comparePrereleaseFlaky: job(semverFlaky, comparePrerelease),
  comparePrereleaseShifting: job(semverShifting, comparePrerelease),
  fixMedian: job(monorepo, fixMedian),
  addCount: job(monorepo, addCount),
  addCountToPackage: job(packages, addCount),
  addCountBelowRoot: job(rootTests, addCount),
  addCountBehindOthers: job(manyPackages, addCount),
  addCountBesideRed: job(rootTestsRed, addCount),
  addHeading: job(frontend, addHeading),
  addTotal: job(frontend, addTotal),
  addTotalNotSetUp: job(frontendNotSetUp, addTotal),
  fixHours: job(python, fixHours),
  addDays: job(python, addDays),
  addToggle: job(greeter, addToggle),
  addTax: job(receiptRed, addTax),
  raiseTax: job(receipt, raiseTax),
  replaceDependency: job(ranking, replaceDependency),
  addUnitsScript: job(ms, addUnitsScript),
  addTestedUnits: job(ms, addTestedUnits),
  listUnits: job(msSpec, listUnits),
  removeBuild: job(msBuild, removeBuild),
  addIgnoredMonths: job(msDotless, addIgnoredMonths),
  testOnNode24: job(msWorkflow, testOnNode24),
  addTestedMonths: job(msOwnRunner, addTestedMonths),
  dropUnit: job(table, dropUnit),
  silentInTests: job(banner, silentInTests),
  taxFromEnvironment: job(tax, taxFromEnvironment),
  fixTwoUnits: job(units, fixTwoUnits),
  fixUnitAndList: job(units, fixUnitAndList),
  fixPercent: job(percent, fixPercent),
  fixClamp: job(built, fixClamp),
  raiseSize: job(list, raiseSize),
  removeGet: job(list, removeGet),
} satisfies Record<string, Job>;

export type JobName = keyof typeof jobs;
