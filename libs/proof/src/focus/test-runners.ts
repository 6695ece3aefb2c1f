import {
  selectCargoTests,
  selectGoTests,
  selectJestFiles,
  selectMochaTitles,
  selectNodeFiles,
  selectPytestIds,
  selectUnittestNames,
  type SelectTests,
  selectVitestFiles,
} from './select-failures.js';

export interface TestRunner {
  readonly name: 'node' | 'vitest' | 'jest' | 'mocha' | 'pytest' | 'unittest' | 'go' | 'cargo';
  /** Options whose value is the next word. */
  readonly withValue: readonly string[];
  /** Options without a value. An option in neither list must not stand before a plain word. */
  readonly withoutValue: RegExp;
  /** Options under which a selection would mean something else. */
  readonly refused: RegExp;
  /** Words that are part of the call, not a filter. */
  readonly subcommands: readonly string[];
  /** What is done with other plain words, which name files, folders or tests. */
  readonly filters: 'replaced' | 'kept' | 'refused';
  readonly select: SelectTests;
}

const RUNNERS: Readonly<Record<TestRunner['name'], TestRunner>> = {
  node: {
    name: 'node',
    withValue: [
      '--import',
      '--require',
      '-r',
      '--loader',
      '--experimental-loader',
      '--test-reporter',
      '--test-reporter-destination',
      '--env-file',
      '--conditions',
      '-C',
      '--test-concurrency',
      '--test-timeout',
    ],
    withoutValue: /^--(?:test|test-only|experimental-[\w-]+|no-[\w-]+|enable-source-maps|test-force-exit)$/,
    refused: /^--(?:watch|test-shard|test-name-pattern|test-skip-pattern)/,
    subcommands: [],
    filters: 'replaced',
    select: selectNodeFiles,
  },
  vitest: {
    name: 'vitest',
    withValue: ['--project', '--config', '-c', '--reporter', '--pool', '--environment', '--testTimeout'],
    withoutValue: /^--(?:run|silent|no-[\w-]+|passWithNoTests|coverage)$/,
    refused: /^(?:--root|-r|--dir|--shard|--watch|-w|--testNamePattern|-t|--changed)(?:=|$)/,
    subcommands: ['run'],
    filters: 'replaced',
    select: selectVitestFiles,
  },
  jest: {
    name: 'jest',
    withValue: ['--config', '-c', '--maxWorkers', '-w', '--reporters', '--env'],
    withoutValue: /^(?:-i|--(?:runInBand|ci|silent|verbose|coverage|passWithNoTests|forceExit|no-[\w-]+))$/,
    refused:
      /^(?:--rootDir|--watch\w*|--shard|--testNamePattern|-t|--runTestsByPath|--testPathPatterns?|--onlyChanged|-o)(?:=|$)/,
    subcommands: [],
    filters: 'replaced',
    select: selectJestFiles,
  },
  mocha: {
    name: 'mocha',
    withValue: [
      '--require',
      '-r',
      '--config',
      '--reporter',
      '-R',
      '--timeout',
      '-t',
      '--ui',
      '-u',
      '--spec',
      '--import',
      '--loader',
    ],
    withoutValue: /^--(?:recursive|exit|parallel|colou?rs?|no-[\w-]+)$/,
    refused: /^(?:-g|--grep|-f|--fgrep|-i|--invert|-w|--watch)(?:=|$)/,
    subcommands: [],
    filters: 'kept',
    select: selectMochaTitles,
  },
  pytest: {
    name: 'pytest',
    withValue: ['-p', '-c', '-n', '-o', '-W', '--tb', '--maxfail', '--cov', '--override-ini'],
    withoutValue: /^(?:-[qvxsl]+|-r\w+|--(?:verbose|quiet|strict-markers|no-[\w-]+))$/,
    refused: /^(?:-k|-m|--rootdir|--pyargs|--lf|--ff|--last-failed|--deselect|--ignore)(?:=|$)/,
    subcommands: [],
    filters: 'replaced',
    select: selectPytestIds,
  },
  unittest: {
    name: 'unittest',
    withValue: [],
    withoutValue: /^(?:-[vqfbc]+|--(?:verbose|quiet|failfast|buffer|locals))$/,
    refused: /^(?:-[stpk]|--(?:start-directory|pattern|top-level-directory))(?:=|$)/,
    subcommands: [],
    filters: 'replaced',
    select: selectUnittestNames,
  },
  go: {
    name: 'go',
    withValue: ['-count', '-timeout', '-tags', '-p', '-parallel', '-coverprofile', '-cpu'],
    withoutValue: /^-(?:v|race|short|cover|json|failfast)$/,
    refused: /^--?(?:run|skip|args|bench|fuzz|C)(?:=|$)/,
    subcommands: [],
    filters: 'replaced',
    select: selectGoTests,
  },
  cargo: {
    name: 'cargo',
    withValue: ['-p', '--package', '--features', '--manifest-path', '--profile'],
    withoutValue:
      /^(?:-[qv]+|--(?:workspace|all|all-features|no-default-features|locked|offline|frozen|release|quiet))$/,
    refused: /^--(?:doc)?$/,
    subcommands: [],
    filters: 'refused',
    select: selectCargoTests,
  },
};

