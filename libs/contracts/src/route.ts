import type { z } from 'zod';
import type { Scope } from './api-key.js';

/** One operation of the API: the server registers it, the guard reads its access, OpenAPI is built from it. */
export interface Route {
  readonly method: 'get' | 'post' | 'patch' | 'delete';
  /** In OpenAPI's spelling: `/v1/projects/{id}`. */
  readonly path: string;
  readonly summary: string;
  readonly tag:
    | 'projects'
    | 'gates'
    | 'checkpoints'
    | 'workspace'
    | 'team'
    | 'capabilities'
    | 'costs'
    | 'memory'
    | 'webhooks'
    | 'machines'
    | 'api-keys'
    | 'service';
  readonly access: Access;
  readonly params?: z.ZodObject;
  /** The last parameter of the path, where it takes all the rest: slashes and all. */
  readonly rest?: string;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodObject;
  /** Honours `Idempotency-Key`: the answer is stored, but for what is `shownOnce`. */
  readonly isIdempotent?: true;
  /** The field of the answer, by its path, that is a secret: it is not stored, and null where the answer is repeated. */
  readonly shownOnce?: readonly string[];
  readonly success: Success;
  /** Answers under another status that are no failures either, or failures that are told otherwise than the rest. */
  readonly others?: readonly Success[];
  /** Statuses of failure that are this route's own; those of every guarded route are added by themselves. */
  readonly failures?: readonly number[];
}

/** `human: 'inside'`: a service is refused by whoever would do it, and leaves word with what it was refused. */
export type Access = 'open' | { readonly scope: Scope; readonly human?: true | 'inside' };

export interface Success {
  readonly status: number;
  readonly description: string;
  readonly schema?: z.ZodType;
  /** Further representations of the same answer. */
  readonly also?: readonly string[];
  readonly mediaType?: string;
  readonly hasLocation?: true;
}

/** What a call of a route is answered with. */
export type AnswerOf<R extends Route> = R['success'] extends { readonly schema: z.ZodType<infer T> } ? T : undefined;
