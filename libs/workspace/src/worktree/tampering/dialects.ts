import { BLOCK_COMMENTS, LONG_TEXTS, type Spans } from './spans.js';

/**
 * How a language writes tests, and how it switches them off. The lines are whatever an agent wrote, and are looked at
 * by the worker itself: every pattern must take time in proportion to the line. So no two quantifiers that could match
 * the same text stand side by side, and a chain that may begin at each of its own links has a greatest length.
 */
export interface Dialect {
  readonly files: RegExp;
  /** Which of those hold tests and nothing else, by their names. */
  readonly testFiles: RegExp;
  /** A line that begins a test by itself; its first group that matched is the name. */
  readonly header: RegExp;
  /** A line that says the next function is a test. */
  readonly mark: RegExp;
  /** The function that a mark speaks of. */
  readonly marked: RegExp;
  readonly skip: RegExp;
  /** A line that leaves out, under a condition, the test or tests that it stands beside. */
  readonly condition: RegExp;
  readonly assertion: RegExp;
  /** Assertions that hold whatever the code does. */
  readonly trivial: RegExp;
  readonly comment: RegExp;
  readonly spans: Spans;
}

/** A comment and nothing behind its end. */
const BLOCK_OR_LINE = /^\s*(?:\/\/|\/?\*(?!\/\s*\S|.*\*\/\s*\S))/;
const NEVER = /(?!)/;
const TEXT = /['"`]((?:[^'"`\\]|\\.)*)['"`]/.source;
const WORDS = '(?:it|test|describe|suite|context|specify)';
const eitherOf = (...patterns: readonly RegExp[]): RegExp => new RegExp(patterns.map(({ source }) => source).join('|'));
/** `.concurrent`, `.each`…: nobody chains more of them. */
const CHAIN = String.raw`(?:\.\w+){0,8}`;

const script: Dialect = {
  files: /\.[cm]?[jt]sx?$/,
  testFiles:
    /(?:[._-](?:test|spec|tests|specs|e2e|cy)\.[cm]?[jt]sx?$)|(?:^|\/)tests?(?:-[^/]*)?\.[cm]?[jt]sx?$|(?:^|\/)(?:__tests__|tests?|specs?|e2e)\//,
  header: new RegExp(
    String.raw`^\s*(?:(?:await|return|void)\s+)?[xf]?${WORDS}(?:\.\w+(?:\([^)]*\))?)*\s*\(\s*${TEXT}` +
      String.raw`|^\s*(?:\]\s*)?(?:\)\s*)?\)\(\s*${TEXT}\s*,`,
  ),
  mark: NEVER,
  marked: NEVER,
  skip: eitherOf(
    new RegExp(String.raw`\b${WORDS}${CHAIN}\.(?:skip|only|todo|fixme|skipIf|runIf|fails|failing)\b`),
    new RegExp(String.raw`\b${WORDS}${CHAIN}\[\s*['"](?:skip|only|todo)\b`),
    new RegExp(String.raw`\b${WORDS}${CHAIN}\.(?:each|for)\(\s*\[\s*\]`),
    new RegExp(String.raw`\b(?:x${WORDS}|f(?:it|describe|test))\s*\(`),
    /\b(?:this|t|ctx|context|task)\??\.(?:skip|todo)\(|\.(?:skip|todo)\(\s*(?:\)|['"`])|^\s*(?:pending|skip)\(/,
    /[{,]\s*(?:skip|todo|only)\s*:(?!\s*false\b)|^\s*(?:skip|todo|only)\s*:\s*(?:true\b|['"`])/,
    /^\s*if\s*\(\s*(?:false|0)\s*\)/,
  ),
  condition: NEVER,
  assertion: /\bexpect\s*\(|\bassert\b|\.should\b/,
  trivial: /\bexpect\s*\(\s*(?:true|1|!0)\s*\)|\bassert(?:\.ok)?\s*\(\s*(?:true|1)\s*[,)]/,
  comment: BLOCK_OR_LINE,
  spans: BLOCK_COMMENTS,
};

const python: Dialect = {
  files: /\.py$/,
  testFiles: /(?:^|\/)(?:test_[^/]*|[^/]*_test|tests?|conftest)\.py$|(?:^|\/)tests?\//,
  header: /^\s*(?:(?:async\s+)?def\s+(test\w*)\s*\(|class\s+(Test\w*)\s*[(:])/,
  mark: NEVER,
  marked: NEVER,
  skip: eitherOf(
    /\bmark\.(?:skip|skipif|xfail)\b|@(?:\w+\.)?(?:skip|skipif|skipIf|skipUnless|xfail|expectedFailure)\b/,
    /\bunittest\.(?:skip|skipIf|skipUnless|expectedFailure)\b|\bself\.skipTest\s*\(|\bSkipTest\b/,
    /\bpytest\.(?:skip|xfail|importorskip)\s*\(|^\s*(?:skip|xfail|importorskip)\s*\(|\bcollect_ignore/,
    /\b__test__\s*=\s*False\b|\bparametrize\([^[\]]{0,200},\s*\[\s*\]|^\s*if\s+(?:False|0)\s*:/,
  ),
  condition: NEVER,
  assertion: /^\s*assert\b|\bself\.assert\w+\s*\(|\bpytest\.raises\b/,
  trivial: /^\s*assert\s+(?:True|1)\s*(?:,|$)|\bself\.assertTrue\s*\(\s*True\s*\)/,
  comment: /^\s*#/,
  spans: LONG_TEXTS,
};

const go: Dialect = {
  files: /\.go$/,
  testFiles: /_test\.go$/,
  header: /^\s*(?:func\s+((?:Test|Benchmark|Fuzz|Example)\w*)\s*\(|\w+\.Run\(\s*["`]([^"`]*)["`])/,
  mark: NEVER,
  marked: NEVER,
  // A file with tags is left out of a build without them.
  skip: /\b[tbf]\.(?:Skip|Skipf|SkipNow)\s*\(|^\/\/\s*(?:go:build|\+build)\s/,
  condition: NEVER,
  assertion: /\bt\.(?:Error|Errorf|Fatal|Fatalf|Fail|FailNow)\s*\(|\b(?:assert|require)\.\w+\s*\(/,
  trivial: /\b(?:assert|require)\.True\s*\(\s*t\s*,\s*true\s*\)/,
  comment: /^\s*\/\/(?!\s*(?:go:build|\+build))/,
  spans: BLOCK_COMMENTS,
};

const rust: Dialect = {
  files: /\.rs$/,
  testFiles: /(?:^|\/)tests\//,
  header: NEVER,
  mark: /^\s*#\[(?:\w+::)*(?:test|rstest|test_case|bench)\b/,
  marked: /^\s*(?:pub(?:\([^)]*\))?\s+)?(?:async\s+)?(?:unsafe\s+)?fn\s+(\w+)/,
  skip: /^\s*#\[(?:ignore\b|cfg\(any\(\)\)|cfg_attr\([^\]]*ignore)/,
  condition: /^\s*#!?\[cfg\((?!test\)\])/,
  assertion: /\b(?:debug_)?assert(?:_\w+)?!\s*\(|\bpanic!\s*\(/,
  trivial: /\bassert!\s*\(\s*true\s*[,)]/,
  comment: /^\s*\/\//,
  spans: BLOCK_COMMENTS,
};

const java: Dialect = {
  files: /\.(?:java|kt|kts|groovy|scala)$/,
  testFiles: /(?:^|\/)src\/test\/|(?:Tests?|IT|Spec)\.(?:java|kt|groovy|scala)$/,
  header: NEVER,
  mark: /^\s*@(?:Test|ParameterizedTest|RepeatedTest|TestFactory|TestTemplate|Property)\b/,
  marked:
    /^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|protected|private|internal|static|final|default|suspend|open)\s+)*(?:fun\s+(?:`([^`]+)`|(\w+))|[\w<>[\],.?]+\s+(\w+))\s*\(/,
  skip: /@(?:\w+\.){0,8}(?:Disabled|Ignore|Enabled(?:If|On|For))\w*\b|\bassum(?:e|ing)\w*\s*\(|\benabled\s*=\s*false\b/,
  condition: NEVER,
  assertion: /\bassert\w*\s*\(|\bverify\s*\(|\bfail\s*\(/,
  trivial: /\bassertTrue\s*\(\s*true\s*[,)]/,
  comment: BLOCK_OR_LINE,
  spans: BLOCK_COMMENTS,
};

const DIALECTS: readonly Dialect[] = [script, python, go, rust, java];

export const dialectOf = (path: string): Dialect | null => DIALECTS.find(({ files }) => files.test(path)) ?? null;

/** Test files of languages without a dialect: only their names are known. */
const OTHER_TEST_FILES =
  /_(?:spec|test)\.rb$|(?:^|\/)(?:spec|test)\/.*\.rb$|Test\.php$|(?:^|\/)tests?\/.*\.php$|Tests?\.cs$|\.Tests?\/.*\.cs$/;

export const isTestFile = (path: string): boolean =>
  dialectOf(path)?.testFiles.test(path) ?? OTHER_TEST_FILES.test(path);

/** Files of nothing but the settings of a test runner. */
export const RUNNER_FILES =
  /(?:^|\/)(?:(?:vitest|jest|karma|playwright|cypress|wdio|ava)[\w.-]*\.(?:config|conf|workspace|setup)\.[\w.-]*|(?:cypress|jest[\w-]*)\.json|\.mocharc[\w.]*|\.taprc|\.?pytest\.(?:ini|toml))$|^(?:_?pytest|unittest)(?:\.py|\/__init__\.py)$|(?:^|\/)\.mvn\/(?:maven|jvm)\.config$/;
export interface RunnerLines {
  readonly file: RegExp;
  /** A line about which tests are run; what only names a runner's version is none. */
  readonly line: RegExp;
  /** Beside such a line, changed or not, every line is about them. */
  readonly beside?: RegExp;
  /** A new file of this kind speaks of no test that was run without it. */
  readonly isOfItsOwn?: true;
}

/** Files of many purposes. */
export const RUNNER_LINES: readonly RunnerLines[] = [
  {
    file: /(?:^|\/)package\.json$/,
    line: /"(?:pre|post)?test(?::[\w:-]*)?"\s*:|"(?:jest|vitest|mocha|ava)"\s*:\s*\{|:\s*"[^"]*\b(?:vitest|jest|mocha|ava|playwright|cypress|node --test)\b|"(?:testPathIgnorePatterns|testMatch|testRegex|testRunner|testEnvironment|modulePathIgnorePatterns|moduleNameMapper|setupFiles|setupFilesAfterEnv|globalSetup|passWithNoTests)"\s*:/,
    isOfItsOwn: true,
  },
  {
    file: /(?:^|\/)vite\.config\.[cm]?[jt]s$/,
    line: /\b(?:test|include|exclude|projects|root|dir|setupFiles|globalSetup)\b/,
    beside: /\b(?:test|include|exclude)\s*:/,
  },
  { file: /(?:^|\/)conftest\.py$/, line: /collect|deselect|\bpytest_(?!addoption\b)\w|\bskip|xfail/ },
  {
    file: /(?:^|\/)(?:pyproject\.toml|setup\.cfg|tox\.ini)$/,
    line: /\[(?:tool[.:])?pytest|testpaths|addopts|python_(?:files|classes|functions)|norecursedirs|--(?:ignore|deselect)|^\s*commands\s*=/,
  },
  // Another shell or other options for every script, or another program instead of the one that was called.
  { file: /(?:^|\/)\.npmrc$/, line: /^\s*(?:script-shell|node-options|shell|prefix)\s*=/ },
  { file: /(?:^|\/)\.yarnrc(?:\.yml)?$/, line: /^\s*"?(?:yarnPath|yarn-path|script-shell|plugins)\b|\bpath:/ },
  { file: /(?:^|\/)bunfig\.toml$/, line: /\[test\]|preload|shell/ },
  { file: /(?:^|\/)\.cargo\/config(?:\.toml)?$/, line: /runner|wrapper|rustflags|\[alias\]|^\s*test\b/ },
  { file: /(?:^|\/)noxfile\.py$/, line: /test/, isOfItsOwn: true },
  // A new one of these is taken by make instead of a Makefile that was there.
  { file: /(?:^|\/)(?:makefile|GNUmakefile)$/, line: /\btest\b/ },
  { file: /(?:^|\/)Makefile$/, line: /\btest\b/, isOfItsOwn: true },
  {
    file: /(?:^|\/)(?:pom\.xml|build\.gradle(?:\.kts)?)$/,
    line: /skipTests|testFailureIgnore|maven\.test|excludeTestsMatching|ignoreFailures|enabled\s*=\s*false/,
  },
  { file: /(?:^|\/)Cargo\.toml$/, line: /^\s*(?:test|autotests)\s*=|\[\[test\]\]/, isOfItsOwn: true },
];

/** Whether this file may say which tests run, and how. Files of many purposes count, such as package.json. */
export const isTestConfiguration = (path: string): boolean =>
  RUNNER_FILES.test(path) || RUNNER_LINES.some(({ file }) => file.test(path));

/** Whether a diff of this file can take tests away: it holds some, as any Rust source may, or says which are run. */
export const bearsOnTests = (path: string): boolean =>
  isTestFile(path) || path.endsWith('.rs') || isTestConfiguration(path);
