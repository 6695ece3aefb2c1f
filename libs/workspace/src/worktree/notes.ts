import { stat } from 'node:fs/promises';
import type { Checkout } from './checkout.js';
import { isShallow } from './resolve-ref.js';

/** What the user may want to know of a repository that is worked on all the same. */
export async function notesOn(checkout: Checkout, signal: AbortSignal): Promise<readonly string[]> {
  const [head, changed, shallow, owner] = await Promise.all([
    checkout.inRepo(['symbolic-ref', '-q', 'HEAD'], { answers: [1], signal }),
    checkout.inRepo(['diff', '--quiet', '--no-ext-diff', '--no-textconv', '--ignore-submodules=all', 'HEAD'], {
      answers: [1, 128],
      signal,
      env: { GIT_OPTIONAL_LOCKS: '0' },
    }),
    isShallow(checkout),
    stat(checkout.place.commonDir).then(({ uid }) => uid),
  ]);
  const own = process.getuid?.() ?? owner;
  return [
    head.exitCode === 0 ? null : 'Your checkout is on no branch (detached HEAD); it stays so.',
    changed.exitCode === 1 ? 'Your checkout has changes that are not committed; the project works without them.' : null,
    // All that a worktree needs is the commit itself with its files, and those a shallow clone has.
    shallow
      ? 'The repository is shallow: history before its edge cannot be seen. git fetch --unshallow brings it.'
      : null,
    owner === own
      ? null
      : `The repository belongs to another user (${String(owner)}): what the project adds to it belongs to ${String(own)}.`,
  ].filter((note) => note !== null);
}
