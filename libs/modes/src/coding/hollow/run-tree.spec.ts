import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hollow } from '../hollow-command.js';

const SURE = 'true,false,echo x,set -e,set +e,exit,exit 0,exit 1,exit $?,x=1'.split(',');
/** Each T is a command of its own that may succeed or fail. */
const leaf = fc.oneof({ weight: 2, arbitrary: fc.constantFrom('T', 'x=$(T)') }, fc.constantFrom(...SURE));

type Script = fc.Arbitrary<string>;
const sometimes = (usual: Script, other: Script): Script =>
  fc.oneof({ weight: 3, arbitrary: usual }, { weight: 1, arbitrary: other });
const two = (part: Script, ...between: readonly string[]): Script =>
  fc.tuple(part, fc.constantFrom(...between), part).map((all) => all.join(' '));

function listOf(command: Script): Script {
  const pipeline = sometimes(command, two(command, '|'));
  const negated = sometimes(pipeline, pipeline.map((one) => `! ${one}`)); // prettier-ignore
  const chain = sometimes(negated, two(negated, '&&', '||'));
  return fc.oneof(
    chain,
    two(chain, ';', '&', '\n'),
    fc.tuple(chain, two(chain, ';')).map((all) => all.join('; ')),
  );
}

const compound = (list: Script): Script =>
  fc.oneof(
    leaf,
    list.map((one) => `( ${one} )`),
    list.map((one) => `{ ${one}; }`),
    fc.tuple(list, list).map(([a, b]) => `if ${a}; then ${b}; fi`),
    fc.tuple(list, list, list).map(([a, b, c]) => `if ${a}; then ${b}; else ${c}; fi`),
    fc.tuple(list, list, list).map(([a, b, c]) => `if ${a}; then ${b}; elif ${c}; then false; fi`),
    fc.tuple(list, list).map(([a, b]) => `case $(T && echo a) in a) ${a};; *) ${b};; esac`),
  );

const MOST = 4;
const script = listOf(compound(listOf(compound(listOf(leaf)))))
  .filter((one) => one.split('T').length <= MOST + 1)
  .map((one) => one.split('T').reduce((before, after, nth) => `${before}t${String(nth)}${after}`));

/** The exit codes of a script, with all that its commands can do. */
function exitCodes(one: string): readonly string[] {
  const nths = Array.from({ length: MOST + 1 }, (_, nth) => String(nth));
  const commands = nths.map((nth) => `t${nth}() { return $(( (WAY >> ${nth}) & 1 )); }`);
  const runs = Array.from({ length: 2 ** (MOST + 1) }, (_, way) => `WAY=${String(way)}; ( ${one}\n) > /dev/null; echo $?`);
  return spawnSync('sh', ['-c', [...commands, ...runs].join('\n')], { encoding: 'utf8' }).stdout.trim().split('\n');
} // prettier-ignore

describe('a script whose exit code is followed', () => {
  it('is hollow just where a shell comes to 0 whatever its commands do', () => {
    fc.assert(
      fc.property(script, (one) => {
        const codes = exitCodes(one);
        expect(codes).toHaveLength(2 ** (MOST + 1));
        const isAlwaysZero = codes.every((code) => code === '0');
        // No branch of a case may be taken, for all that is known.
        if (!one.includes('case')) expect(hollow(one) !== null, one).toBe(isAlwaysZero);
        else if (hollow(one) !== null) expect(isAlwaysZero, one).toBe(true);
      }),
      { numRuns: 50 },
    );
  });
});
