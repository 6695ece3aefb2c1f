import { patchedPath, type PatchLine, readPatch } from '#kernel';
import { ALWAYS_EQUAL } from './always-equal.js';
import { codeOfLines } from './code-of-lines.js';
import { patternOfReplacement } from './renamed-libraries.js';

export interface DoctoredLine {
  readonly file: string;
  readonly line: string;
  /** One plain sentence. */
  readonly why: string;
  /** A request that names one of these may ask for such code. */
  readonly names?: readonly string[];
}

interface Rule {
  readonly files: RegExp;
  readonly pattern: RegExp;
  /** A line shortly before that the rule needs as well. */
  readonly after?: RegExp;
  readonly reach?: number;
  readonly why: string;
  /** Settings of tools may ask where they run. */
  readonly allowsTools?: true;
  readonly names?: readonly string[];
}

const SCRIPT = /\.[cm]?[jt]sx?$|\.(?:vue|svelte)$/;
const SCRIPT_BUT_SETUP =
  /^(?!(?:.*\/)?(?:(?:vitest|jest|test|tests)[.-]?setup|setup[.-]?(?:vitest|jest|tests?))\.).*\.(?:[cm]?[jt]sx?|vue|svelte)$/i;
const PYTHON = /\.py$/;
const GO = /\.go$/;
const RUST = /\.rs$/;
const TOOL_FILE =
  /(?:^|\/)(?:[\w.-]+\.config|[\w.-]*rc|gulpfile|gruntfile|noxfile)\.\w+$|(?:^|\/)(?:scripts?|tools|\.github|ci)\//i;

const PATCHES_ASSERTIONS = 'This code replaces a function of an assertion library.';
const PATCHES_RUNNER = 'This code replaces a function of a test runner.';
const READS_RUNNER = 'This code asks whether a test runner runs it.';
const READS_ENVIRONMENT = 'This code behaves differently in tests.';
const HIDES_EXIT = 'This code hides a failing exit code.';
const CHANGES_DEPENDENCIES = 'This code changes installed dependencies.';
const BESIDE_CHECKS = 'Only the service writes to the folder of checks.';

/** Checks by other agents are placed here while they run. */
const CHECKS_FOLDER = /(?:^|\/)\.qralph-checks(?:\/|$)/;

const EXIT_HANDLER = String.raw`\bprocess\.(?:on|once|addListener)\(\s*['"](?:exit|beforeExit|uncaughtException|unhandledRejection)['"]`;
const EXIT_ZERO = String.raw`\bprocess\.(?:exitCode\s*=\s*0\b|(?:exit|reallyExit)\(\s*0?\s*\))`;
const TEST_WORD = '(?:it|test|describe|suite|expect|assert|beforeEach|afterEach|beforeAll|afterAll)';

/** An assignment here declares nothing. */
const STATEMENT = String.raw`(?:^|[;{}]|=>|\belse\b)\s*`;

/** The file that the process began with. */
const MAIN_FILE = String.raw`\b(?:argv\[\s*1\s*\]|require\.main\b|mainModule\b|module\.parent\b)`;
/** Not a call of `.test()`. */
const NAME_OF_TEST = String.raw`\b(?:tests?|specs?)\b(?!\()`;

