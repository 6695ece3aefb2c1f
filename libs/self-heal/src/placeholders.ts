/** A rule looks at one line, and no rule finds anything in what another has put there. */
type Rule = readonly [pattern: RegExp, put: string | ((...found: string[]) => string)];

/** Stands for the beginning of a path. No segment may hold it, or what is left of one path could begin another. */
const CUT = '…';
const SEGMENT = String.raw`[^\s/\\:;,<>|"'\u0060${CUT}]+`;
/** Not in the middle of a relative path or of a word. */
const BEFORE_PATH = String.raw`(?<![\p{L}\p{N}_.<>~/\\)\]${CUT}-])`;
const UNIX_PATH = new RegExp(String.raw`${BEFORE_PATH}(?:file:\/\/)?\/(?:${SEGMENT}\/+)+${SEGMENT}`, 'gu');
/** It does not end in the letter with which another one begins. */
const WINDOWS_PATH = new RegExp(
  String.raw`(?<![\p{L}\p{N}_<>\\/])(?:[A-Za-z]:[\\/]+|\\\\)(?:${SEGMENT}[\\/]+)+${SEGMENT}(?!:[\\/])`,
  'gu',
);
/** The folders in which programs make folders with names of chance. */
const TEMPORARY = new Set(['tmp', 'temp', 'T']);

const DAY = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)';
const MONTH = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)';
const DATE = new RegExp(
  String.raw`\b(?:${DAY},? )?(?:\d{1,2} ${MONTH}|${MONTH} \d{1,2})(?:,? \d{4})?(?: \d{1,2}:\d{2}:\d{2})?(?: [A-Z]{3,4} \d{4})?(?![\w:])`,
  'g',
);
const UNIT = '(?:ms|µs|μs|us|ns|s|secs?|seconds?|mins?|minutes?|hours?|milliseconds?)';

const RULES: readonly Rule[] = [
  // First, so that nothing in what is cut off has become a placeholder, at which a path ends.
  [WINDOWS_PATH, shortPath],
  [UNIX_PATH, shortPath],
  [/(?<![0-9a-z])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![0-9a-z])/gi, '<uuid>'],
  // Dates and times, as ISO has them, as clocks, as `date` prints them, and since 1970.
  [/(?<!\d)\d{4}[-/]\d{2}[-/]\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?(?!\w)/g, '<time>'],
  [DATE, '<time>'],
  [/(?<![\w:.])\d{1,2}:\d{2}:\d{2}(?:[.,]\d{1,9})?(?: [AP]M)?(?![\w:])/g, '<time>'],
  [/(?<![\w.])1[5-9]\d{8}(?:\d{3})?(?![\w.])/g, '<time>'],
  // Durations: `1m 3.5s`, `12 ms`, `(0.3s)`, `duration_ms: 2.6`.
  [/(?<![\w.])(?:\d{1,6}[hm] ?){1,2}\d{1,6}(?:\.\d{1,9})?s(?!\w)/g, '<time>'],
  [new RegExp(String.raw`(?<![\w.])\d{1,12}(?:\.\d{1,12})? ?${UNIT}(?![\w/])`, 'g'), '<time>'],
  [/\b(duration_ms:?) \d{1,12}(?:\.\d{1,12})?(?![\w.])/g, '$1 <time>'],
  [/^(Time: <time>), estimated <time>$/, '$1'],
  // Addresses, and names that a hash made.
  [/(?<![\w])0x[0-9a-f]{1,64}(?!\w)/gi, '<hex>'],
  [/(?<![0-9a-z])(?=[a-f]{0,64}\d)(?=\d{0,64}[a-f])[0-9a-f]{8,64}(?![0-9a-z])/gi, '<hex>'],
  [/(?<![\w])tmp[._-]?(?=[a-zA-Z_]{0,40}\d)\w{6,40}(?!\w)/g, '<tmp>'],
  // Numbers behind a word that says what they are.
  [/\b(lines?|ln|columns?|col|pid|ppid|tid|port|process|goroutine)( ?[:=#] ?| )\d{1,10}(?:-\d{1,10})?(?![\w.])/gi, '$1$2<n>'],
  [/\b(thread '[^']{0,100}') \(\d{1,10}\)/g, '$1 (<n>)'],
  [/\(node:\d{1,10}\)/g, '(node:<n>)'],
  [/(?<!\w)\d{1,12} characters left out/g, '<n> characters left out'],
  // Lines and columns of a place in a file; a line that begins with them, as linters and excerpts of code do.
  [/\(\d{1,7}(?:,\d{1,7})\)/g, '(<n>,<n>)'],
  [/^\d{1,7}:\d{1,7}(?!\w)/, '<n>:<n>'],
  [/^(> ?)?\d{1,7} ?\|/, '$1<n> |'],
  [/\S{1,300}/g, withoutNumbersOfPlace],
]; // prettier-ignore

export const withoutPlaces = (line: string): string =>
  RULES.reduce(
    (text, [pattern, put]) => (typeof put === 'string' ? text.replace(pattern, put) : text.replace(pattern, put)),
    line,
  );

/** The last two segments say which file it is; those before them say where the checkout lies. */
function shortPath(path: string): string {
  const segments = path.replace(/^file:\/\//, '').split(/[\\/]+/);
  const named = segments.map((segment, nth) => (TEMPORARY.has(segments[nth - 1] ?? '') ? '<tmp>' : segment));
  return [CUT, ...named.filter((segment) => segment !== '').slice(-2)].join('/');
}

/** `src/a.ts:12:5`, `node:async_hooks:227:9`, `localhost:3000`, `:::8080`, `db:5432`; not `status:404`, where the number is what went wrong. */
function withoutNumbersOfPlace(word: string): string {
  return word.replace(/:(\d{1,7})(?!\w)/g, (found, number: string, at: number) => {
    const before = word.slice(0, at);
    const isPair = /^:\d/.test(word.slice(at + found.length));
    const isPlace = isPair || /[./\\]|localhost|[:>\])]$|:\d{1,7}$/.test(before);
    const isPort = /[a-z][\w-]{0,60}$/i.test(before) && number.length >= 4 && number.length <= 5;
    return isPlace || isPort ? ':<n>' : found;
  });
}
