import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cpuMs } from '#testing';
import { hollow } from './hollow-command.js';

describe('a command proves nothing', () => {
  it.each(['', '  ', ';;', '\n', '# npm test', '()', '> log.txt'])('that is none: %j', (command) => {
    expect(hollow(command)).toBe('there is no command');
  });

  it('that is longer than anybody would look at', () => {
    expect(hollow(`node a.js # ${'x'.repeat(4_000)}`)).toBe('it is longer than 4000 characters');
  });

  it.each([
    ...['true', ':', 'exit', 'exit 0', 'exit $?', 'echo ok', "echo 'npm test'", 'printf "%s" ok', 'pwd', 'sleep 1'],
    ...['! false', 'ls', 'ls -la src', 'cat package.json', 'test -f a.js', '[ -d src ]', 'echo a && ls; true'],
    ...['(true)', '{ echo ok; }', 'cd src && ls', 'echo x > file.txt', 'echo ok | cat', 'x=1', 'set -e; echo done'],
    ...['/bin/true', '/usr/bin/true', '[ 1 = 1 ]', 'test 1 = 1', '[[ 1 == 1 ]]', "[ 'ok' ]", 'test -n ok'],
    ...['node --version', 'npm --version', 'node -v', 'npm run check --if-present', 'command -v node', 'which node'],
    ...['timeout 5 true', 'timeout -k 1 5s echo ok', 'env true', 'env A=1 true', 'A=1 true', 'time true', 'env'],
    ...['command true', '/usr/bin/env true', 'nice -n 5 true', 'sh -c true', 'bash -c "exit 0"', "bash -lc 'ls; pwd'"],
    ...['node -e ""', 'node -e "process.exit(0)"', `node -e "console.log('ok')"`, 'python -c "print(\'ok\')"'],
    ...[`node --input-type=module -e "console.log('a', 1); process.exit()"`, 'node -p 1', "python3 -c 'pass'"],
    ...['find src -name a.js', 'git status', 'git diff', 'git log | head -3', 'date', 'sed -n 1p a.js', 'wc -l a.js'],
    ...['if true; then echo a; fi', 'for f in a b; do echo $f; done', 'while true; do break; done', 'cat <<EOF\nnode a.js\nEOF'],
    ...['[ -f a.js ] && echo there || echo missing', 'sh -c ""', 'xargs echo < a.txt', "awk '{ print $1 }' a.txt"],
  ])('that cannot fail, or shows only that something is there: %s', (command) => {
    expect(hollow(command)).toContain('it cannot fail: ');
  }); // prettier-ignore

  it.each([
    ...['npm test || true', 'npm test || :', 'npm test || exit 0', 'npm test; exit 0', 'npm test ; true'],
    ...['npm test\ntrue', 'npm test || echo failed', 'npm test; echo done', 'node a.js && node b.js || true'],
    ...['npm test || ! false', '(npm test || true)', '(npm test; exit 0)', '{ npm test; true; }', 'npm test || (true)'],
    ...['( (node a.js) || true )', '( node x.js ) || :', 'npm test | tee log.txt', 'npm test 2>&1 | tee log.txt'],
    ...['npm test | cat', 'node a.js | tail -5', 'npm test |& tee x', 'npm test &', 'npm test & true', 'npm test & wait'],
    ...['npm test || true # whatever it says', 'npm test || true > /dev/null 2>&1', 'npm test || echo "no" && true'],
    ...['node missing.js > log.txt 2>&1; tail -3 log.txt', 'npm test; date', 'npm test; ls', 'node a.js > o; cat o'],
    ...['npm test; echo "exit code: $?"', 'npm test; echo done; exit $?', 'npm test || echo no; exit', 'npm test; rm log'],
    ...['npm test; echo done; [ $? -eq 0 ]', "sh -c 'npm test; exit 0'", "bash -c 'node a.js || true'", 'npm test\n\ntrue # end\n'],
    ...['node a.js & sleep 1; curl -f localhost; kill $!', 'set -e; npm test || true', 'set +e; npm test; echo done'],
    ...['set -e; node a.js && echo ok; echo done', 'npm test; set -e; echo done', 'echo "$(node a.js)"; node a.js | wc -l'],
    ...['if node missing.js; then echo PASS; else echo FAIL; fi', 'if ! node a.js; then echo FAIL; fi', 'if a; then b; fi | cat'],
    ...['if a; then echo 1; elif b; then echo 2; else echo 3; fi', 'while node a.js; do echo again; done'],
    ...['for f in *.js; do node $f; echo $f; done', 'for f in *.js\ndo\n  node $f || echo "$f failed"\ndone'],
    ...['x=$(node a.js); case $x in dark) echo PASS;; *) echo FAIL;; esac', 'node a.js && { echo ok; } || { echo no; }'],
    ...['until node a.js; do [ $((i+=1)) -gt 9 ] && break; sleep 1; done', 'for i in 1 2; do curl -sf x && break; sleep 1; done'],
    ...["node - <<'EOF' | cat\nprocess.exit(1)\nEOF", 'npm test \\\n  || true', 'npm test ||\n  true', 'npm test |\n  cat'],
  ])('whose exit code is not that of what it runs: %s', (command) => {
    expect(hollow(command)).toContain('its exit code is always 0: ');
  }); // prettier-ignore
});

