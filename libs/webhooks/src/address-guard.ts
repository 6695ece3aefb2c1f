import type { LookupAddress } from 'node:dns';
import { type BlockList, isIP } from 'node:net';
import { errorMessage, UserError } from '#kernel';
import { blockList, familyOf, hostOf, isPublicAddress, parseRange } from './addresses.js';
import type { Resolve } from './resolve.js';
import { within } from './within.js';

/** Below 1024 are services that do not expect a stranger's POST. */
const LOW_PORTS = ['80', '443'];

/**
 * Decides where messages may go. Addresses that the service can reach and the world cannot are refused, whatever form
 * they come in: what counts is the address that is really connected to, so a name is judged by every address that it
 * has at that moment, and only those that were judged are used.
 * `allowed` names exceptions, hosts or ranges of addresses, which may also be plain http.
 */
export class AddressGuard {
  private readonly hosts: ReadonlySet<string>;
  private readonly ranges: BlockList;
  /** Names that are being asked for. */
  private readonly asked = new Map<string, Promise<readonly LookupAddress[]>>();

  constructor(
    allowed: readonly string[],
    private readonly resolve: Resolve,
    /** So long a name may take. */
    private readonly resolveMs: number,
  ) {
    this.hosts = new Set(allowed.filter((one) => !parseRange(one)).map((one) => one.toLowerCase()));
    this.ranges = blockList(allowed);
  }

  /** Refuses what cannot be right whatever the name stands for. */
  checkUrl(text: string): URL {
    const url = URL.canParse(text) ? new URL(text) : null;
    if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) throw refused('it is no http address');
    if (url.username !== '' || url.password !== '') throw refused('it carries credentials');
    if (url.hash !== '') throw refused('it carries a fragment, which is never sent');
    const { port } = url;
    if (port !== '' && Number(port) < 1_024 && !LOW_PORTS.includes(port)) throw refused(`port ${port} is not for this`);
    const host = hostOf(url);
    if (host === '') throw refused('it names no host');
    if (isIP(host) !== 0) this.checkAddresses(url, [host]);
    else if (this.ranges.rules.length === 0) this.mustBeSecure(url, []);
    return url;
  }

  /** As `checkUrl`, and by what the name stands for now, if it stands for anything: it may come to do so later. */
  async checkNow(text: string): Promise<URL> {
    const url = this.checkUrl(text);
    const host = hostOf(url);
    if (isIP(host) !== 0) return url;
    const found = await this.ask(host).catch(() => []);
    if (found.length === 0) this.mustBeSecure(url, []);
    else this.checkAddresses(url, found.map(({ address }) => address)); // prettier-ignore
    return url;
  }

  /** The addresses to connect to: all that the host has, each of them judged. */
  async addressesOf(url: URL): Promise<readonly LookupAddress[]> {
    const host = hostOf(url);
    const family = isIP(host);
    const found = family === 0 ? await this.found(host) : [{ address: host, family }];
    this.checkAddresses(url, found.map(({ address }) => address)); // prettier-ignore
    return found;
  }

  isAllowed(url: URL, address: string): boolean {
    return this.isNamed(url) || isPublicAddress(address) || this.isInRange(address);
  }

  private checkAddresses(url: URL, addresses: readonly string[]): void {
    const inside = addresses.find((address) => !this.isAllowed(url, address));
    if (inside !== undefined) throw refused(`${hostOf(url)} is not on the public internet`);
    this.mustBeSecure(url, addresses);
  }

  private mustBeSecure(url: URL, addresses: readonly string[]): void {
    if (url.protocol === 'https:' || this.isNamed(url)) return;
    if (addresses.length > 0 && addresses.every((address) => this.isInRange(address))) return;
    throw refused('it is not https');
  }

  private async found(host: string): Promise<readonly LookupAddress[]> {
    const found = await this.ask(host).catch((error: unknown) => {
      throw new UserError('WEBHOOK_UNRESOLVED', `${host} has no address: ${errorMessage(error)}`);
    });
    if (found.length === 0) throw new UserError('WEBHOOK_UNRESOLVED', `${host} has no address`);
    return found;
  }

  /**
   * One question per name at a time, whose answer all get that wait for it. One that is not answered in time has
   * failed for all of them, and for whoever comes while it is still open.
   */
  private ask(host: string): Promise<readonly LookupAddress[]> {
    const asked = this.asked.get(host);
    if (asked) return asked;
    const over = AbortSignal.timeout(this.resolveMs);
    const question = this.resolve(host, over).finally(() => this.asked.delete(host));
    const answer = within(over, question).catch((error: unknown) => {
      throw over.aborted ? new Error(`no answer within ${String(this.resolveMs)} ms`) : error;
    });
    this.asked.set(host, answer);
    return answer;
  }

  private isNamed = (url: URL): boolean => this.hosts.has(hostOf(url));

  private isInRange = (address: string): boolean =>
    isIP(address) !== 0 && this.ranges.check(address, familyOf(address));
}

function refused(why: string): UserError {
  const advice = 'Give an https address on the public internet; QRALPH_WEBHOOK_ALLOW names exceptions';
  return new UserError('WEBHOOK_URL_REFUSED', `messages are not sent there: ${why}. ${advice}.`, { reason: why });
}
