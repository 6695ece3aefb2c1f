import type { NextFunction, Request, Response } from 'express';
import { UserError } from '#kernel';

const ALWAYS = ['localhost', '127.0.0.1', '[::1]'];

/**
 * A page on the web may make a browser send requests to this machine under a name of its own (DNS rebinding), or from
 * its own origin. Neither gets as far as the keys.
 */
export function hostCheck(config: { readonly host: string; readonly allowedHosts: readonly string[] }) {
  const allowed = new Set([...ALWAYS, ...[config.host, ...config.allowedHosts].map(asHostname)]);
  return (request: Request, _response: Response, next: NextFunction): void => {
    const { host, origin } = request.headers;
    if (host === undefined || !allowed.has(asHostname(host))) {
      next(
        new UserError(
          'HOST_NOT_ALLOWED',
          'The Host header names a host this service does not answer for. Call it as localhost, or add the name to QRALPH_ALLOWED_HOSTS.',
        ),
      );
    } else if (origin !== undefined && !isSameHost(origin, host)) {
      next(
        new UserError(
          'ORIGIN_NOT_ALLOWED',
          'The request comes from a web page of another origin. Call the API from its own origin or from outside a browser.',
        ),
      );
    } else next();
  };
}

/** `Example.org:3000` → `example.org`; an IPv6 address stands in brackets, as in a URL. */
function asHostname(host: string): string {
  const bare = host.toLowerCase();
  if (bare.startsWith('[')) return bare.replace(/\]:\d+$/, ']');
  return bare.split(':').length > 2 ? `[${bare}]` : bare.replace(/:\d+$/, '');
}

function isSameHost(origin: string, host: string): boolean {
  return URL.canParse(origin) && new URL(origin).host === URL.parse(`http://${host}`)?.host;
}
