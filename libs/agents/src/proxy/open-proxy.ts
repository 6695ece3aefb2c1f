import { chmod } from 'node:fs/promises';
import { Agent as HttpAgent, createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { EngineBug, UserError } from '#kernel';
import type { ModelRef } from '#models';
import { removeTree } from '#workspace';
import { AdmittedRun } from './admitted-run.js';
import { answerCall, sendError } from './answer-call.js';
import { anthropicWire } from './anthropic-wire.js';
import type { CallParts } from './call.js';
import { compatibleWire } from './compatible-wire.js';
import { tokenOf } from './headers.js';
import { openaiWire } from './openai-wire.js';
import type { Admission, Proxy, ProxyLimits, ProxyOptions, ProxyRun } from './proxy.port.js';
import { Refusal } from './refusal.js';
import { Room } from './room.js';
import { newSocketFolder } from './socket-folder.js';
import type { Wire } from './wire.js';

const DEFAULTS: ProxyLimits = {
  requestBytes: 16 * 1024 * 1024,
  readingBytes: 64 * 1024 * 1024,
  bodyMs: 60_000,
  answerBytes: 64 * 1024 * 1024,
  headersMs: 600_000,
  idleMs: 300_000,
  callMs: 1_800_000,
};
const WIRES: readonly Wire[] = [anthropicWire, openaiWire, compatibleWire];
/** What a provider's own clients put there; nothing else passes. */
const SEARCH = /^(?:\?[\w=&.-]{1,200})?$/;
const KEEP_OPEN_MS = 65_000;
/** Shorter than any provider keeps a silent connection open: one that it closes just now may swallow a call. */
const KEEP_UPSTREAM_MS = 4_000;
const LONGEST_QUEUE = 256;
/** Of all runs that reach the listener, and of one run on its own socket: each holds a descriptor of this process. */
const MOST_CONNECTIONS = 512;
const MOST_OF_RUN = 64;

/** The proxy on a listener of its own, with nothing but its own routes. */
export async function openProxy(options: ProxyOptions): Promise<Proxy> {
  const opened = new OpenProxy(options, await newSocketFolder());
  try {
    if (options.port !== null) await opened.listen(options.port, options.host);
  } catch (error) {
    await opened.close();
    throw error;
  }
  return opened;
}

class OpenProxy implements Proxy {
  private readonly parts: CallParts;
  private readonly server: Server;
  /** With what ends each of them. */
  private readonly runs = new Map<AdmittedRun, () => Promise<void>>();
  private sockets = 0;

  constructor(
    private readonly options: ProxyOptions,
    private readonly folder: string,
  ) {
    const kept = { keepAlive: true, timeout: KEEP_UPSTREAM_MS };
    const agents = { http: new HttpAgent(kept), https: new HttpsAgent(kept) };
    const limits = { ...DEFAULTS, ...options.limits };
    const bodies = new Room(limits.readingBytes, LONGEST_QUEUE);
    this.parts = { ...options, agents, bodies, limits };
    const find = (token: string) => [...this.runs.keys()].find((run) => run.isMeantBy(token));
    this.server = this.newServer(find, MOST_CONNECTIONS);
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async listen(port: number, host: string): Promise<void> {
    await listening(this.server, { port, host });
  }

  wireOf({ provider }: ModelRef) {
    return this.upstreamOf(provider)?.wire ?? null;
  }

  refusal({ provider }: ModelRef): string | null {
    if (this.upstreamOf(provider)) return null;
    const known = Object.keys(this.options.upstreams);
    const configured = known.length === 0 ? 'no provider has one' : `only ${known.join(', ')} have one`;
    return `a CLI agent calls a real model with the key of its provider, and ${configured}: configure a key for ${provider}, or use the runtime "api"`;
  }

  async admit(run: ProxyRun): Promise<Admission> {
    if (!this.server.listening) throw new EngineBug('PROXY_IS_CLOSED', 'an agent ran where no work is done');
    const upstream = this.upstreamOf(run.model.provider);
    const wire = WIRES.find(({ name }) => name === upstream?.wire);
    if (!upstream || !wire) throw new UserError('PROXY_HAS_NO_UPSTREAM', this.refusal(run.model) ?? '');
    const admitted = new AdmittedRun(run, wire, upstream);
    this.sockets += 1;
    const socketPath = join(this.folder, `${String(this.sockets)}.sock`);
    const server = this.newServer((token) => (admitted.isMeantBy(token) ? admitted : undefined), MOST_OF_RUN);
    await listening(server, { path: socketPath });
    await chmod(socketPath, 0o600);
    const forget = this.options.secrets.learn(admitted.token);
    const end = async (): Promise<void> => {
      this.runs.delete(admitted);
      await admitted.revoke();
      await closed(server);
      forget();
    };
    this.runs.set(admitted, end);
    const { address, port } = this.server.address() as AddressInfo;
    const host = address.includes(':') ? `[${address}]` : address;
    return {
      token: admitted.token,
      url: `http://${host}:${String(port)}${wire.path}`,
      path: wire.path,
      socketPath,
      tally: () => admitted.tally.read(),
      revoke: async () => {
        await end();
        return admitted.tally.read();
      },
    };
  }

  async close(): Promise<void> {
    await Promise.all([...this.runs.values()].map((end) => end()));
    await closed(this.server);
    this.parts.agents.http.destroy();
    this.parts.agents.https.destroy();
    await removeTree(this.folder);
  }

  private upstreamOf(provider: string) {
    return Object.hasOwn(this.options.upstreams, provider) ? this.options.upstreams[provider] : undefined;
  }

  private newServer(find: (token: string) => AdmittedRun | undefined, mostConnections: number): Server {
    const server = createServer((request, response) => {
      this.answer(request, response, find).catch((error: unknown) => {
        this.options.onError(error);
        response.destroy();
      });
    });
    server.keepAliveTimeout = KEEP_OPEN_MS;
    server.maxConnections = mostConnections;
    return server;
  }

  private async answer(
    request: IncomingMessage,
    response: ServerResponse,
    find: (token: string) => AdmittedRun | undefined,
  ): Promise<void> {
    const [path = '', search] = splitUrl(request.url ?? '');
    const wire = WIRES.find((one) => path.startsWith(`${one.path}/`));
    try {
      const admitted = find(tokenOf(request.headers) ?? '');
      if (!admitted) throw new Refusal(401, 'TOKEN_INVALID', 'the token is unknown, or its run has ended');
      const route = wire === admitted.wire ? wire.route(request.method ?? '', path.slice(wire.path.length)) : null;
      if (!route || !SEARCH.test(search)) throw new Refusal(404, 'ROUTE_UNKNOWN', 'this proxy has no such route');
      const gone = new AbortController();
      // With a reason of its own: making an error for each would take longer than the rest.
      response.once('close', () => gone.abort('gone'));
      const signal = AbortSignal.any([gone.signal, admitted.signal]);
      const call = { request, response, admitted, route, search, signal };
      await admitted.during(() => answerCall(call, this.parts), signal);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      // What was not read would be taken for the next request on the connection.
      if (!request.complete) response.setHeader('connection', 'close');
      request.resume();
      sendError(response, wire ?? anthropicWire, error);
    }
  }
}

function splitUrl(url: string): [string, string] {
  const at = url.indexOf('?');
  return at < 0 ? [url, ''] : [url.slice(0, at), url.slice(at)];
}

function listening(server: Server, where: { port: number; host: string } | { path: string }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(where, () => {
      server.removeListener('error', reject);
      resolve();
    });
  });
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
