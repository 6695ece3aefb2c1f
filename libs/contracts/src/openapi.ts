import { z } from 'zod';
import type { Json, JsonObject } from '#kernel';
import { Problem } from './problem.js';
import { named } from './registry.js';
import type { Route, Success } from './route.js';
import { routes } from './routes.js';

const ref = (id: string): JsonObject => ({ $ref: `#/components/schemas/${id}` });

/** The OpenAPI 3.1 document, built from the route table and the schemas alone. */
export function openApiDocument(): JsonObject {
  return {
    openapi: '3.1.0',
    info: {
      title: 'QRALPH',
      version: '1',
      summary: 'Carries a request for a git repository to a proven end with a team of AI agents.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    security: [{ key: [] }],
    paths: paths(),
    components: {
      securitySchemes: { key: { type: 'http', scheme: 'bearer', description: 'An API key: `qr_…`' } },
      schemas: components(),
    },
  };
}

function paths(): JsonObject {
  const byPath: Record<string, Record<string, Json>> = {};
  for (const [operationId, route] of Object.entries<Route>(routes)) {
    (byPath[route.path] ??= {})[route.method] = operation(operationId, route);
  }
  return byPath;
}

function operation(operationId: string, route: Route): JsonObject {
  const access = route.access;
  const needs = access === 'open' ? null : `Needs \`${access.scope}\`${access.human ? ' and a human principal' : ''}.`;
  return {
    operationId,
    tags: [route.tag],
    summary: route.summary,
    ...(needs === null ? { security: [] } : { description: needs }),
    parameters: [
      ...parameters('path', route.params),
      ...parameters('query', route.query),
      ...(route.isIdempotent
        ? [header('Idempotency-Key', 'Repeats with the same key and body are answered once')]
        : []),
      ...(route.success.also?.includes('text/event-stream') ? [header('Last-Event-ID', 'Resume after it')] : []),
    ],
    ...(route.body && {
      requestBody: { required: true, content: { 'application/json': { schema: schemaOf(route.body, 'input') } } },
    }),
    responses: responses(route),
  };
}

function responses(route: Route): JsonObject {
  const answers: Record<string, Json> = {};
  for (const answer of [route.success, ...(route.others ?? [])]) answers[answer.status] = responseOf(answer);
  for (const status of failuresOf(route)) {
    answers[status] = {
      description: FAILURES[status] ?? 'Failure',
      content: { 'application/problem+json': { schema: schemaOf(Problem, 'output') } },
    };
  }
  return answers;
}

function responseOf({ status, schema, mediaType = 'application/json', also = [], ...answer }: Success): JsonObject {
  const content: Record<string, Json> = {};
  if (status !== 204) content[mediaType] = schema ? { schema: schemaOf(schema, 'output') } : {};
  for (const other of also) content[other] = { schema: { type: 'string' } };
  return {
    description: answer.description,
    ...(Object.keys(content).length > 0 && { content }),
    ...(answer.hasLocation && { headers: { Location: { schema: { type: 'string' } } } }),
  };
}

const FAILURES: Readonly<Record<number, string>> = {
  400: 'The request cannot be read',
  401: 'No valid API key',
  403: 'The key may not do this',
  404: 'There is no such thing',
  409: 'Not now',
  413: 'The body is too large',
  415: 'The body is not JSON',
  422: 'The request was understood and cannot be done',
  429: 'Too much at once: wait as long as `Retry-After` says',
  503: 'Something this service needs is away; try again, after `ANSWER_LOST` only with an Idempotency-Key or a look first',
};

function failuresOf(route: Route): number[] {
  const guarded = route.access === 'open' ? [] : [400, 401, 403, 503];
  const withBody = route.body ? [413, 415, 422] : [];
  const repeated = route.isIdempotent ? [409, 422] : [];
  return [...new Set([...guarded, ...withBody, ...repeated, ...(route.failures ?? [])])].sort((a, b) => a - b);
}

function header(name: string, description: string): JsonObject {
  return { name, in: 'header', required: false, description, schema: { type: 'string' } };
}

function parameters(where: 'path' | 'query', schema: z.ZodObject | undefined): JsonObject[] {
  return Object.entries(schema?.shape ?? {}).map(([name, field]) => {
    const { description, ...rest } = schemaOf(field as z.ZodType, 'input') as { description?: string } & JsonObject;
    const required = where === 'path' || !(field as z.ZodType).safeParse(undefined).success;
    return { name, in: where, required, ...(description !== undefined && { description }), schema: rest };
  });
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonObject {
  const id = named.get(schema)?.id;
  if (id !== undefined) return ref(id);
  return without(z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as JsonObject, ['$schema']);
}

/** Bodies are described as they are sent (defaults optional), answers as they are received. */
function components(): JsonObject {
  const sent = new Set(
    Object.values<Route>(routes).flatMap((route) => (route.body ? [named.get(route.body)?.id] : [])),
  );
  const uri = (id: string): string => `#/components/schemas/${id}`;
  const asSent = z.toJSONSchema(named, { io: 'input', uri, unrepresentable: 'any' }).schemas;
  const asReceived = z.toJSONSchema(named, { io: 'output', uri, unrepresentable: 'any' }).schemas;
  const ids = [...Object.keys(asReceived)].filter((id) => !id.startsWith('__')).sort();
  return Object.fromEntries(
    ids.map((id) => [id, without((sent.has(id) ? asSent : asReceived)[id] as JsonObject, ['$schema', '$id', 'id'])]),
  );
}

function without(object: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)));
}

/** The committed form of the document. */
export const openApiText = (): string => `${JSON.stringify(openApiDocument(), null, 2)}\n`;
