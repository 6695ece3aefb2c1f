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
  /** Agents and skills of the user's own, in folders `agents` and `skills`; null: none. */
  readonly agentsDir: string | null;
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
  readonly controlPollMs: number;
  readonly models: ModelSettings;
  readonly budget: { readonly usd: string; readonly tokens: number };
  readonly proxyPort: number;
  readonly allowsUnsandboxed: boolean;
  readonly setupHasNetwork: boolean;
  /** How packages are reached from this machine: proxies, certificates, registries. */
  readonly networkVariables: Readonly<Record<string, string>>;
  readonly commandMs: number;
  readonly webhooks: WebhookSettings;
  /** What one project may be told: in a minute by one key (0: any), and before it has obeyed. */
  readonly steering: { readonly perMinute: number; readonly mostWaiting: number };
  readonly logLevel: Environment['QRALPH_LOG_LEVEL'];
  readonly onCorrupt: Environment['QRALPH_ON_CORRUPT'];
  readonly tracing: TracingSettings;
}

export interface ModelSettings {
  /** Per tier `provider:model`, the first one first; null where the environment does not say. */
  readonly tiers: { readonly small: string | null; readonly medium: string | null; readonly large: string | null };
  readonly anthropic: ProviderSettings;
  readonly openai: ProviderSettings;
  readonly compatible: ProviderSettings;
  readonly playbookFile: string | null;
  readonly pricesFile: string | null;
  /** Dollars per million tokens, for models whose price nobody knows. */
  readonly worstPrice: { readonly input: string; readonly output: string };
}

export interface WebhookSettings {
  /** Hosts and ranges of addresses. */
  readonly allowed: readonly string[];
  /** Null: secrets are stored as they are. */
  readonly key: string | null;
  readonly retriesMs: readonly number[];
  readonly timeoutMs: number;
  readonly keepDays: number;
}

export interface ProviderSettings {
  readonly key: string | null;
  readonly baseUrl: string | null;
}

export interface TracingSettings {
  readonly isExporting: boolean;
  readonly serviceName: string;
  readonly sampler: Environment['OTEL_TRACES_SAMPLER'];
  readonly samplerRatio: number;
  readonly exportEveryMs: number;
}
