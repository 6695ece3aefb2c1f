import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { noUsage, type Usage } from '#models';
import { anthropicWire } from './anthropic-wire.js';
import { completionsWire } from './completions-wire.js';
import { deliver } from './deliver.js';
import { answerOther } from './other-requests.js';
import { parsed, protocolOf, readBody, toolsOf, turnOf } from './read-call.js';
import type { CallBody, Fault, ModelCall, OtherRequest, Protocol, Reply, Script } from './reply.js';
import { responsesWire } from './responses-wire.js';
import { inOrder } from './scripts.js';
import { schemaRefusal } from './strict-schema.js';
import { usageOf, type Wire } from './wire.js';

const WIRES: Record<Protocol, Wire> = {
  anthropic: anthropicWire,
  responses: responsesWire,
  completions: completionsWire,
};

export interface ModelServerOptions {
  /** Who asks with another key is refused with 401. */
  readonly key?: string;
}

/** A pretended provider on 127.0.0.1 that speaks the protocols of Anthropic and OpenAI as they are on the wire. */
export interface ModelServer {
  /** Base URL as Anthropic's SDK wants it; OpenAI's wants `openaiUrl`. */
  readonly url: string;
  readonly openaiUrl: string;
  readonly calls: readonly ModelCall[];
  readonly others: readonly OtherRequest[];
  /** From now on calls are answered by this. */
  use(script: Script | readonly Reply[]): void;
  /** All that a provider would have billed. */
  billed(): Usage;
  stop(): Promise<void>;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export async function startModelServer(
  script: Script | readonly Reply[] = [],
  { key }: ModelServerOptions = {},
): Promise<ModelServer> {
  const calls: Mutable<ModelCall>[] = [];
  const others: OtherRequest[] = [];
  let current = scriptOf(script);

  const answer = async (request: IncomingMessage, out: ServerResponse): Promise<void> => {
    const path = new URL(request.url ?? '/', 'http://x').pathname;
    const headers = flat(request);
    const text = await readBody(request);
    const protocol = request.method === 'POST' ? protocolOf(path) : null;
    const body = parsed(text);
    if (protocol === null || body === null) {
      const other = { method: request.method ?? '', path, headers, body: text };
      others.push(other);
      answerOther(other, out);
      return;
    }
    const call = callOf(calls.length + 1, protocol, path, headers, body);
    calls.push(call);
    out.once('close', () => (call.isAbandoned = !out.writableFinished));
    const isKnown = key === undefined || keyOf(headers) === key;
    const reply = isKnown ? (schemaRefusal(protocol, body) ?? (await current(call))) : BAD_KEY;
    const usage = usageOf(call, reply);
    call.usage = reply.usage === null ? null : usage;
    if (isBilled(reply.fault)) call.billed = usage;
    const wire = WIRES[protocol];
    await deliver({ call, reply, wire, answer: wire.render(call, reply, call.usage), out });
  };

  const server = createServer((request, out) => {
    answer(request, out).catch((error: unknown) => {
      // A fault of the test's own script must not look like one of the wire.
      if (!out.headersSent) out.writeHead(500, { 'content-type': 'application/json' });
      out.end(JSON.stringify({ error: { type: 'script_error', message: String(error) } }));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    openaiUrl: `${url}/v1`,
    calls,
    others,
    use: (next) => (current = scriptOf(next)),
    billed: () => calls.reduce((sum, { billed }) => plus(sum, billed ?? noUsage), noUsage),
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

const BAD_KEY: Reply = { fault: { kind: 'status', status: 401, words: 'invalid x-api-key', code: 'invalid_api_key' } };

function scriptOf(script: Script | readonly Reply[]): Script {
  return typeof script === 'function' ? script : inOrder(script);
}

function callOf(
  number: number,
  protocol: Protocol,
  path: string,
  headers: Record<string, string>,
  body: CallBody,
): Mutable<ModelCall> {
  return {
    number,
    protocol,
    path,
    headers,
    body,
    model: typeof body['model'] === 'string' ? body['model'] : '',
    isStream: body['stream'] === true,
    turn: turnOf(protocol, body),
    tools: toolsOf(body),
    usage: null,
    billed: null,
    isAbandoned: false,
  };
}

function isBilled(fault: Fault | undefined): boolean {
  if (fault?.kind === 'reset') return fault.afterEvents > 0;
  return fault?.kind !== 'status' && fault?.kind !== 'html' && fault?.kind !== 'empty';
}

function keyOf(headers: Record<string, string>): string | undefined {
  return headers['x-api-key'] ?? headers['authorization']?.replace(/^Bearer /, '');
}

function flat(request: IncomingMessage): Record<string, string> {
  return Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
}

function plus(a: Usage, b: Usage): Usage {
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite,
    reasoning: a.reasoning + b.reasoning,
  };
}
