import { OK } from './hollow/ends.js';
import { run } from './hollow/run-tree.js';
import { treeOf } from './hollow/tree-of.js';

/** What is longer belongs into a file. */
const LONGEST = 4_000;

/**
 * Why a command proves nothing; null where it may. It finds carelessness, not malice: it follows the exit code through
 * a script, and knows some commands whose exit code says nothing. It does not look into functions, files, what is
 * computed, or more than one `sh -c`, and believes what it does not know. Whatever it lets through, its output is shown
 * as evidence.
 */
export function hollow(command: string): string | null {
  if (command.length > LONGEST) return `it is longer than ${String(LONGEST)} characters`;
  const tree = treeOf(command);
  if (tree === null) return 'there is no command';
  const seen = { hasTold: false };
  const ends = run(tree, { endsOnFailure: false, pipesFail: false, isAsked: false, last: OK, level: 0, seen });
  if (ends.has('fails') || ends.has('exits badly')) return null;
  return `${seen.hasTold ? 'its exit code is always 0' : 'it cannot fail'}: ${command.slice(0, 200)}`;
}
