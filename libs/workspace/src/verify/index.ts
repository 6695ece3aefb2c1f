export * from './detect-verify.js';
export { packageOf } from './find-packages.js';
export * from './run-verify.js';
export { parseTestCounts, type TestCounts, testsRun } from './test-counts.js';
export type { Counted } from './runners/reader.js';
