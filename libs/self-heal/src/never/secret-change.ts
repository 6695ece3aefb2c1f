import { BLOT, secrets } from '#kernel';
import type { ChangedFile } from './diff-files.js';

/** Files that are there to hold secrets. `.env.example` and public keys hold none; code about them is code. */
const SECRET_FILES: readonly RegExp[] = [
  /^\.env(?:\.(?!(?:example|sample|template|dist|defaults?)$).{1,100})?$/i,
  /\.(?:pem|key|p12|pfx|jks|keystore|kdbx)$/i,
  /^id_(?:rsa|dsa|ecdsa|ed25519)$/,
  /^\.?credentials(?:\.(?:json|ya?ml|toml|ini|xml))?$/i,
  /^\.?secrets?(?:\.[\w-]{1,40})?\.(?:json|ya?ml|toml|ini|env|enc|txt)$/i,
  /^(?:\.netrc|\.pgpass|\.htpasswd|\.npmrc|\.pypirc|\.git-credentials|service-account[\w-]{0,60}\.json)$/i,
];

/** Why a change is one of secrets; null where it is not. A line that was changed holds one if it would be blotted out. */
export function secretChange({ path, lines }: ChangedFile): string | null {
  const name = path.split('/').at(-1) ?? path;
  if (SECRET_FILES.some((file) => file.test(name))) return `it changes ${path}, which holds secrets`;
  const isSecret = lines.some((line) => /^[-+]/.test(line) && holdsSecret(line.slice(1)));
  return isSecret ? `it changes a secret in ${path}` : null;
}

/** A diff that went through the redactor before has its mark instead. */
const holdsSecret = (line: string): boolean => line.includes(BLOT) || secrets.redact(line) !== line;