describe('a command may prove something', () => {
  it.each([
    ...['npm test', 'node --test', 'npm run build && npm test', 'npm test 2>&1', 'npm test > log.txt', 'true && npm test'],
    ...['node a.js | grep -q dark', 'curl -s localhost | jq -e .ok', '! grep -q TODO a.js', 'test "$(node a.js)" = dark'],
    ...['set -o pipefail; npm test | tee log.txt', 'set -e; npm test; echo done', 'echo start; npm test', 'cd app && npm test'],
    ...['npm test || node other.js', '(npm test)', '(npm test || true) && node check.js', 'echo dark | node a.js'],
    ...['node -e "f() || true"', 'grep -q "; true" a.sh', 'test -f a.js && node a.js', 'node a.js & node b.js'],
    ...['grep -q "a # b" a.js', 'trueish', 'echoes x', 'exit 1', 'npm test; exit', 'npm test; exit $?', 'exiftool a.png'],
    ...['node -e "process.exit(f() === 1 ? 0 : 1)"', "node -e \"console.log(require('./x').y)\"", 'grep -q x file'],
    ...['curl -f localhost', '[ "$(cat out)" = 1 ]', '[[ $(cat out) =~ (a|b) ]]', 'diff a b', 'cmp a b', 'diff <(node a.js) b'],
    ...['node a.js && echo ok', 'set -e\nnode a.js\necho done\n', 'set -euo pipefail\ncd app\nnode a.js | tee log\necho ok'],
    ...['! node missing.js', '! test -f old.js', 'test ! -f old.js', '[ ! -d old ]', 'node gen.js; test -f out.txt', 'test -s a'],
    ...['npm test; code=$?; echo done; exit $code', 'out=$(node a.js)', 'set -e; out="$(node a.js)"; echo "$out"', 'npm run x'],
    ...['if grep -q x a; then echo ok; else echo no; exit 1; fi', 'if ! node a.js; then exit 1; fi; echo ok', 'npm test || exit'],
    ...['node a.js || { echo no; exit 1; }; echo ok', 'if a; then true; else false; fi', 'if node a.js; then node b.js; fi'],
    ...['for f in *.js; do node --check "$f" || exit 1; done', 'for f in a b; do node $f; done', 'until curl -sf x; do sleep 1; done'],
    ...['case "$(node a.js)" in dark) echo ok;; *) exit 1;; esac', 'case $x in (a|b) true;; *) false;; esac', "bash -ec 'node a.js; ls'"],
    ...["sh -c 'node a.js && echo ok'", "bash -c 'set -e; node a.js; echo ok'", 'bash -o pipefail -c "node a.js | cat"', 'sh check.sh'],
    ...['node a.js & wait $!', 'timeout 5 node a.js', 'env A=1 npm test', 'time npm test', 'A=1 npm test', 'npx vitest run'],
    ...["node - <<'EOF'\nprocess.exit(f())\nEOF", "cat > t.mjs <<'EOF'\ntrue\nEOF\nnode t.mjs", 'node <<< "f()"', 'sort -c a'],
    ...['node cli.js --version | grep -q 1.2', './cli --version', 'node cli.js --version', 'git diff --exit-code', 'kill -0 $PID'],
    ...['check() { node a.js; }; check', 'check() { node a.js; }\ncheck || exit 1\necho ok', "awk 'END { exit NR != 3 }' a"],
    ...['node a.js; [ $? -eq 3 ]', 'echo ")" | node a.js', "node -e 'process.exit(\"|| true\" ? f() : 1)'", 'python -c "import a"'],
    ...['npm test \\\n  --silent', 'node a.js |\n  grep -q ok', 'node a.js &&\n  echo ok', '{ node a.js; } 2>&1', '(set -e; a; ls)'],
  ])('%s', (command) => {
    expect(hollow(command)).toBeNull();
  }); // prettier-ignore
});