const RULES: readonly Rule[] = [
  {
    files: /\.(?:[cm]?[jt]sx?|vue|svelte|py|go|rs|java|kt|rb|php|sh)$/,
    pattern: /\bqralph-checks\b/,
    why: 'This code asks whether a check runs it.',
  },
  {
    files: SCRIPT,
    pattern: /\bassert(?:\.\w{1,40}|\[\s*['"]\w{1,40}['"]\s*\]){1,3}\s*=(?![=>])/,
    why: PATCHES_ASSERTIONS,
  },
  {
    files: SCRIPT,
    pattern: /\brequire\(\s*['"](?:node:)?(?:assert|chai)[^'"]{0,40}['"]\s*\)(?:\.\w{1,40}){1,3}\s*=(?![=>])/,
    why: PATCHES_ASSERTIONS,
  },
  {
    files: SCRIPT,
    pattern: /\bObject\.(?:assign|definePropert(?:y|ies))\(\s*(?:assert|expect|chai)\b/,
    why: PATCHES_ASSERTIONS,
  },
  // A file that sets a runner up is no code of the program. An agent reads it.
  {
    files: SCRIPT_BUT_SETUP,
    pattern: /\bexpect\.extend\s*\(/,
    why: PATCHES_ASSERTIONS,
    names: ['expect.extend', 'matcher', 'matchers'],
  },
  {
    files: SCRIPT,
    pattern: new RegExp(
      String.raw`\b(?:globalThis|global|window|self)(?:\.${TEST_WORD}|\[\s*['"]${TEST_WORD}['"]\s*\])\s*=(?![=>])`,
    ),
    why: PATCHES_RUNNER,
  },
  {
    files: SCRIPT,
    pattern: new RegExp(
      `${STATEMENT}(?:expect|describe|(?:before|after)(?:Each|All))\\s*=(?![=>])(?!.{0,200}\\b(?:expect|describe)\\b)` +
        `|${STATEMENT}assert\\s*=(?![=>])(?!.{0,200}\\b(?:require|import|assert)\\b)` +
        `|${STATEMENT}(?:it|test|suite)\\s*=\\s*(?:async\\b|function\\b|\\w{0,40}\\s*=>|\\([^()]{0,200}\\)\\s*=>)`,
    ),
    why: PATCHES_RUNNER,
  },
  {
    files: SCRIPT,
    pattern: /\btry\s*\{\s*(?:void\s+)?(?:it|test|describe|expect|jest|vi|(?:before|after)(?:Each|All))\s*(?:;|\})/,
    why: READS_RUNNER,
  },
  {
    files: SCRIPT,
    pattern: /\b(?:jest|vi|mock)\.(?:mock|doMock|module)\(\s*['"](?:node:)?(?:assert|test|chai|vitest|mocha)\b/,
    why: PATCHES_RUNNER,
  },
  { files: SCRIPT, pattern: /\bNODE_TEST_CONTEXT\b/, why: READS_RUNNER, names: ['NODE_TEST_CONTEXT'] },
  {
    files: SCRIPT,
    pattern: /\b(?:JEST_WORKER_ID|VITEST_WORKER_ID|VITEST_POOL_ID|MOCHA_WORKER_ID)\b/,
    why: READS_RUNNER,
    names: ['JEST_WORKER_ID', 'VITEST_WORKER_ID', 'VITEST_POOL_ID', 'MOCHA_WORKER_ID', 'worker', 'workers'],
  },
  { files: SCRIPT, pattern: /\benv(?:\.|\[\s*['"])VITEST\b/, why: READS_RUNNER },
  { files: SCRIPT, pattern: /\bexecArgv\b.{0,80}--test\b|\bargv\b.{0,80}\b(?:vitest|jest|mocha)\b/, why: READS_RUNNER },
  {
    files: SCRIPT,
    pattern: new RegExp(`${MAIN_FILE}.{0,120}${NAME_OF_TEST}|${NAME_OF_TEST}.{0,120}${MAIN_FILE}`),
    why: READS_RUNNER,
  },
  {
    files: SCRIPT,
    pattern: /\bnpm_(?:lifecycle_(?:event|script)|command)\b/,
    why: READS_RUNNER,
    allowsTools: true,
  },
  {
    files: SCRIPT,
    pattern:
      /\btypeof (?:globalThis\.)?(?:it|describe|jest|vi|expect)\s*[!=]==?\s*['"](?:undefined|function|object)['"]/,
    why: READS_RUNNER,
  },
  {
    files: SCRIPT,
    pattern: /\bstack\b.{0,60}(?:includes|match|indexOf|test)\(.{0,40}(?:\btest\b|\bspec\b|vitest|jest|mocha)/,
    why: READS_RUNNER,
  },
  {
    files: SCRIPT,
    pattern:
      /\bNODE_ENV\b['"\]\s]{0,6}[!=]==?\s*['"`]test['"`]|['"`]test['"`]\s*[!=]==?\s*[\w.?]{0,60}\[?['"]?NODE_ENV\b/,
    why: READS_ENVIRONMENT,
    allowsTools: true,
    names: ['NODE_ENV', 'test', 'tests'],
  },
  {
    files: SCRIPT,
    pattern: /\bprocess\.env(?:\.CI\b|\[\s*['"]CI['"]\s*\])/,
    why: READS_ENVIRONMENT,
    allowsTools: true,
    names: ['CI'],
  },
  {
    files: SCRIPT,
    pattern:
      /\b(?:writeFile|appendFile|createWriteStream|truncate)(?:Sync)?\([^,]{0,200}\bnode_modules\b(?![/'",\s]{0,5}\.)/,
    why: CHANGES_DEPENDENCIES,
  },
  {
    files: /(?:^|\/)package\.json$|\.sh$/,
    pattern: /(?:\bsed\s+-i.{0,200}|\b(?:patch|tee)\s+(?:-\S{1,20}\s+)?\S{0,200}|>\s*\S{0,20})\bnode_modules\/(?!\.)/,
    why: CHANGES_DEPENDENCIES,
  },
  { files: SCRIPT, pattern: new RegExp(`${EXIT_HANDLER}.{0,300}${EXIT_ZERO}`), why: HIDES_EXIT },
  { files: SCRIPT, pattern: new RegExp(EXIT_ZERO), after: new RegExp(EXIT_HANDLER), reach: 10, why: HIDES_EXIT },
  { files: SCRIPT, pattern: /\bprocess\.(?:exit|reallyExit)\s*=(?![=>])/, why: HIDES_EXIT },
  { files: PYTHON, pattern: /\b(?:PYTEST_CURRENT_TEST|PYTEST_VERSION|PYTEST_XDIST_WORKER)\b/, why: READS_RUNNER },
  { files: PYTHON, pattern: /['"](?:_?pytest|unittest)['"]\s+(?:not )?in\s+sys\.modules/, why: READS_RUNNER },
  {
    files: PYTHON,
    pattern:
      /\b(?:unittest\.(?:TestCase\.)?|TestCase\.|pytest\.)\w{1,60}\s*=(?!=)|\bsetattr\(\s*(?:unittest|pytest|TestCase)\b/,
    why: PATCHES_ASSERTIONS,
  },
  {
    files: PYTHON,
    pattern: /\bsys\.modules\[\s*['"](?:_?pytest|unittest)[\w.]*['"]\s*\]\s*=(?!=)|^\s*(?:import|from)\s+_pytest\b/,
    why: PATCHES_RUNNER,
  },
  {
    files: PYTHON,
    pattern: /\batexit\.register\(.{0,100}_exit\(\s*0|\bsys\.exit\s*=(?!=)|\bos\._exit\s*=(?!=)/,
    why: HIDES_EXIT,
  },
  {
    files: GO,
    pattern: /\btesting\.Testing\(\)|\bflag\.Lookup\(\s*"test\.|\bos\.Args\[0\].{0,20}\.test"/,
    why: READS_RUNNER,
  },
  ...ALWAYS_EQUAL,
  { files: RUST, pattern: /\bcfg!\(\s*(?:not\(\s*)?test\b/, why: READS_RUNNER },
];

const LONGEST_LINE = 20_000;
const LONGEST_SHOWN = 300;
const MOST_FOUND = 50;

/**
 * Added lines outside of tests that make tests pass without the code being right: they patch assertion libraries or
 * runners, or ask whether a test runs them. A line that only moved was there before.
 */
export function findDoctoredCode(patch: string, isTest: (path: string) => boolean): readonly DoctoredLine[] {
  const written = readPatch(patch).filter(({ to }) => to !== null);
  const beside = written.map(patchedPath).filter((path) => CHECKS_FOLDER.test(path));
  const files = written.filter(({ to }) => to !== null && !isTest(to) && !CHECKS_FOLDER.test(to));
  const removed = new Set(
    files
      .flatMap(({ hunks }) => hunks.flat())
      .filter(({ kind }) => kind === '-')
      .map(trimmedText),
  );
  const found = files.flatMap((file) => {
    const path = patchedPath(file);
    const rules = [...RULES, ...rulesOfFile(file.hunks)].filter(
      (rule) => rule.files.test(path) && !(rule.allowsTools && TOOL_FILE.test(path)),
    );
    return rules.length === 0 ? [] : file.hunks.flatMap((hunk) => findInHunk(hunk, rules, removed, path));
  });
  return [...beside.map((file) => ({ file, line: '', why: BESIDE_CHECKS })), ...found].slice(0, MOST_FOUND);
}

/** A library may have another name in this file. */
function rulesOfFile(hunks: readonly (readonly PatchLine[])[]): readonly Rule[] {
  const lines = hunks.flat().filter(({ kind }) => kind !== '-');
  const pattern = patternOfReplacement(lines.map(({ text }) => text));
  return pattern === null ? [] : [{ files: /\.(?:[cm]?[jt]sx?|vue|svelte|py)$/, pattern, why: PATCHES_ASSERTIONS }];
}

function findInHunk(
  hunk: readonly PatchLine[],
  rules: readonly Rule[],
  removed: ReadonlySet<string>,
  file: string,
): readonly DoctoredLine[] {
  const result = hunk.filter(({ kind }) => kind !== '-');
  const code = codeOfLines(
    file,
    result.map(({ text }) => text.slice(0, LONGEST_LINE)),
  );
  return result.flatMap((line, at) => {
    if (line.kind !== '+' || removed.has(trimmedText(line))) return [];
    const rule = rules.find(({ pattern, after, reach = 0 }) => {
      if (!(code[at] ?? []).some((piece) => pattern.test(piece))) return false;
      return (
        after === undefined ||
        code.slice(Math.max(0, at - reach), at).some((pieces) => pieces.some((piece) => after.test(piece)))
      );
    });
    if (!rule) return [];
    const { why, names } = rule;
    return [{ file, line: line.text.trim().slice(0, LONGEST_SHOWN), why, ...(names && { names }) }];
  });
}

const trimmedText = ({ text }: PatchLine): string => text.trim();
