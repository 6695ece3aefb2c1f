import type { Checkout } from './checkout.js';

/** Where projects' readable files lie in a commit: they tell of the work, and are no part of it. */
const READABLE = '.qralph';

const LOOK = `git rev-parse --verify "$1^{tree}"
git ls-tree -z --full-tree "$1"
`;

/** Tells the same of a commit before its readable files were put beside it and after that. */
export async function treeWithoutReadable(checkout: Checkout, commit: string): Promise<string> {
  const { stdout } = await checkout.script('look at a tree', LOOK, [commit]);
  // Names are bytes, and have to stay the same ones.
  const text = stdout.toString('latin1');
  const start = text.indexOf('\n') + 1;
  const entries = text.slice(start).split('\0').filter(Boolean);
  const rest = entries.filter((entry) => entry.slice(entry.indexOf('\t') + 1) !== READABLE);
  if (rest.length === entries.length) return text.slice(0, start - 1);
  const input = Buffer.from(rest.map((entry) => `${entry}\0`).join(''), 'latin1');
  return checkout.text(['mktree', '-z', '--missing'], { input });
}
