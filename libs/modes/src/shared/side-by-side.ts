/** Both to their end: neither is left running where the other one fails. The first one's failure counts before the second's. */
export async function sideBySide<A, B>(first: Promise<A>, second: Promise<B>): Promise<readonly [A, B]> {
  const [a, b] = await Promise.allSettled([first, second]);
  if (a.status === 'rejected') throw a.reason;
  if (b.status === 'rejected') throw b.reason;
  return [a.value, b.value];
}
