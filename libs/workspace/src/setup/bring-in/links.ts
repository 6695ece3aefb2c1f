import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';

/**
 * What becomes of a link of the user's checkout in the worktree.
 * - kept: it leads to the same place there
 * - turned: it named a place in the checkout by its whole path; it gets a path that leads to the worktree's own
 * - outside: it leads out of the checkout
 */
export type LinkFate =
  { readonly is: 'kept' } | { readonly is: 'turned'; readonly target: string } | { readonly is: 'outside' };

/** `link` is the path of the link from the checkout's root. Nothing is followed: only what the link says counts. */
export function fateOf(link: string, target: string, checkout: string): LinkFate {
  const folder = dirname(join(checkout, link));
  const leadsTo = resolve(folder, target);
  if (leadsTo !== checkout && !leadsTo.startsWith(`${checkout}${sep}`)) return { is: 'outside' };
  return isAbsolute(target) ? { is: 'turned', target: relative(folder, leadsTo) || '.' } : { is: 'kept' };
}
