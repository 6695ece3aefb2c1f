import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { did, inTurn, planned, reviewed, RIGHT, team, writes } from '../e2e/coding-team.js';
import type { BenchTeam } from './coding-world.js';

/** A small repository, and a team whose project has two tasks and one scenario. */

const REQUEST = /Add dark mode toggle \d+/;
export const requestOf = (nth: number): string => `Add dark mode toggle ${String(nth)}`;

/** Says that one test passed, in no time: what is measured is everything around it. */
const VERIFY = "printf 'TAP version 13\\nok 1 - a\\n1..1\\n# tests 1\\n# pass 1\\n# fail 0\\n'";
const SCENARIO = 'test -s theme.mjs && test -s empty.mjs';

const script = team({
  review: (asked) =>
    inTurn(
      { toolCalls: [{ name: 'read_file', input: { path: 'greeting.mjs' } }] },
      reviewed([
        {
          priority: 'P1',
          title: 'greeting has no test of an empty name',
          // Who looks at the fix is told of the finding only: so its call shows whose it is.
          body: `Found for: ${REQUEST.exec(asked.prompt)?.[0] ?? ''}`,
          file: 'greeting.mjs',
          line: 1,
        },
      ]),
    )(asked),
  execute: (asked) =>
    asked.prompt.includes('Priority P1.')
      ? inTurn(writes({ 'empty.mjs': 'export const empty = 1;\n' }), did('a test of the empty name'))(asked)
      : inTurn(writes({ 'theme.mjs': RIGHT }), did('a theme'))(asked),
  plan: () => planned({ title: 'both are there', command: SCENARIO }),
});

export const greeterTeam: BenchTeam = { script, request: REQUEST, reviewers: 5, verify: [VERIFY] };

let repositories = 0;

/** Each project has a repository of its own. */
export function makeGreeter(folder: string): string {
  repositories += 1;
  const repo = join(folder, `repository-${String(repositories)}`);
  mkdirSync(repo);
  writeFileSync(join(repo, 'greeting.mjs'), 'export const greeting = (name) => `Hello, ${name}!`;\n');
  writeFileSync(join(repo, 'package.json'), '{ "name": "greeter", "private": true, "type": "module" }\n');
  const git = (...args: string[]): unknown => execFileSync('git', ['-C', repo, ...args]);
  git('init', '-q', '-b', 'main');
  git('add', '-A');
  git('-c', 'user.name=Bench', '-c', 'user.email=bench@example.com', 'commit', '-q', '-m', 'begin');
  return repo;
}
