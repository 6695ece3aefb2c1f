import type { Agent, IncomingMessage, ServerResponse } from 'node:http';
import type { AdmittedRun } from './admitted-run.js';
import type { ProxyLimits, ProxyOptions } from './proxy.port.js';
import type { Room } from './room.js';
import type { Route } from './wire.js';

export interface CallParts extends Pick<ProxyOptions, 'meter' | 'trace' | 'secrets' | 'clock' | 'onError'> {
  readonly limits: ProxyLimits;
  /** For the bodies that are being read, in bytes. */
  readonly bodies: Room;
  readonly agents: { readonly http: Agent; readonly https: Agent };
}

export interface Call {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly admitted: AdmittedRun;
  readonly route: Route;
  readonly search: string;
  /** Aborts when the client has gone or the run has ended. */
  readonly signal: AbortSignal;
}
