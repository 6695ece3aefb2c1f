import type { Environment } from './environment.js';

/** What the rest of the program knows of its surroundings. */
export interface Config {
  readonly dataDir: string;
  readonly port: number;
  readonly host: string;
  /** Names under which clients may reach the API beside localhost and `host`. */
  readonly allowedHosts: readonly string[];
  /** Absolute folders. */
  readonly repoRoots: readonly string[];
  /** Null: embedded Postgres. */
  readonly databaseUrl: string | null;
  /** Null: the queue is in Postgres. */
  readonly redisUrl: string | null;
  readonly checkpointKey: string | null;
  /** Where commands are looked for. */
  readonly commandPath: string;
  readonly hostsWorker: boolean;
  readonly maxActive: number;
  readonly leaseMs: number;
  readonly logLevel: Environment['QRALPH_LOG_LEVEL'];
  readonly onCorrupt: Environment['QRALPH_ON_CORRUPT'];
  readonly tracing: TracingSettings;
}

export interface TracingSettings {
  readonly isExporting: boolean;
  readonly serviceName: string;
  readonly sampler: Environment['OTEL_TRACES_SAMPLER'];
  readonly samplerRatio: number;
  readonly exportEveryMs: number;
}
