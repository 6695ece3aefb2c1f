/**
 * - unreachable: there was no connection, so nothing was sent
 * - certificate: the other side is not who it should be, or speaks no TLS
 * - broken: there was a connection, and what was sent over it may have been worked on
 */
export interface ConnectionFault {
  readonly kind: 'unreachable' | 'certificate' | 'broken';
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

/** Looks for Node's error code below what `fetch` and the SDKs wrap around it. */
export function connectionFault(error: unknown): ConnectionFault | null {
  let at: unknown = error;
  for (let depth = 0; depth < 6 && typeof at === 'object' && at !== null; depth += 1) {
    const { code, message, cause, errors } = at as {
      code?: unknown;
      message?: unknown;
      cause?: unknown;
      errors?: unknown;
    };
    const words = typeof message === 'string' ? message : '';
    if (typeof code === 'string') {
      if (UNREACHABLE.has(code)) return { kind: 'unreachable', code, words };
      if (CERTIFICATE.test(code)) return { kind: 'certificate', code, words };
      // The HTTP parser's codes begin like this: what came was no HTTP.
      if (BROKEN.has(code) || code.startsWith('HPE_')) return { kind: 'broken', code, words };
    }
    at = cause ?? (Array.isArray(errors) ? (errors as unknown[])[0] : undefined);
  }
  return null;
}
