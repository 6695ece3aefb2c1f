import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';

/**
 * What becomes of a link of the user's checkout in the worktree.
 * - kept: it leads to the same place there
 * - turned: it named a place in the checkout by the checkout's own name; it gets a path to the same in the worktree
 * - outside: it leads out of the checkout
 */
export type LinkFate =
  { readonly is: 'kept' } | { readonly is: 'turned'; readonly target: string } | { readonly is: 'outside' };

/** A checkout of a name that no path has: a link that leads to the same place in it needs no name of the checkout. */
const ELSEWHERE = '/\0/\0';

/** `link` is the path of the link from the checkout's root. Nothing is followed: only what the link says counts. */
export function fateOf(link: string, target: string, checkout: string): LinkFate {
  const folder = dirname(join(checkout, link));
  const leadsTo = resolve(folder, target);
  if (leadsTo !== checkout && !leadsTo.startsWith(`${checkout}${sep}`)) return { is: 'outside' };
  const isSameElsewhere =
    !isAbsolute(target) &&
    relative(ELSEWHERE, resolve(ELSEWHERE, dirname(link), target)) === relative(checkout, leadsTo);
  return isSameElsewhere ? { is: 'kept' } : { is: 'turned', target: relative(folder, leadsTo) || '.' };
}
