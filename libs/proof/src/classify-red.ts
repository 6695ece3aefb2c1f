import { plainLines } from '#kernel';
import { findMissingNames } from './absence-signs.js';

/**
 * How a run of a check or of tests ended.
 * - `assertion`: it ran and said no.
 * - `absent`: something is missing that a change may add.
 * - `broken`: it says nothing about the request.
 */
export type RunKind =
  | { readonly kind: 'green' }
  | { readonly kind: 'assertion' }
  | { readonly kind: 'absent'; readonly missing: readonly string[] }
  | { readonly kind: 'broken'; readonly reason: string };

export interface Run {
  /** Null if a signal ended the command. */
  readonly exitCode: number | null;
  /** `itself`, or what ended the command: a time-out, a limit. */
  readonly endedBy: string;
  readonly output: string;
}

const MOST_READ = 256 * 1024;
const LONGEST_LINE = 1_000;
const LONGEST_REASON = 200;
const NOT_EXECUTABLE = 126;
const NOT_FOUND = 127;
/** 128 and the number of the signal: abort, kill, segmentation fault, and others that mean a crash. */
const SIGNAL_EXITS = new Set([129, 130, 131, 132, 134, 135, 136, 137, 139, 141, 143]);

/** Lines of an assertion that failed, as its library prints them. A line of source code is none. */
const ASSERTIONS: readonly RegExp[] = [
  /^(?:E {1,10}|[\s\d)]{0,12}|.{0,40}\bError: )(?:Uncaught )?(?:[\w.]{1,100}\.)?Assertion(?:Failed)?Error\b(?: \[ERR_ASSERTION\])?(?::|$| \{| \()/,
  /^\s{0,8}(?:[\w.]{1,100}\.)?ComparisonFailure:/,
  /^\s{0,80}(?:code: 'ERR_ASSERTION'|name: 'AssertionError')/,
  /^[^\s:]{1,300}:\d{1,7}: AssertionError$/,
  /^\s{0,12}expect\((?:received|jest\.fn\(\)|promise|function|element)\b/,
  /^\s{0,12}(?:Expected|Received)(?: [a-z]{1,20}){0,4}: /,
  /^E {1,12}assert\b|^FAILED .{1,400} - assert\b|^E {1,12}Failed: DID NOT /,
  /^FAIL: \S{1,200} \([\w.<>]{1,300}\)/,
  /^assertion (?:`|failed)|\bpanicked at .{1,300}assertion|^note: test did not panic as expected/,
];

/** A runner names a test that ran and failed. A file that the runner could not load is none. */
const FAILED_TESTS: readonly RegExp[] = [
  /^ {0,80}✖ (?!\S{1,300}\.[cm]?[jt]sx? \(|failing tests:).{1,400} \(\d[\d.]{0,20}ms\)/,
  /^ {0,80}not ok \d{1,9}(?: -)? (?!\S{1,300}\.[cm]?[jt]sx?$).{1,400}$/,
  /^ {0,4}FAIL {1,4}(?:\S{1,80} {1,3})?\S{1,300} > \S/,
  /^ {2}● (?!Test suite failed to run|Console|Validation)\S.{0,400}$/,
  /^ {2}\d{1,9} failing$/,
  /^FAILED \S{1,300}::/,
  /^ERROR: \S{1,200} \((?!unittest\.loader)[\w.<>]{1,300}\)/,
  /^ {0,80}--- FAIL: \S/,
  /^test .{1,400} \.\.\. FAILED$/,
  /<<< (?:FAILURE|ERROR)!/,
];

/** A Node module without an export is a SyntaxError too, but says what is missing. */
const SYNTAX =
  /\b(?:SyntaxError|IndentationError|TabError): (?!The requested module|Named export)|\bParse failure: |\bTransform failed with|: syntax error\b|\bSyntax error: |\berror TS1\d{3}:/;
const PACKAGE =
  /\bCannot find (?:package|module) ['"](?!\.|\/|file:|#|[A-Za-z]:\\)([^'"]{1,200})['"]|\bno required module provides package (\S{1,200})|\bcan't find crate for `(\w{1,100})`/;
const REFUSED =
  /\b(?:EACCES|EPERM|EROFS|ENOSPC|PermissionError)\b|: Permission denied\b|\bOperation not permitted\b|\bNo space left on device\b/;
const NO_FIXTURE = /^E {1,12}fixture '\w{1,100}' not found/;
const NO_TESTS =
  /^\s{0,8}(?:No test files found|No tests found, exiting with code 1|Error: No test files found)|^(?:=+ )?no tests ran in /;
const CRASH =
  /^Traceback \(most recent call last\):|^ {4,12}at .{1,400}:\d{1,7}:\d{1,7}\)?$|^Node\.js v\d|^panic: |\bpanicked at |^Exception in thread |^\s{0,8}at [\w.$]{1,300}\([\w.]{1,200}:\d{1,7}\)$|\bSegmentation fault\b|\[(?:build|setup) failed\]|^error: could not compile|\bCOMPILATION ERROR\b|● Test suite failed to run|\berror during collection/;
/** Frames of a stack in files of the repository: of Node, and of Python. */
const FRAME =
  /^\s{2,12}(?:at (?:.{1,300} \()?(?:file:\/\/)?([^\s()]{1,300}):\d{1,7}:\d{1,7}\)?|File "([^"]{1,300})", line \d)/;
const PLAIN_ERROR = /^(?:Uncaught )?(?:Error|Exception): /;
const ERROR_LINE = /^(?:E {1,10})?\s{0,8}(?:Uncaught )?[\w.]{0,100}(?:Error|Exception)\b.{0,20}:/;

/** Says how a run ended, and what it is worth as the red side of a proof. */
export function classifyRun({ exitCode, endedBy, output }: Run): RunKind {
  if (endedBy !== 'itself') return broken(`The service ended the command: ${endedBy}.`);
  if (exitCode === 0) return { kind: 'green' };
  if (exitCode === null || SIGNAL_EXITS.has(exitCode)) return broken('A signal ended the command.');
  if (exitCode === NOT_EXECUTABLE) return broken('The command could not be executed.');
  const lines = plainLines(output, MOST_READ).map((line) => line.trimEnd().slice(0, LONGEST_LINE));
  if (exitCode !== NOT_FOUND && hasAny(lines, ASSERTIONS)) return { kind: 'assertion' };
  return classifyWithoutAssertion(lines, exitCode);
}

function classifyWithoutAssertion(lines: readonly string[], exitCode: number): RunKind {
  const reason = findBreak(lines);
  if (reason !== null) return broken(reason);
  const missing = findMissingNames(lines);
  if (missing.length > 0) return { kind: 'absent', missing };
  if (exitCode === NOT_FOUND) return broken(`The command was not found: ${lines.find((line) => line !== '') ?? ''}`);
  if (hasAny(lines, FAILED_TESTS) && !lines.some((line) => line.startsWith('panic: '))) return { kind: 'assertion' };
  if (!hasAny(lines, [CRASH]) || isThrownByCheck(lines)) return { kind: 'assertion' };
  return broken(`The run crashed: ${lines.find((line) => ERROR_LINE.test(line))?.trim() ?? 'it printed a stack'}`);
}

/** A plain error whose whole stack lies in one file comes from the check: it says no in its own words. */
function isThrownByCheck(lines: readonly string[]): boolean {
  if (!hasAny(lines, [PLAIN_ERROR])) return false;
  const files = lines.flatMap((line) => {
    const [, node, python] = FRAME.exec(line) ?? [];
    const file = node ?? python;
    return file === undefined || file.startsWith('node:') ? [] : [file];
  });
  return new Set(files).size === 1;
}

/** Why a run says nothing about the code, whatever else it printed. */
function findBreak(lines: readonly string[]): string | null {
  for (const line of lines) {
    const names = PACKAGE.exec(line);
    if (names) return `A dependency is not installed: ${names.slice(1).find((name) => name !== undefined) ?? ''}`;
    if (SYNTAX.test(line)) return `A file has a syntax error: ${line.trim()}`;
    if (REFUSED.test(line)) return `The system refused access: ${line.trim()}`;
    if (NO_FIXTURE.test(line)) return `A fixture is missing: ${line.trim()}`;
    if (NO_TESTS.test(line)) return 'The runner found no tests.';
  }
  return null;
}

const hasAny = (lines: readonly string[], signs: readonly RegExp[]): boolean =>
  lines.some((line) => signs.some((sign) => sign.test(line)));

const broken = (reason: string): RunKind => ({ kind: 'broken', reason: reason.slice(0, LONGEST_REASON) });
