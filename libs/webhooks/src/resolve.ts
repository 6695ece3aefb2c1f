import type { LookupAddress } from 'node:dns';
import { lookup, Resolver } from 'node:dns/promises';

/** All addresses of a name. Nobody waits for what is answered after `over`. */
export type Resolve = (name: string, over: AbortSignal) => Promise<readonly LookupAddress[]>;

const TRY_MS = 2_000;
const TRIES = 2;
/** Some servers never answer for the family that they have nothing of. */
const OTHER_FAMILY_MS = 300;

/**
 * Asks name servers, those of the machine unless others are given. Not as `lookup` does: that takes one of the
 * process's four threads until the machine's resolver gives up, so a handful of names whose servers are silent would
 * hold up every other name, and the files. This is sockets alone, and ends when it is told to.
 */
export const fromNameServers =
  (servers: readonly string[] = []): Resolve =>
  async (name, over) => {
    const resolver = new Resolver({ timeout: TRY_MS, tries: TRIES });
    if (servers.length > 0) resolver.setServers(servers);
    const cancel = (): void => resolver.cancel();
    over.addEventListener('abort', cancel, { once: true });
    const families = [found(resolver.resolve4(name), 4), found(resolver.resolve6(name), 6)];
    let grace: NodeJS.Timeout | undefined;
    for (const family of families) void family.then(() => (grace ??= setTimeout(cancel, OTHER_FAMILY_MS)), () => null); // prettier-ignore
    const settled = await Promise.allSettled(families);
    clearTimeout(grace);
    over.removeEventListener('abort', cancel);
    const addresses = settled.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
    const [failure] = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason as Error] : []));
    if (addresses.length === 0 && failure) throw failure;
    return addresses;
  };

const found = async (addresses: Promise<readonly string[]>, family: number): Promise<LookupAddress[]> =>
  (await addresses).map((address) => ({ address, family }));

/**
 * As this machine does it: strangers' names of the name servers, and those that only it may know, by its hosts file or
 * as the name of a neighbour, of its own resolver. These are what the operator named, and no others: a name without a dot
 * would take a thread as well as any.
 */
export function asThisMachine(named: readonly string[], strangers = fromNameServers()): Resolve {
  const own = new Set(named.map((name) => name.toLowerCase()));
  return (name, over) => (own.has(name) ? lookup(name, { all: true }) : strangers(name, over));
}
