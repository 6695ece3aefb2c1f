import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { UserError } from '#kernel';
import type { Config, ModelSettings, TracingSettings } from './config.js';
import { Environment, NAMES_OF_OTHERS, NETWORK_VARIABLE } from './environment.js';

type Variables = Readonly<Record<string, string | undefined>>;

/** Thrown as CONFIG_INVALID when anything is wrong: all of it is listed, so that one look mends all. */
export function loadConfig(env: Variables = process.env, cwd: string = process.cwd()): Config {
  // An empty variable is an unset one: that is how shells and compose files leave one out.
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
  const parsed = Environment.safeParse(set);
  const problems = [...unknownNames(set), ...(parsed.error?.issues ?? []).map(problemOf)];
  if (!parsed.success || problems.length > 0) {
    throw new UserError('CONFIG_INVALID', `The environment is not usable:\n  ${problems.join('\n  ')}`, { problems });
  }
  return { ...configOf(parsed.data, cwd), networkVariables: networkVariables(set) };
}

const networkVariables = (env: Variables): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) =>
      value !== undefined && NETWORK_VARIABLE.test(name) ? [[name, value]] : [],
    ),
  );

function unknownNames(env: Variables): string[] {
  const known = Object.keys(Environment.shape).filter((name) => name.startsWith('QRALPH_'));
  return Object.keys(env)
    .filter((name) => name.startsWith('QRALPH_') && !known.includes(name) && !NAMES_OF_OTHERS.includes(name))
    .map((name) => `${name} is unknown; known are ${known.join(', ')}`);
}

// The value is not repeated: it may be a secret that landed in the wrong variable.
const problemOf = (issue: { readonly path: readonly PropertyKey[]; readonly message: string }): string =>
  `${issue.path.map(String).join('.')} ${issue.message}`;

function configOf(env: Environment, cwd: string): Omit<Config, 'networkVariables'> {
  const databaseUrl = env.DATABASE_URL ?? null;
  return {
    dataDir: resolve(cwd, env.QRALPH_DATA_DIR),
    port: env.QRALPH_PORT,
    host: env.QRALPH_HOST,
    allowedHosts: listed(env.QRALPH_ALLOWED_HOSTS ?? ''),
    repoRoots: repoRoots(env.QRALPH_REPO_ROOTS, databaseUrl === null, cwd),
    agentsDir: env.QRALPH_AGENTS_DIR === undefined ? null : resolve(cwd, env.QRALPH_AGENTS_DIR),
    databaseUrl,
    redisUrl: env.REDIS_URL ?? null,
    checkpointKey: env.QRALPH_CHECKPOINT_KEY ?? null,
    commandPath: env.PATH,
    hostsWorker: env.QRALPH_WORKER === 'on',
    maxActive: env.QRALPH_MAX_ACTIVE,
    leaseMs: env.QRALPH_LEASE_MS,
    controlPollMs: env.QRALPH_CONTROL_POLL_MS,
    models: modelsOf(env, cwd),
    budget: { usd: env.QRALPH_BUDGET_USD, tokens: env.QRALPH_BUDGET_TOKENS },
    proxyPort: env.QRALPH_PROXY_PORT,
    allowsUnsandboxed: env.QRALPH_ALLOW_UNSANDBOXED === 'on',
    setupHasNetwork: (env.QRALPH_SETUP_NETWORK ?? (databaseUrl === null ? 'on' : 'off')) === 'on',
    webhooks: {
      allowed: listed(env.QRALPH_WEBHOOK_ALLOW ?? ''),
      key: env.QRALPH_WEBHOOK_KEY ?? null,
      retriesMs: listed(env.QRALPH_WEBHOOK_RETRY_MS).map(Number),
      timeoutMs: env.QRALPH_WEBHOOK_TIMEOUT_MS,
      keepDays: env.QRALPH_WEBHOOK_KEEP_DAYS,
    },
    steering: { perMinute: env.QRALPH_STEERING_PER_MINUTE, mostWaiting: env.QRALPH_INBOX_MOST },
    commandMs: env.QRALPH_COMMAND_MINUTES * 60_000,
    logLevel: env.QRALPH_LOG_LEVEL,
    onCorrupt: env.QRALPH_ON_CORRUPT,
    tracing: tracingOf(env),
  };
}

function modelsOf(env: Environment, cwd: string): ModelSettings {
  const file = (path: string | undefined): string | null => (path === undefined ? null : resolve(cwd, path));
  const [input = '', output = ''] = env.QRALPH_WORST_PRICE.split('/');
  return {
    tiers: {
      small: env.QRALPH_MODEL_SMALL ?? null,
      medium: env.QRALPH_MODEL_MEDIUM ?? null,
      large: env.QRALPH_MODEL_LARGE ?? null,
    },
    anthropic: { key: env.ANTHROPIC_API_KEY ?? null, baseUrl: env.ANTHROPIC_BASE_URL ?? null },
    openai: { key: env.OPENAI_API_KEY ?? null, baseUrl: env.OPENAI_BASE_URL ?? null },
    compatible: { key: env.QRALPH_COMPATIBLE_KEY ?? null, baseUrl: env.QRALPH_COMPATIBLE_URL ?? null },
    playbookFile: file(env.QRALPH_PLAYBOOK),
    pricesFile: file(env.QRALPH_PRICES),
    worstPrice: { input, output },
  };
}

function repoRoots(folders: string | undefined, isEmbedded: boolean, cwd: string): string[] {
  if (folders === undefined) return isEmbedded ? [homedir(), cwd] : [];
  return listed(folders).map((folder) => resolve(cwd, folder));
}

const listed = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

function tracingOf(env: Environment): TracingSettings {
  const endpoint = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? env.OTEL_EXPORTER_OTLP_ENDPOINT;
  return {
    isExporting: endpoint !== undefined && env.OTEL_SDK_DISABLED === 'false' && env.OTEL_TRACES_EXPORTER === 'otlp',
    serviceName: env.OTEL_SERVICE_NAME,
    sampler: env.OTEL_TRACES_SAMPLER,
    samplerRatio: Number(env.OTEL_TRACES_SAMPLER_ARG),
    exportEveryMs: env.OTEL_BSP_SCHEDULE_DELAY,
  };
}
