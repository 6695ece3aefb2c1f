// `npm test`: build if a source is newer, checks with the unit tests, then the tests on real servers and whole processes.
// The last line is `N passed, N failed`, over all runs; a failed check counts as one.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { runChecks } from './checks.mjs';
import { program, root, run, seconds } from './run.mjs';

const began = performance.now();
const folder = mkdtempSync(join(tmpdir(), 'qralph-test-report-'));
const total = { passed: 0, failed: 0 };
/** What failed, said again at the end: a long run's output is often kept by its tail only. */
const failures = [];
try {
  // Fresh from `npm ci` it is used as it is; types are checked below in any case.
  if ((await run(join(root, 'scripts', 'ensure-built.mjs'), [])) !== 0) fail('the build');
  else await runEverything();
} catch (error) {
  fail(error instanceof Error ? error.message : String(error));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
if (failures.length > 0) console.error(`\nWhat failed:\n\n${failures.join('\n\n')}`);
console.log(`\nall of it took ${seconds(began)}`);
console.log(`${String(total.passed)} passed, ${String(total.failed)} failed`);
process.exitCode = total.failed === 0 ? 0 : 1;

async function runEverything() {
  const { describeParts, partsLeftOut, refuseIfRequiredPartIsMissing } =
    await import('../dist/libs/testing/src/servers/system-parts.js');
  // What services that tests have killed leave for the next one to take away: here is none.
  const { sweepSocketFolders } = await import('../dist/libs/agents/src/proxy/socket-folder.js');
  const { sweepVersionHomes } = await import('../dist/libs/agents/src/cli/version-of.js');
  refuseIfRequiredPartIsMissing();
  const failed = await runChecks(reporters('unit'));
  const broken = failed.filter((name) => name !== 'unit tests');
  for (const name of broken) fail(`check: ${name}`);
  count('unit', !failed.includes('unit tests'));
  for (const project of ['integration', 'e2e', 'system', 'outcomes', 'alone']) {
    count(project, (await run(program('vitest'), ['run', '--project', project, ...reporters(project)])) === 0);
  }
  await sweepSocketFolders();
  await sweepVersionHomes();
  const missing = partsLeftOut();
  if (missing.length > 0) {
    console.log(`\nTests were left out, because this machine lacks:\n${describeParts(missing)}`);
    console.log(`With QRALPH_REQUIRE=${missing.map((part) => part.name).join(',')} that is a failure.`);
  }
}

function reportOf(project) {
  return join(folder, `${project}.json`);
}

function reporters(project) {
  return ['--reporter=default', '--reporter=json', `--outputFile.json=${reportOf(project)}`];
}

function fail(what) {
  failures.push(what);
  total.failed += 1;
}

/** A run can fail without a failed test: a file that does not load, an error nobody caught, no report at all. */
function count(project, isGood) {
  const { numPassedTests = 0, testResults = [] } = readReport(project);
  total.passed += numPassedTests;
  const failed = testResults.flatMap(failuresOfFile);
  for (const failure of failed) fail(`${project}: ${failure}`);
  if (!isGood && failed.length === 0) fail(`${project}: the run itself; its output above says why`);
}

function failuresOfFile({ name, status, message, assertionResults }) {
  const file = relative(root, name);
  const failed = assertionResults.filter((test) => test.status === 'failed');
  if (failed.length > 0) return failed.map((test) => `${file}: ${test.fullName}\n${test.failureMessages.join('\n')}`);
  return status === 'failed' ? [`${file}\n${message}`] : [];
}

function readReport(project) {
  try {
    return JSON.parse(readFileSync(reportOf(project), 'utf8'));
  } catch {
    return {};
  }
}
