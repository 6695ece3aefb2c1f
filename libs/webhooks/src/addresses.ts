import { BlockList, isIP, isIPv6 } from 'node:net';

/** IPv4 that is not a place on the public internet (IANA's registry of special addresses, and multicast). */
const PRIVATE_V4 = [
  '0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24',
  '192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24',
  '224.0.0.0/4', '240.0.0.0/4',
]; // prettier-ignore
/** Only this is public in IPv6: so loopback, ::ffff:…, 64:ff9b::, fc00::, fe80:: and ff00:: are none of it. */
const PUBLIC_V6 = ['2000::/3'];
/** And of that not: protocol assignments with Teredo, documentation, and 6to4, which leads to any IPv4. */
const PRIVATE_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

const privateV4 = blockList(PRIVATE_V4);
const publicV6 = blockList(PUBLIC_V6);
const privateV6 = blockList(PRIVATE_V6);

/** Whether an address is somewhere on the public internet. What is no address is nowhere. */
export function isPublicAddress(address: string): boolean {
  if (address.includes('%')) return false;
  switch (isIP(address)) {
    case 4:
      return !privateV4.check(address, 'ipv4');
    case 6:
      return publicV6.check(address, 'ipv6') && !privateV6.check(address, 'ipv6');
    default:
      return false;
  }
}

/** `10.0.0.0/8`, `fd00::/8`, or a single address; null: it is none of these. */
export function parseRange(text: string): { readonly address: string; readonly prefix: number } | null {
  const [address = '', bits, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0 || address.includes('%')) return null;
  const most = family === 4 ? 32 : 128;
  if (bits === undefined) return { address, prefix: most };
  const prefix = /^\d{1,3}$/.test(bits) ? Number(bits) : -1;
  return prefix >= 0 && prefix <= most ? { address, prefix } : null;
}

export function blockList(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const text of ranges) {
    const range = parseRange(text);
    if (range) list.addSubnet(range.address, range.prefix, familyOf(range.address));
  }
  return list;
}

export function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4';
}

/** Without the brackets of IPv6 and the dot that ends a full name. */
export const hostOf = ({ hostname }: URL): string =>
  hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
