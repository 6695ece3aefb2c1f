import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import type { Request } from 'express';
import type { Observable } from 'rxjs';
import { parseJsonStrict, UserError } from '#kernel';
import { routeOf } from '../endpoint.js';

const LIMITS = { maxDepth: 32, maxBytes: 1_000_000 };
const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;

/** Reads the body, once the caller is known to be allowed, before anything interprets it. */
export class StrictBodyInterceptor implements NestInterceptor {
  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    if (routeOf(context)?.body) {
      const request = context.switchToHttp().getRequest<Request>();
      request.body = parseJsonStrict(await textOf(request), LIMITS);
    }
    return next.handle();
  }
}

async function textOf(request: Request): Promise<string> {
  const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = request.headers;
  if (!JSON_TYPE.test(type) || encoding !== 'identity') {
    throw new UserError('CONTENT_TYPE_UNSUPPORTED', 'Send the body as uncompressed `Content-Type: application/json`.');
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > LIMITS.maxBytes) {
      throw new UserError('JSON_TOO_LARGE', `The body is too large; send at most ${String(LIMITS.maxBytes)} bytes.`);
    }
    chunks.push(chunk);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch (cause) {
    throw new UserError('JSON_MALFORMED', 'The body is not UTF-8; encode it as that.', {}, { cause });
  }
}
