import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Change, replaceOnce } from './change.js';

/**
 * The repositories that outcome cases work on. Glossary:
 * - target: a small repository, as files.
 * - task: one request for a target, with what a competent engineer knows about it. It names no case and no prompt.
 * - oracle: hidden tests of a task. The harness runs them on a fresh clone of the branch; no agent ever sees them.
 */
export type Tier = 'small' | 'medium' | 'large';
export type RequestClass = 'behaviour' | 'keeps-behaviour' | 'document' | 'tests-only';
export type Relation = 'is-request' | 'before' | 'after' | 'aside';
export type Files = Readonly<Record<string, string>>;

export interface Check {
  readonly file: string;
  readonly content: string;
  readonly command: string;
}

export interface Part {
  readonly title: string;
  /** What a check may rely on: exports, flags, texts. */
  readonly interface: string;
  /** Titles of tests that fail because this part is not done. */
  readonly failingTests?: readonly string[];
  readonly check?: Check;
  /** What it is about, if a planner says so. */
  readonly kind?: 'behaviour' | 'document' | 'tests';
  /** It holds before the change, so its check passes then too. */
  readonly holds?: boolean;
}

/** Something that the request asks for in these words, beside the parts. */
export interface Demand {
  readonly quote: string;
  readonly change: Change;
}

export interface Step {
  readonly title: string;
  readonly detail: string;
  /** Indexes of parts, from 0. */
  readonly parts: readonly number[];
  readonly check: string;
  /** The share of this step in the right change; the whole change if absent. */
  readonly change?: Change;
}

export interface KnownFinding {
  readonly priority: 'P0' | 'P1' | 'P2';
  readonly title: string;
  readonly body: string;
  readonly file: string;
  readonly line: number;
  readonly relation: Relation;
  /** What fixes it; the change of the request if absent. */
  readonly fix?: Change;
}

export interface Scenario {
  readonly title: string;
  /** Null if whoever plans it leaves open how to try it. */
  readonly command: string | null;
  /** How a tester tries it then. */
  readonly trial?: string;
}

export interface Oracle {
  readonly files: Files;
  readonly command: string;
}

export interface Task {
  readonly request: string;
  readonly class: RequestClass;
  readonly parts: readonly Part[];
  /** One step for the whole request if absent. */
  readonly steps?: readonly Step[];
  readonly findings?: readonly KnownFinding[];
  /** Demands that a reader of the request sees, and its planner did not. */
  readonly demands?: readonly Demand[];
  readonly right: Change;
  /** Changes that look plausible; the oracle refuses each of them. */
  readonly wrong: Readonly<Record<string, Change>>;
  readonly scenarios: readonly Scenario[];
  readonly oracle: Oracle;
  /** A wrong variant of the code, which good tests notice. */
  readonly breaks?: Change;
  /** Titles of failing tests that whoever plans puts in scope, though no part is about them. */
  readonly alsoInScope?: readonly string[];
  /** Tests that the request contradicts, with its words. */
  readonly contradicted?: readonly { readonly test: string; readonly quote: string }[];
}

export interface Target {
  readonly name: string;
  readonly files: Files;
  /** The command that an engineer runs to test it. */
  readonly testCommand: string;
  /** For the start body, if the service cannot find it out. */
  readonly verify?: readonly string[];
}

const root = fileURLToPath(new URL('../../../', import.meta.url)).replace(/dist\/$/, '');

/** Files of an installed development dependency, under the names that the target gives them. */
export function packageFiles(name: string, files: Files): Files {
  return Object.fromEntries(
    Object.entries(files).map(([to, from]) => [to, readFileSync(join(root, 'node_modules', name, from), 'utf8')]),
  );
}

/** Puts a bug into a file, or anything else that a published package does not have. */
export function altered(files: Files, path: string, from: string, to: string): Files {
  const after = replaceOnce(files[path] ?? '', from, to);
  if (after === null) throw new Error(`${path} does not contain ${JSON.stringify(from)}. Adapt the target.`);
  return { ...files, [path]: after };
}

export const manifest = (fields: Readonly<Record<string, unknown>>): string =>
  `${JSON.stringify({ private: true, license: 'MIT', ...fields }, null, 2)}\n`;

/** A test file for node:test in CommonJS. */
export const nodeTest = (subject: string, from: string, tests: Readonly<Record<string, string>>): string =>
  `'use strict';\nconst assert = require('node:assert');\nconst { test } = require('node:test');\nconst ${subject} = require('${from}');\n\n` +
  testBlocks(tests);

/** A test file for node:test as an ES module. */
export const moduleTest = (subject: string, from: string, tests: Readonly<Record<string, string>>): string =>
  `import assert from 'node:assert';\nimport { test } from 'node:test';\nimport ${subject} from '${from}';\n\n` +
  testBlocks(tests);

const testBlocks = (tests: Readonly<Record<string, string>>): string =>
  Object.entries(tests)
    .map(([title, body]) => `test('${title}', () => {\n  ${body}\n});\n`)
    .join('\n');

/** A check that another agent writes from the request. */
export const nodeCheck = (file: string, content: string): Check => ({ file, content, command: `node --test ${file}` });

/** One shell command that fails unless an expression holds. */
export const requires = (module: string, expression: string): string =>
  `node -e "const it = require('${module}'); process.exit(${expression} ? 0 : 1)"`;
export const imports = (names: string, module: string, expression: string): string =>
  `node --input-type=module -e "import ${names} from '${module}'; process.exit(${expression} ? 0 : 1)"`;

/** Hidden tests that run with node. */
export const nodeOracle = (name: string, content: string): Oracle => ({
  files: { [name]: content },
  command: `node --test ${name}`,
});