describe('whatever the command is', () => {
  const telling = fc.constantFrom(
    'npm test',
    'node a.js --x "; true"',
    'grep -q "a|b" c',
    '[ "$(cat o)" = 1 ]',
    'diff a b',
  );
  const { command } = fc.letrec<{ command: string }>((tie) => ({
    command: fc.oneof(
      { maxDepth: 4 },
      telling,
      tie('command').map((one) => `(${one})`),
      tie('command').map((one) => `{ ${one}; }`),
      tie('command').map((one) => `(! ${one})`),
      tie('command').map((one) => `if ${one}; then :; else echo no; false; fi`),
      tie('command').map((one) => `echo first; ${one}`).map((one) => `(${one})`),
      fc.tuple(tie('command'), fc.constantFrom(' && ', ' || ', ' | ', '; ', '\n'), tie('command')).map((all) => `{ ${all.join('')}\n}`),
    ),
  })); // prettier-ignore

  it('one that can fail is hollow as soon as its exit code is lost, and not before', () => {
    const lost = ['; true', ' || true', ' | cat', ' &', '\necho $?', ' || echo no; ls'];
    fc.assert(
      fc.property(command, (one) => {
        for (const kept of ['', ' && true', ' && echo ok', '; exit $?', ' > log 2>&1']) expect(hollow(`${one}${kept}`)).toBeNull(); // prettier-ignore
        for (const way of lost) expect(hollow(`${one}${way}`)).toContain('its exit code is always 0');
        expect(hollow(`set -e; ${one} && true`)).toBeNull();
        expect(hollow(`if ${one}; then echo yes; else echo no; fi`)).not.toBeNull();
      }),
    );
  });

  it('stays so with anything before it that is waited for', () => {
    const before = fc.constantFrom('true', 'echo x', 'npm ci', 'ls', 'cd app');
    fc.assert(fc.property(before, (one) => hollow(`${one} && node check.js`) === null));
    fc.assert(fc.property(before, (one) => hollow(`${one}; node check.js || true`) !== null));
  });

  const PIECES = [
    ...'npm test,true,exit,set -e,if,then,else,elif,fi,while,do,done,for,case,in,esac,break,sh -c,node -e'.split(','),
    ...String.raw`[[ ]] { } ( ) $( ${'$'}{ " ' \ || && | ; ;; & ! # > << <( <<EOF 1 console.log( __proto__`.split(' '),
    '`',
  ];

  it('there is an answer', () => {
    const piece = fc.constantFrom(...PIECES, '\n', '\0', '\uD800', ' ');
    fc.assert(
      fc.property(fc.array(piece), fc.constantFrom('', ' '), fc.string({ unit: 'binary' }), (pieces, gap, other) => {
        for (const one of [pieces.join(gap), other]) expect(hollow(one) ?? '').toBeTypeOf('string');
      }),
      { numRuns: 500 },
    );
  });

  it('the answer comes soon', () => {
    const hostile = [...PIECES, '"$(', "'(", '(a|', 'if a;then ', '((', '\\"', 'a=', '0', ' ', '\n', '<<a\n', "sh -c 'true' "];
    for (const piece of [...hostile, ...hostile.map((one) => `${one} `)]) {
      const long = piece.repeat(4_000).slice(0, 3_980);
      const ms = cpuMs(() => {
        for (const one of [long, `node -e "${long}`, `sh -c '${long}'`, `node -p '${long}`]) hollow(one);
      });
      expect(ms, piece).toBeLessThan(500);
    }
  }); // prettier-ignore
});
