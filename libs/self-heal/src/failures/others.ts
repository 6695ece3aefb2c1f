import { type FailureReader, lineReader } from './reader.js';

/** From the short summary, where what went wrong follows after a dash. */
const PYTEST = /^(?:FAILED|ERROR|SUBFAILED\S{0,200}) (\S{1,300}(?:::|\.py(?= |$)).{0,300})$/;

export const pytestReader = (): FailureReader => lineReader((line) => PYTEST.exec(line)?.[1]?.split(' - ')[0]);

const UNITTEST = /^(?:FAIL|ERROR): (\S{1,200} \([\w.<>]{1,300}\)(?: .{1,200})?)$/;

export const unittestReader = (): FailureReader => lineReader((line) => UNITTEST.exec(line)?.[1]);

const CARGO = /^test (.{1,400}) \.\.\. FAILED$/;

export const cargoReader = (): FailureReader => lineReader((line) => CARGO.exec(line)?.[1]);

/** `[ERROR] bad(x.BTest)  Time elapsed: …  <<< FAILURE!`; the line of a whole class begins with `Tests run`. */
const SUREFIRE =
  /^(?:\[ERROR\] {1,2})?([\w$.]{1,300}(?:[([][^\s]{1,300})?)(?: --)? {1,2}Time elapsed: .{1,40}<<< (?:FAILURE|ERROR)!/;

export const surefireReader = (): FailureReader => lineReader((line) => SUREFIRE.exec(line)?.[1]);

const GO_TEST = /^ {0,80}--- FAIL: (\S{1,400}) \(/;
const GO_PACKAGE = /^FAIL\t(\S{1,300})/;

/** A test is known by its package, which is named after it; a package that was not built fails as a whole. */
export function goReader(): FailureReader {
  const found: string[] = [];
  let tests: string[] = [];
  return {
    read: (line) => {
      const test = GO_TEST.exec(line)?.[1];
      if (test !== undefined) tests.push(test);
      const name = GO_PACKAGE.exec(line)?.[1];
      if (name === undefined) return;
      found.push(...(tests.length === 0 ? [name] : tests.map((one) => `${name}: ${one}`)));
      tests = [];
    },
    names: () => [...found, ...tests],
  };
}

/** What compilers and type checkers find: no test, but as good a name for what is broken where no test is named. */
const DIAGNOSTIC = /^([^\s:(]{1,300})(?:\(\d{1,9},\d{1,9}\)|:\d{1,9}:\d{1,9})(?::| -) error(?:\b| )(.{1,400})$/;

export const diagnosticReader = (): FailureReader =>
  lineReader((line) => {
    const [, file, what] = DIAGNOSTIC.exec(line) ?? [];
    return file === undefined || what === undefined ? undefined : `${file}: ${what}`;
  });
