import { join } from 'node:path';
import { did, inTurn, json, planned, reviewed, team, writes } from '../e2e/coding-team.js';
import type { BenchTeam } from './coding-world.js';
import { makeManyFiles } from './many-files.js';

/** A repository of 20,000 modules with a slow suite and one failing test, and a team that fixes its cause. */

export const REQUEST = 'Greet a guest without a name with Hello!';
/** This reporter names the file of a failing test, so that the service can run it alone. TAP of Node 20 does not. */
export const SUITE = 'node --test --test-reporter=spec';
/** The suite waits instead of computing: it takes as long on a busy machine. */
export const SLOW_TESTS = 20;
const FAILING_TEST = 'greets a guest without a name';
const SCENARIO = `node --input-type=module -e "import { greeting } from './greeting.mjs'; process.exit(greeting('') === 'Hello!' ? 0 : 1)"`;

const WRONG = 'export const greeting = (name) => `Hello, ${name}!`;\n';
const RIGHT = "export const greeting = (name) => (name === '' ? 'Hello!' : `Hello, ${name}!`);\n";
const GREETING_TEST = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { greeting } from './greeting.mjs';

test('greets a guest', () => assert.equal(greeting('Ada'), 'Hello, Ada!'));
test('${FAILING_TEST}', () => assert.equal(greeting(''), 'Hello!'));
`;
const SLOW_TEST = `import { setTimeout as delay } from 'node:timers/promises';
import { test } from 'node:test';

for (let nth = 1; nth <= ${String(SLOW_TESTS)}; nth += 1) test(\`slow \${nth}\`, () => delay(1_000));
`;

const moduleText = (folder: number, file: number): string =>
  Array.from(
    { length: 20 },
    (_, line) => `export const value${String(line)} = () => ${String(folder * file + line)};\n`,
  ).join('');

export function makeLargeRepository(folder: string): string {
  const repo = join(folder, 'large-repository');
  makeManyFiles(repo, (nth, file) => ({ name: `module-${String(file)}.mjs`, text: moduleText(nth, file) }), {
    'package.json': `{ "name": "greeter", "private": true, "type": "module", "scripts": { "test": "${SUITE}" } }\n`,
    'greeting.mjs': WRONG,
    'greeting.test.mjs': GREETING_TEST,
    'slow.test.mjs': SLOW_TEST,
  });
  return repo;
}

const script = team({
  review: inTurn(
    { toolCalls: [{ name: 'search', input: { pattern: 'greeting\\(' } }] },
    reviewed([
      {
        priority: 'P1',
        title: 'greeting ignores an empty name',
        body: REQUEST,
        file: 'greeting.mjs',
        line: 1,
        relation: 'is-request',
      },
    ]),
  ),
  scope: () =>
    json({
      class: 'behaviour',
      parts: [{ title: 'greeting("") is "Hello!"', interface: 'greeting', failingTests: [FAILING_TEST] }],
      steps: [{ title: 'Fix greeting', detail: 'in greeting.mjs', parts: [1], findings: [], check: SUITE }],
      findings: [],
      failuresInScope: [FAILING_TEST],
    }),
  execute: inTurn(writes({ 'greeting.mjs': RIGHT }), did('greeting without a name')),
  inspect: () =>
    json({
      parts: [{ part: 1, isDone: true, why: 'it is there' }],
      findings: [{ id: 'F-001', isFixed: true, why: 'an empty name is handled' }],
      tests: [],
    }),
  plan: () => planned({ title: 'a guest without a name is greeted', command: SCENARIO }),
});

export const largeTeam: BenchTeam = { script, request: new RegExp(REQUEST), reviewers: 3, verify: [SUITE] };
