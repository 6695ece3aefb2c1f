/**
 * - unreachable: there was no connection, so nothing was sent
 * - certificate: the other side is not who it should be, or speaks no TLS
 * - address: one that nothing is ever sent to
 * - header: what has to go along cannot be sent; of all that does, only the key is not ours
 * - broken: there was a connection, and what was sent over it may have been worked on
 */
export interface ConnectionFault {
  readonly kind: 'unreachable' | 'certificate' | 'address' | 'header' | 'broken';
  readonly code: string;
  readonly words: string;
}

const UNREACHABLE = new Set([
  'ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL', 'UND_ERR_CONNECT_TIMEOUT',
]); // prettier-ignore
const BROKEN = new Set([
  'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'UND_ERR_SOCKET', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT',
  'UND_ERR_HEADERS_OVERFLOW', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'UND_ERR_DESTROYED', 'UND_ERR_CLOSED',
]); // prettier-ignore
const CERTIFICATE =
  /^(?:CERT_|ERR_TLS_|ERR_SSL_|DEPTH_ZERO_SELF_SIGNED|SELF_SIGNED|UNABLE_TO_(?:GET|VERIFY)|HOSTNAME_MISMATCH)/;

/** Whatever fails in these has not begun to send. */
const BEFORE_SENDING = new Set<unknown>(['connect', 'getaddrinfo']);
const BEFORE_TLS = /^Client network socket disconnected before secure TLS connection/;
/** What `fetch` refuses by itself has no code: only its words. */
const REFUSED_ADDRESS = new Set(['bad port', 'unknown scheme', 'URL scheme must be a HTTP(S) scheme']);
const WITH_PASSWORD = /^Request cannot be constructed from a URL that includes credentials/;
const REFUSED_HEADER = /is an invalid header value|Cannot convert argument to a ByteString/;

interface Thrown {
  readonly code?: unknown;
  readonly syscall?: unknown;
  readonly message?: unknown;
  readonly cause?: unknown;
  readonly errors?: unknown;
}

/** Looks for Node's error code below what `fetch` and the SDKs wrap around it. */
export function connectionFault(error: unknown): ConnectionFault | null {
  let at: unknown = error;
  let around: unknown = null;
  for (let depth = 0; depth < 6 && typeof at === 'object' && at !== null; depth += 1) {
    const thrown: Thrown = at;
    const fault = refusedByFetch(thrown, around) ?? byCode(thrown);
    if (fault) return fault;
    around = at;
    at = firstOf(thrown) ?? thrown.cause;
  }
  return null;
}

function refusedByFetch(thrown: Thrown, around: unknown): ConnectionFault | null {
  const words = wordsOf(thrown);
  const address = { kind: 'address', code: 'REFUSED_ADDRESS' } as const;
  if (around instanceof TypeError && REFUSED_ADDRESS.has(words)) return { ...address, words };
  if (!(thrown instanceof TypeError)) return null;
  // These quote what they refuse.
  if (WITH_PASSWORD.test(words)) return { ...address, words: 'it has a user or a password in it' };
  if (!REFUSED_HEADER.test(words)) return null;
  return { kind: 'header', code: 'REFUSED_HEADER', words: 'it has a character that no header can carry' };
}

function byCode(thrown: Thrown): ConnectionFault | null {
  const { code, syscall } = thrown;
  // Of several the first one says more: which call it failed in.
  if (typeof code !== 'string' || firstOf(thrown) !== null) return null;
  const words = wordsOf(thrown);
  if (code === 'ERR_INVALID_URL') return { kind: 'address', code, words };
  if (CERTIFICATE.test(code)) return { kind: 'certificate', code, words };
  const isUnsent = UNREACHABLE.has(code) || BEFORE_SENDING.has(syscall) || BEFORE_TLS.test(words);
  if (isUnsent) return { kind: 'unreachable', code, words };
  // The HTTP parser's codes begin like this: what came was no HTTP.
  return BROKEN.has(code) || code.startsWith('HPE_') ? { kind: 'broken', code, words } : null;
}

/** Where a name has several addresses there is an error for each. */
const firstOf = ({ errors }: Thrown): unknown => (Array.isArray(errors) ? ((errors as unknown[])[0] ?? null) : null);

const wordsOf = ({ message }: Thrown): string => (typeof message === 'string' ? message : '');
