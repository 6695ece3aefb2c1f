import { type FailureReader, lineReader } from './reader.js';

const TAP = /^ {0,80}not ok \d{1,9}(?: -)? (.{1,400})$/;
/** A failure that is expected, or did not run, is none. */
const TAP_DIRECTIVE = / # (?:TODO|SKIP)\b/i;

export const tapReader = (): FailureReader =>
  lineReader((line) => (TAP_DIRECTIVE.test(line) ? undefined : TAP.exec(line)?.[1]));

const NODE_SECTION = '✖ failing tests:';
const NODE_PLACE = /^test at (.{1,300}):\d{1,9}:\d{1,9}$/;
const NODE_FAILED = /^ {0,80}✖ (.{1,400}?) \(\d[\d.]{0,20}ms\)(?: # .{0,300})?$/;

/** node:test tells of its failures twice; at the end each stands with its file, and that part outlives a cut. */
export function nodeSpecReader(): FailureReader {
  const during: string[] = [];
  const atEnd: string[] = [];
  let isEnd = false;
  let file = '';
  return {
    read: (line) => {
      if (line.trim() === NODE_SECTION) isEnd = true;
      file = NODE_PLACE.exec(line)?.[1] ?? file;
      const name = NODE_FAILED.exec(line)?.[1];
      if (name === undefined || / # TODO\b/i.test(line)) return;
      if (isEnd) atEnd.push(file === '' || file === name ? name : `${file}: ${name}`);
      else during.push(name);
    },
    names: () => (atEnd.length > 0 ? atEnd : during),
  };
}

/** With the name of a project before it where there are several; a file that could not be loaded has its name twice. */
const VITEST = /^ {0,4}FAIL {1,4}(\S{1,300} (?:> |\[ ).{1,400}|\|?[\w-]{1,60}\|? {1,3}\S{1,300} (?:> |\[ ).{1,400})$/;
const VITEST_LISTED = /^ {1,80}[×✗] (.{1,400}?)(?: \d{1,9}(?:\.\d{1,9})?m?s)?$/;

export function vitestReader(): FailureReader {
  const atEnd: string[] = [];
  const listed: string[] = [];
  return {
    read: (line) => {
      const failed = VITEST.exec(line)?.[1];
      if (failed !== undefined) atEnd.push(failed);
      const inList = VITEST_LISTED.exec(line)?.[1];
      if (inList !== undefined) listed.push(inList);
    },
    names: () => (atEnd.length > 0 ? atEnd : listed),
  };
}

const JEST_FILE = /^ {0,2}(FAIL|PASS) {1,2}(?:[\w-]{1,60} )?(\S{1,300}\.[cm]?[jt]sx?)(?: \(\d.{0,30}\))?$/;
const JEST_TEST = /^ {2}● (.{1,400})$/;

/** Bullets head other notes too: only those below a file that failed are tests, and `Console` is what it printed. */
export function jestReader(): FailureReader {
  const found: string[] = [];
  let file: string | null = null;
  return {
    read: (line) => {
      const [, verdict, name] = JEST_FILE.exec(line) ?? [];
      if (verdict !== undefined && name !== undefined) file = verdict === 'FAIL' ? name : null;
      const test = JEST_TEST.exec(line)?.[1];
      if (file !== null && test !== undefined && test !== 'Console') found.push(`${file}: ${test}`);
    },
    names: () => found,
  };
}

const MOCHA_SECTION = /^ {2}\d{1,9} failing$/;
const MOCHA_TITLE = /^ {2}\d{1,9}\) (.{1,400})$/;
const MOCHA_REST = /^ {4,80}(\S.{0,400})$/;

/** After `1 failing` each failure has its suites and its name on lines of their own, the last with a colon. */
export function mochaReader(): FailureReader {
  const found: string[] = [];
  let isSection = false;
  let parts: string[] | null = null;
  const end = (): void => {
    if (parts) found.push(parts.join(' > ').replace(/:$/, ''));
    parts = null;
  };
  return {
    read: (line) => {
      if (MOCHA_SECTION.test(line)) isSection = true;
      if (!isSection) return;
      const title = MOCHA_TITLE.exec(line)?.[1];
      const rest = MOCHA_REST.exec(line)?.[1];
      if (title !== undefined) {
        end();
        parts = [title];
      } else if (parts && rest !== undefined) parts.push(rest);
      if (parts && (line.endsWith(':') || line === '')) end();
    },
    names: () => {
      end();
      return found;
    },
  };
}
