import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { type BeforeApplicationShutdown, Inject, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';

const PATIENCE_MS = 3_000;

/**
 * Requests under way may finish when the service stops, but a client that dawdles does not keep it from stopping.
 * A connection that never carried a request (clients open some in advance) counts as busy for Node, so it is ended here.
 */
export class Patience implements OnModuleInit, BeforeApplicationShutdown {
  private readonly unused = new Set<Socket>();

  constructor(@Inject(HttpAdapterHost) private readonly host: HttpAdapterHost) {}

  onModuleInit(): void {
    this.server.on('connection', (socket: Socket) => {
      this.unused.add(socket);
      socket.once('close', () => this.unused.delete(socket));
    });
    this.server.prependListener('request', ({ socket }: IncomingMessage) => void this.unused.delete(socket));
  }

  beforeApplicationShutdown(): void {
    for (const socket of this.unused) socket.destroy();
    setTimeout(() => this.server.closeAllConnections(), PATIENCE_MS).unref();
  }

  private get server(): Server {
    return this.host.httpAdapter.getHttpServer() as Server;
  }
}
