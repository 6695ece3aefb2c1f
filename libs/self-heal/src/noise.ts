import { plainLines } from '#kernel';

/** Lines about tests that passed or were skipped: their order and number differ while the error is the same. */
const ABOUT_PASSED: readonly RegExp[] = [
  /^\s{0,80}[✓✔√﹣↓▶] /,
  /^\s{0,80}ok \d{1,9}\b/,
  /^\s{0,2}PASS\b/,
  /^ok\s{1,8}\S/,
  /^\s{0,80}(?:=== (?:RUN|PAUSE|CONT|NAME)|--- (?:PASS|SKIP):)/,
  /^test .{1,400} \.\.\. (?:ok|ignored)/,
  /^\S{1,300} (?:PASSED|SKIPPED|XFAIL)\b/,
];
/** Lines that count tests, or say when and how long they ran. */
const COUNTS: readonly RegExp[] = [
  /^(?:ℹ|#) (?:tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) \d/,
  /^\s{0,8}\d{1,9}\.\.\d{1,9}$/,
  /^\s{0,12}(?:Test Files|Tests|Start at|Duration)  /,
  /^\s{0,8}RUN {1,4}v\d|^⎯/,
  /^\s{0,80}❯ .{1,400} \(\d{1,9}(?: tests?\b.{0,100})?\)(?: .{0,20})?$/,
  /^(?:Test Suites|Tests|Snapshots|Time): {1,20}\d/,
  /^ {2}\d{1,9} (?:passing|pending|failing)\b/,
  /^=* ?\d{1,9} (?:passed|failed|errors?|skipped|deselected|x?failed|warnings?)[ ,].{0,200} in \d/,
  /^Ran \d{1,9} tests? in /,
  /^test result: /,
  /^running \d{1,9} tests?$/,
  /^(?:\[[A-Z]{1,10}\] )?Tests run: /,
  /^\[INFO\]/,
];

/** Frames of a stack outside of the repository: through which of a runner's functions a test came depends on its order. */
const FRAMES: readonly RegExp[] = [
  /^\s{0,80}(?:at )?.{0,300}\bnode:[\w/]{1,100}:\d{1,9}:\d{1,9}\)?(?: \{)?$/,
  /^\s{0,80}(?:at|❯) .{0,400}\bnode_modules\//,
  /^\s{0,80}(?:at )?(?:new )?[\w.]{1,100} \(<anonymous>\)(?: \{)?$/,
];
/** What TAP writes about every test, passed or not. */
const TAP_FRAME = /^\s{0,80}(?:# Subtest: |TAP version|---$|\.\.\.$|duration_ms: |type: '(?:test|suite)'$)/;
/** Tests are numbered in the order in which they ran. */
const TEST_NUMBER = /^(\s{0,80}not ok|\s{1,80}(?=\d{1,9}\) )) ?\d{1,9}/;

const NOISE: readonly RegExp[] = [...ABOUT_PASSED, ...COUNTS, ...FRAMES, TAP_FRAME];

/** An output without what says nothing of the error; all of it where nothing else is there. */
export function withoutNoise(output: string): string {
  const lines = plainLines(output, 256 * 1024).map((line) => (line.length > 2_000 ? line.slice(0, 2_000) : line));
  const telling = lines
    .filter((line) => !NOISE.some((noise) => noise.test(line)))
    .map((line) => line.replace(TEST_NUMBER, '$1'));
  return (telling.some((line) => line.trim() !== '') ? telling : lines).join('\n');
}
