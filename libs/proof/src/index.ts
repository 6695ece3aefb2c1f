export { classifyRun, type Run, type RunKind } from './classify-red.js';
export { findCopiedValues } from './copied-values.js';
export { type DoctoredLine, findDoctoredCode } from './doctored-code.js';
export { type DiffFacts, explainsAbsence } from './explains-absence.js';
export { combineRuns, type CombinedRuns } from './flaky.js';
export { type FocusFacts, focusedCommand } from './focus/focused-command.js';
export { toBaseResult, toEndResult } from './judge/check-results.js';
export { isOpenDemand } from './judge/demands.js';
export { effectiveClass } from './judge/effective-class.js';
export { judgeProof } from './judge/judge.js';
export * from './judge/proof-facts.js';
export { isContradicted } from './judge/quotes.js';
export { type FailureOutput, splitByFailure } from './scope/output-of-failure.js';
export { isManifestOfTests } from './manifest-of-tests.js';
export { isAboutSettings, isPlainCheck } from './plain-check.js';
export { findReasonsToRead, type ReadingFacts } from './reasons-to-read.js';
export { failuresInScope, namesFailure, type ScopeFacts } from './scope/scope.js';
export { asksOnlyForFailures, isAboutFailures, speaksOfFailures } from './scope/speaks-of-failures.js';
export {
  asksForRegressionTest,
  isTextInCode,
  kindByTitle,
  type PartWords,
  saysThatSomethingStays,
  speaksOf,
  type SpecialKind,
} from './scope/words-of-part.js';
export { type AskedFacts, isSmallSubstitution, type SubstitutionFacts } from './small-substitution.js';
export { withTestSettings } from './test-settings.js';
export {
  failingTestFor,
  findMissingTitles,
  findUnrunTestFiles,
  isSilentRunner,
  type NewTestFile,
  type UnrunFacts,
} from './unrun-tests.js';