/** The runner that the words call, and how many of the words are the call itself; null for any other program. */
export function findRunner(words: readonly string[]): { readonly runner: TestRunner; readonly length: number } | null {
  const start = words.findIndex((word) => !/^\w+=/.test(word) && word !== 'cross-env');
  if (start < 0) return null;
  const rest = words.slice(start);
  const [program = '', second = '', third = ''] = rest;
  const found = (name: TestRunner['name'], length: number) => ({ runner: RUNNERS[name], length: start + length });
  if (program === 'npx') {
    const at = rest.findIndex((word, nth) => nth > 0 && !/^(?:-y|--yes|--no|--no-install)$/.test(word));
    const name = scriptRunner(rest[at] ?? '');
    return name === null ? null : found(name, at + 1);
  }
  if (/(?:^|\/)python[\d.]*$/.test(program)) {
    if (second !== '-m') return null;
    if (third === 'unittest') {
      // A folder behind `discover` changes what the names of tests begin with.
      const isElsewhere = rest[3] === 'discover' && rest.slice(4).some((word) => !word.startsWith('-'));
      return isElsewhere ? null : found('unittest', 3);
    }
    return third === 'pytest' ? found('pytest', 3) : null;
  }
  if (/(?:^|\/)pytest$/.test(program)) return found('pytest', 1);
  if (program === 'go' || program === 'cargo') return second === 'test' ? found(program, 2) : null;
  if (program === 'node') return findNodeRunner(rest, start);
  const name = scriptRunner(program);
  return name === null ? null : found(name, 1);
}

/** Node runs its own tests, or a runner that is a script. */
function findNodeRunner(words: readonly string[], start: number): ReturnType<typeof findRunner> {
  const at = words.findIndex((word) => /(?:^|\/)node_modules\//.test(word));
  const name = at < 0 ? null : scriptRunner(words[at] ?? '');
  if (name !== null && words.slice(1, at).every((word) => word.startsWith('--'))) {
    return { runner: RUNNERS[name], length: start + at + 1 };
  }
  return words.includes('--test') ? { runner: RUNNERS.node, length: start + 1 } : null;
}

function scriptRunner(program: string): 'vitest' | 'jest' | 'mocha' | null {
  switch (/(?:^|\/)(vitest|jest|mocha)(?:\.[cm]?js)?$/.exec(program)?.[1]) {
    case 'vitest':
      return 'vitest';
    case 'jest':
      return 'jest';
    case 'mocha':
      return 'mocha';
    default:
      return null;
  }
}
