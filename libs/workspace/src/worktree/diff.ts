import type { Redactor } from '#kernel';
import type { Checkout } from './checkout.js';
import { parseNumbers } from './parse-diff.js';
import { mustBeCommitId } from './resolve-ref.js';
import type { WorktreeDiff } from './worktree.port.js';

const PATCH_LIMIT = 2 * 1_024 * 1_024;

/** Between two commits only: no file of the worktree is read, and no driver of the repository's is asked. */
const PLAIN = ['diff', '--no-ext-diff', '--no-textconv', '--no-color', '-M', '--ignore-submodules=none'];

export async function diffBetween(
  checkout: Checkout,
  from: string,
  to: string,
  redactor: Redactor,
): Promise<WorktreeDiff> {
  mustBeCommitId(from);
  mustBeCommitId(to);
  const [numbers, patch] = await Promise.all([
    checkout.inRepo([...PLAIN, '--raw', '--numstat', '-z', from, to]),
    checkout.inRepo([...PLAIN, '-p', from, to], { cutAtBytes: PATCH_LIMIT }),
  ]);
  const text = patch.stdout.toString('utf8');
  // A secret may have been cut in two, and half of one is not recognised.
  const whole = patch.isCut ? text.slice(0, text.lastIndexOf('\n') + 1) : text;
  return { files: parseNumbers(numbers.stdout.toString('utf8')), patch: redactor.redact(whole), isCut: patch.isCut };
}
