/**
 * What tools that run a script in many packages put before each line of its output: `packages/a test: ` (pnpm),
 * `a:test: ` (turbo), `[a]: ` (yarn), `a: ` (lerna). Every part has a greatest length, so that a line that is none of
 * these costs no more than its beginning.
 */
const PREFIX = /^(?:\[[\w@./~+-]{1,200}\]|(?:[\w@./~+…-]{1,200} )?[\w@./~+:-]{1,200}): /;

export interface PrefixedLine {
  readonly prefix: string;
  readonly rest: string;
}

/** Null for a line that is not of one package among several. */
export function prefixedLine(line: string): PrefixedLine | null {
  const prefix = PREFIX.exec(line)?.[0];
  return prefix === undefined ? null : { prefix, rest: line.slice(prefix.length) };
}
