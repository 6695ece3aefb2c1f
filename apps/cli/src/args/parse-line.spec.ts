import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../commands/index.js';
import { EXIT } from '../exit-codes.js';
import { Failure } from '../failure.js';
import { parseLine } from './parse-line.js';
import { startOrder } from './start-order.js';

const named = (name: string) => {
  const found = COMMANDS.find((one) => one.name === name);
  if (!found) throw new Error(`there is no ${name}`);
  return found;
};
const parse = (name: string, ...args: string[]) => parseLine(named(name), args);

/** As a shell takes them apart: what is in quotes is one. */
const wordsOf = (line: string): string[] =>
  [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');

function refusal(name: string, ...args: string[]): string {
  try {
    parse(name, ...args);
  } catch (error) {
    if (error instanceof Failure && error.exit === EXIT.usage) return error.message;
    throw error;
  }
  return '';
}

describe('a line that is typed', () => {
  it('becomes options, further words, and what every command knows', () => {
    expect(
      parse('start', 'Do it', '--repo', 'r', '--verify', 'a', '--verify=b', '--watch', '--json', '--url', 'http://h'),
    ).toEqual({
      values: { repo: 'r', verify: ['a', 'b'], watch: true },
      positionals: ['Do it'],
      common: { url: 'http://h', json: true, isPlain: false, help: false },
    });
  });

  it('is refused with what is missing, too much or unknown, and where help is', () => {
    expect(refusal('start')).toBe('REQUEST is missing: qralph start REQUEST');
    expect(refusal('decide', '001-x', 'plan')).toContain('OPTION is missing');
    expect(refusal('start', 'Add', 'dark', 'mode')).toContain('“dark” is one too many');
    expect(refusal('list', '--nope')).toMatch(/--nope.*See qralph list --help/);
    expect(refusal('watch', '001-x', '--after')).toContain('--after');
    expect(refusal('list', 'extra')).toBe('“extra” is one too many: qralph list. Several words are one in quotes');
    expect(refusal('start', 'Do it', '--budget', '-1')).toMatch(/^[^\n]*--budget[^\n.]*\. See qralph start --help$/);
  });

  it('asks for help without anything else', () => {
    expect(parse('decide', '--help').common.help).toBe(true);
    expect(parse('start', '-h').common.help).toBe(true);
  });

  it('is what every example shows', () => {
    for (const { name, examples } of COMMANDS) {
      expect(examples.length).toBeGreaterThan(0);
      for (const example of examples) {
        const [qralph, command = '', ...args] = wordsOf(example);
        expect([qralph, command]).toEqual(['qralph', name]);
        expect(() => parse(command, ...args), example).not.toThrow();
      }
    }
  });

  it('takes text that looks like an option behind --', () => {
    expect(parse('note', '001-x', '--', '--json is broken').positionals).toEqual(['001-x', '--json is broken']);
  });
});

describe('the order of a start', () => {
  it('has nothing that was not said', () => {
    expect(startOrder('Do it', {}, '/here')).toEqual({ request: 'Do it' });
  });

  it('has each option in its place', () => {
    const order = startOrder(
      'Do it',
      {
        ...{ repo: 'r', ref: 'main', mode: 'work', variant: 'planning', verify: ['npm test'], setup: ['npm ci'] },
        ...{ copy: ['.env.test'], budget: '2.00', tokens: '1000', pin: ['a'], forbid: ['b'], count: '3' },
        ...{ runtime: 'api', model: ['small=openai:gpt:x'], gate: ['plan', 'complete=off'], sandbox: 'limited' },
        ...{ goal: 'green', asides: 'P0' },
        ...{ webhook: 'https://example.org/h', label: ['team=web=1'], 'commit-artifacts': true },
        param: ['rounds=2', 'slow=true', 'word=two words', 'version=1.2.3'],
      },
      '/here',
    );
    expect(order).toEqual({
      request: 'Do it',
      repo: { path: '/here/r', ref: 'main' },
      mode: 'work',
      variant: 'planning',
      goal: 'green',
      asides: 'P0',
      verify: ['npm test'],
      setup: ['npm ci'],
      copy: ['.env.test'],
      budget: { usd: '2.00', tokens: 1000 },
      agents: { pin: ['a'], forbid: ['b'], count: 3 },
      runtime: 'api',
      models: { small: 'openai:gpt:x' },
      gates: { plan: true, complete: false },
      sandbox: 'limited',
      webhook: { url: 'https://example.org/h' },
      labels: { team: 'web=1' },
      commitArtifacts: true,
      parameters: { rounds: 2, slow: true, word: 'two words', version: '1.2.3' },
    });
  });

  it.each([
    ['--tokens', { tokens: '1e3' }],
    ['--count', { count: '0' }],
    ['--gate', { gate: ['plan=maybe'] }],
    ['--param', { param: ['rounds'] }],
    ['--model', { model: ['=x'] }],
  ])('refuses a bad %s', (option, given) => {
    expect(() => startOrder('Do it', given, '/here')).toThrow(option);
  });
});
