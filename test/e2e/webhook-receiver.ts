import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

export interface Received {
  readonly id: string;
  readonly type: string;
  readonly data: { readonly project?: Readonly<Record<string, string | number>> } & Readonly<Record<string, unknown>>;
}

/** Answers the nth attempt of a message; null: never. */
export type Behaviour = (nth: number, id: string) => number | null;

/**
 * A receiver as somebody would write one: each path has a secret and a behaviour of its own, and what it takes it has
 * verified with the reference library. What does not verify is kept apart.
 */
export class WebhookReceiver {
  readonly accepted = new Map<string, Received[]>();
  readonly forged: string[] = [];
  readonly headers: IncomingMessage['headers'][] = [];
  private readonly secrets = new Map<string, string>();
  private readonly behaviours = new Map<string, Behaviour>();
  private readonly attempts = new Map<string, number>();

  private constructor(private readonly server: Server) {}

  static async open(): Promise<WebhookReceiver> {
    const server = createServer();
    const receiver = new WebhookReceiver(server);
    server.on('request', (request, response) => void receiver.receive(request, response));
    await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
    return receiver;
  }

  /** `localhost` is in the allow-list of the service. */
  url(path: string): string {
    return `http://localhost:${String((this.server.address() as AddressInfo).port)}/${path}`;
  }

  expect(path: string, secret: string, behaviour: Behaviour = () => 204): void {
    this.secrets.set(path, secret);
    this.behaviours.set(path, behaviour);
  }

  received(path: string): readonly Received[] {
    return this.accepted.get(path) ?? [];
  }

  attemptsAt(path: string): number {
    return [...this.attempts].filter(([key]) => key.startsWith(`${path} `)).reduce((sum, [, count]) => sum + count, 0);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const path = (request.url ?? '/').slice(1);
    const id = String(request.headers['webhook-id']);
    this.headers.push(request.headers);
    const nth = (this.attempts.get(`${path} ${id}`) ?? 0) + 1;
    this.attempts.set(`${path} ${id}`, nth);
    const body = Buffer.concat(chunks).toString('utf8');
    if (!this.isGenuine(path, body, request)) {
      this.forged.push(`${path} ${id}`);
      return void response.writeHead(400).end();
    }
    const status = (this.behaviours.get(path) ?? (() => 204))(nth, id);
    if (status === null) return;
    if (status < 300) {
      const { type, data } = JSON.parse(body) as Received;
      this.accepted.set(path, [...this.received(path), { id, type, data }]);
    }
    response.writeHead(status, { location: this.url('elsewhere') }).end('thanks');
  }

  private isGenuine(path: string, body: string, { headers }: IncomingMessage): boolean {
    try {
      new Webhook(this.secrets.get(path) ?? '').verify(body, headers as Record<string, string>);
      return true;
    } catch {
      return false;
    }
  }
}
