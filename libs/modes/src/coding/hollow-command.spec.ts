import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hollow } from './hollow-command.js';

describe('a command proves nothing', () => {
  it.each(['', '  ', ';;', '\n', '# npm test', '()'])('that is none: %j', (command) => {
    expect(hollow(command)).toBe('there is no command');
  });

  it.each([
    ...['true', ':', 'exit 0', 'echo ok', "echo 'npm test'", 'printf "%s" ok', 'pwd', 'sleep 1', '! false'],
    ...['ls', 'ls -la src', 'cat package.json', 'test -f a.js', '[ -d src ]', 'echo a && ls; true'],
    ...['(true)', '{ echo ok; }', 'cd src && ls', 'echo x > file.txt', 'echo ok | cat'],
  ])('that cannot fail, or shows only that something is there: %s', (command) => {
    expect(hollow(command)).toContain('it cannot fail: ');
  });

  it.each([
    ...[
      'npm test || true',
      'npm test || :',
      'npm test || exit 0',
      'npm test; exit 0',
      'npm test ; true',
      'npm test\ntrue',
    ],
    ...['npm test || echo failed', 'npm test; echo done', 'node a.js && node b.js || true', 'npm test || ! false'],
    ...[
      '(npm test || true)',
      '(npm test; exit 0)',
      '{ npm test; true; }',
      '( (node a.js) || true )',
      'npm test || (true)',
    ],
    ...[
      'npm test | tee log.txt',
      'npm test 2>&1 | tee log.txt',
      'npm test | cat',
      'node a.js | tail -5',
      'npm test |& tee x',
    ],
    ...['npm test &', 'npm test & true', 'npm test || true # whatever it says', 'npm test || true > /dev/null 2>&1'],
    ...['npm test || echo "no" && true'],
  ])('whose exit code is not that of what it runs: %s', (command) => {
    expect(hollow(command)).toContain('its exit code is always 0: ');
  });
});

describe('a command may prove something', () => {
  it.each([
    ...[
      'npm test',
      'node --test',
      'npm run build && npm test',
      'npm test 2>&1',
      'npm test > log.txt',
      'true && npm test',
    ],
    ...[
      'node a.js | grep -q dark',
      'curl -s localhost | jq -e .ok',
      '! grep -q TODO a.js',
      'test "$(node a.js)" = dark',
    ],
    ...[
      'set -o pipefail; npm test | tee log.txt',
      'set -e; npm test; echo done',
      'echo start; npm test',
      'cd app && npm test',
    ],
    ...['npm test || node other.js', '(npm test)', '(npm test || true) && node check.js', 'echo dark | node a.js'],
    ...['node -e "f() || true"', "sh -c 'npm test; exit 0'", 'grep -q "; true" a.sh', 'test -f a.js && node a.js'],
    ...[
      'node a.js & node b.js',
      'grep -q "a # b" a.js',
      'trueish',
      'echoes x',
      'exit 1',
      'npm test; exit',
      'exiftool a.png',
    ],
  ])('%s', (command) => {
    expect(hollow(command)).toBeNull();
  });

  it('whatever it is, the answer comes soon and without an error', () => {
    const word = fc.constantFrom(
      'npm test',
      'true',
      '||',
      '&&',
      '|',
      ';',
      '&',
      '(',
      ')',
      '"',
      "'",
      '\\',
      '#',
      '>',
      '\n',
    );
    fc.assert(
      fc.property(fc.array(word), fc.string(), (words, other) => {
        for (const command of [words.join(' '), other]) {
          expect([null, 'string']).toContain(hollow(command) === null ? null : typeof hollow(command));
        }
      }),
    );
    for (const piece of ['"\\"', "'", '(', '| ', '> ', '&', '#']) {
      const before = performance.now();
      hollow(piece.repeat(100_000));
      expect(performance.now() - before).toBeLessThan(1_000);
    }
  });

  it('stays so with anything before it that is waited for', () => {
    const before = fc.constantFrom('true', 'echo x', 'npm ci', 'ls', 'cd app');
    fc.assert(fc.property(before, (one) => hollow(`${one} && node check.js`) === null));
    fc.assert(fc.property(before, (one) => hollow(`${one}; node check.js || true`) !== null));
  });
});
