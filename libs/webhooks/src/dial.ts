import type { LookupAddress } from 'node:dns';
import { connect, isIP, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { AddressGuard } from './address-guard.js';
import { hostOf } from './addresses.js';

/**
 * A connection to one of the addresses that were judged. Where it really got to is looked at before a byte is sent: TLS
 * begins after that, as its first words already name whom they are for.
 */
export async function dial(
  guard: AddressGuard,
  url: URL,
  addresses: readonly LookupAddress[],
  signal: AbortSignal,
): Promise<Socket> {
  const [host, isSecure] = [hostOf(url), url.protocol === 'https:'];
  const port = url.port === '' ? (isSecure ? 443 : 80) : Number(url.port);
  const socket = await new Promise<Socket>((resolve, reject) => {
    const made = connect({ host, port, lookup: lookupOf(addresses), signal });
    // It stays: what goes wrong before the request listens is known to be lost by its time.
    made.on('error', reject);
    made.once('connect', () => {
      const { remoteAddress = '' } = made;
      if (guard.isAllowed(url, remoteAddress)) return resolve(made);
      made.destroy();
      reject(new Error(`connected to ${remoteAddress}, which is not on the public internet`));
    });
  });
  if (!isSecure) return socket;
  const servername = isIP(host) === 0 ? host : '';
  return connectTls({ socket, host, servername, ALPNProtocols: ['http/1.1'] }).on('error', () => undefined);
}

/** Gives the addresses that were judged, whatever the name stands for by now. */
function lookupOf(addresses: readonly LookupAddress[]): LookupFunction {
  const [first = { address: '', family: 4 }] = addresses;
  return (_name, { all }, callback) => {
    if (all) callback(null, [...addresses]);
    else callback(null, first.address, first.family);
  };
}
