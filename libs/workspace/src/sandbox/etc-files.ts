import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { realPathOf } from './sandbox-paths.js';

export const SANDBOX_USER = { name: 'sandbox', id: 1000 } as const;

const { name, id } = SANDBOX_USER;
const uid = String(id);

/** What programs need to find their libraries, certificates, time zone and settings. No accounts, no keys. */
const SHOWN = [
  'ld.so.cache', 'ld.so.conf', 'ld.so.conf.d', 'alternatives', 'localtime', 'timezone', 'os-release', 'debian_version',
  'ssl/certs', 'ssl/openssl.cnf', 'ca-certificates', 'ca-certificates.conf', 'pki/ca-trust', 'pki/tls/certs',
  'crypto-policies', 'mime.types', 'magic', 'protocols', 'services', 'ethertypes', 'locale.alias', 'locale.conf',
  'inputrc', 'terminfo', 'fonts', 'perl', 'maven/m2.conf', 'maven/logging', 'gai.conf',
]; // prettier-ignore
const SHOWN_FAMILIES = /^(?:java|python|ruby|php)[-.\d]/;
const FOR_NETWORK = ['resolv.conf', 'hosts', 'host.conf'];

/** Made up for the inside. */
const OWN = {
  passwd: `root:x:0:0::/:/bin/sh\n${name}:x:${uid}:${uid}::/tmp/home:/bin/sh\nnobody:x:65534:65534::/:/bin/false\n`,
  group: `root:x:0:\n${name}:x:${uid}:\nnogroup:x:65534:\n`,
  'nsswitch.conf': 'passwd: files\ngroup: files\nhosts: files dns\n',
  // Who owns the repository outside does not matter inside: all of it is read-only. No hook of it is to be seen, and no
  // other place is named for hooks: what installs some would try to write there.
  gitconfig: '[safe]\n\tdirectory = *\n[gc]\n\tauto = 0\n',
} as const;

const HOSTS = { hosts: '127.0.0.1 localhost sandbox\n::1 localhost sandbox\n' };

/** Files of /etc inside: the host's own by their real path, and texts of ours. */
export function etcFiles(network: 'none' | 'host'): { shown: [real: string, name: string][]; own: [string, string][] } {
  const families = readdirSync('/etc').filter((one) => SHOWN_FAMILIES.test(one));
  const names = [...SHOWN, ...families, ...(network === 'host' ? FOR_NETWORK : [])];
  const shown = names.flatMap((one): [string, string][] => {
    const real = realPathOf(join('/etc', one));
    return real === null ? [] : [[real, join('/etc', one)]];
  });
  const own = Object.entries({ ...OWN, ...(network === 'none' && HOSTS) });
  return { shown, own: own.map(([one, text]) => [join('/etc', one), text]) };
}
