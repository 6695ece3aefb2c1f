import { z } from 'zod';

const count = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, { error: `must be a whole number from ${String(min)} to ${String(max)}` })
    .transform(Number)
    .refine((value) => value >= min && value <= max, {
      error: `must be a whole number from ${String(min)} to ${String(max)}`,
    });

const choice = <const T extends readonly [string, ...string[]]>(options: T) =>
  z.enum(options, { error: `must be one of ${options.join(', ')}` });

const models = (preset: string) =>
  z
    .string()
    .regex(/^[a-z][a-z0-9-]*:[^,\s]+(\s*,\s*[a-z][a-z0-9-]*:[^,\s]+)*$/, {
      error: `must be provider:model, or several of them, comma-separated, such as ${preset}`,
    })
    .optional();

const address = (protocols: RegExp, example: string) =>
  z.url({ protocol: protocols, error: `must be an address such as ${example}` });

/** Every variable the service reads, with its default and what it is for. The README's table is made from it. */
/** A name that is all digits and dots would be an address with a slip in it. */
const Place = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6(), z.hostname().regex(/[a-z]/i)]);

export const Environment = z.object({
  QRALPH_DATA_DIR: z
    .string()
    .default('./.data')
    .describe('Folder of everything the service keeps outside the database'),
  QRALPH_PORT: count(0, 65_535).prefault('3000').describe('Port of the API; 0 takes a free one'),
  QRALPH_HOST: z.string().default('127.0.0.1').describe('Address the API binds to'),
  QRALPH_ALLOWED_HOSTS: z
    .string()
    .optional()
    .describe('Further names, comma-separated, under which clients reach the API; localhost and QRALPH_HOST always do'),
  QRALPH_REPO_ROOTS: z
    .string()
    .optional()
    .describe(
      'Folders, comma-separated, whose repositories may be worked on. Embedded: your home and the current folder',
    ),
  QRALPH_AGENTS_DIR: z
    .string()
    .optional()
    .describe('Folder with agents (`agents/**/*.md`) and skills (`skills/*/SKILL.md`) of yours, for every repository'),
  QRALPH_WORKER: choice(['on', 'off']).default('on').describe('Whether the orchestrator drives projects itself'),
  QRALPH_MAX_ACTIVE: count(1, 10_000).prefault('200').describe('Projects that one worker drives at once'),
  QRALPH_LEASE_MS: count(500, 600_000)
    .prefault('3000')
    .describe('After this long without a sign of life a worker loses its projects'),
  QRALPH_CONTROL_POLL_MS: count(100, 3_600_000)
    .prefault('30000')
    .describe('How often CONTROL.md of a live project is looked at, in milliseconds, where watching it tells nothing'),
  QRALPH_CHECKPOINT_KEY: z
    .string()
    .min(16, { error: 'must have at least 16 characters' })
    .optional()
    .describe('Seals every checkpoint with an HMAC; keep it out of the database'),
  QRALPH_ON_CORRUPT: choice(['last-good', 'hold'])
    .default('last-good')
    .describe('When the newest checkpoint is bad: go on from the last good one, or hold the project for a person'),
  QRALPH_MODEL_SMALL: models('anthropic:claude-haiku-5-5').describe(
    'Models of the small tier, as provider:model, the first one first; unset: anthropic:claude-haiku-5-5, or openai:gpt-6-luna where there is no anthropic',
  ),
  QRALPH_MODEL_MEDIUM: models('anthropic:claude-sonnet-5-5').describe(
    'The same for the medium tier; unset: anthropic:claude-sonnet-5-5, or openai:gpt-6-sol where there is no anthropic',
  ),
  QRALPH_MODEL_LARGE: models('anthropic:claude-opus-5-5').describe(
    'The same for the large tier; unset: anthropic:claude-opus-5-5, or openai:gpt-6-astra where there is no anthropic',
  ),
  ANTHROPIC_API_KEY: z.string().optional().describe('Key of the provider `anthropic`'),
  ANTHROPIC_BASE_URL: address(/^https?$/, 'https://example.org')
    .optional()
    .describe('Where `anthropic` is, if not at its usual address'),
  OPENAI_API_KEY: z.string().optional().describe('Key of the provider `openai`'),
  OPENAI_BASE_URL: address(/^https?$/, 'https://example.org/v1')
    .optional()
    .describe('Where `openai` is, if not at its usual address'),
  QRALPH_COMPATIBLE_URL: address(/^https?$/, 'http://localhost:11434/v1')
    .optional()
    .describe('Base address of the provider `compatible`: any server with OpenAI’s chat completions'),
  QRALPH_COMPATIBLE_KEY: z.string().optional().describe('Its key, if it wants one'),
  QRALPH_PLAYBOOK: z
    .string()
    .optional()
    .describe('YAML file of the simulated model, which stands in where no provider has a key or an address'),
  QRALPH_PRICES: z.string().optional().describe('YAML file of prices that go before the built-in ones'),
  QRALPH_WORST_PRICE: z
    .string()
    .regex(/^\d+(\.\d+)?\/\d+(\.\d+)?$/, { error: 'must be two prices such as 15/75' })
    .default('15/75')
    .describe('Dollars per million tokens in and out at which a model of unknown price counts against the cap'),
  QRALPH_BUDGET_USD: z
    .string()
    .regex(/^\d{1,9}(\.\d{1,6})?$/, { error: 'must be a decimal amount such as 40.00' })
    .default('40.00')
    .describe('Most that a project may spend unless its start says otherwise'),
  QRALPH_BUDGET_TOKENS: count(1, 1_000_000_000)
    .prefault('500000')
    .describe('Most tokens that a project may use unless its start says otherwise; cache reads do not count'),
  QRALPH_PROXY_PORT: count(0, 65_535)
    .prefault('0')
    .describe('Port of the metering proxy for CLI agents, on 127.0.0.1; 0 takes a free one'),
  QRALPH_ALLOW_UNSANDBOXED: choice(['on', 'off'])
    .default('off')
    .describe('Whether a project may ask for a weaker sandbox than the machine can: `limited`, or `none`'),
  QRALPH_SETUP_NETWORK: choice(['on', 'off'])
    .optional()
    .describe('Whether set-up commands of a worktree reach the network; unset: only in embedded mode'),
  QRALPH_COMMAND_MINUTES: count(1, 1_440)
    .prefault('15')
    .describe(
      'Longest that one set-up or verify command may take; a verify command that was slow before the change has three times as long',
    ),
  QRALPH_WEBHOOK_ALLOW: z
    .string()
    .refine((places) => places.split(',').every((place) => Place.safeParse(place.trim()).success), {
      error: 'must be host names, addresses or ranges, comma-separated, such as localhost,10.0.0.0/8',
    })
    .optional()
    .describe(
      'For development: hosts or address ranges (CIDR), comma-separated, to which messages may go though they are private or plain http',
    ),
  QRALPH_WEBHOOK_KEY: z
    .string()
    .min(16, { error: 'must have at least 16 characters' })
    .optional()
    .describe(
      'Encrypts the secrets of webhooks in the database; the same for every process. Unset: they are kept as they are',
    ),
  QRALPH_WEBHOOK_RETRY_MS: z
    .string()
    .regex(/^\d{1,9}(\s*,\s*\d{1,9}){0,31}$/, { error: 'must be milliseconds, comma-separated, such as 5000,300000' })
    .default('5000,300000,1800000,7200000,18000000,36000000,50400000,72000000,86400000')
    .describe('How long after each failed attempt a message is sent again, before it is given up'),
  QRALPH_WEBHOOK_TIMEOUT_MS: count(100, 120_000)
    .prefault('15000')
    .describe('Longest that a receiver may take to answer'),
  QRALPH_WEBHOOK_KEEP_DAYS: count(1, 3_650).prefault('30').describe('How long deliveries that have ended are listed'),
  QRALPH_STEERING_PER_MINUTE: count(0, 100_000)
    .prefault('120')
    .describe('How many commands, notes and decisions an API key may send to one project in a minute; 0: any'),
  QRALPH_INBOX_MOST: count(1, 10_000)
    .prefault('100')
    .describe('How many commands may wait in the inbox of a project, ABORT aside'),
  QRALPH_LOG_LEVEL: choice(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
    .default('info')
    .describe('The least that is logged'),
  PATH: z.string().default('/usr/local/bin:/usr/bin:/bin').describe('Where commands such as git are looked for'),
  DATABASE_URL: address(/^postgres(ql)?$/, 'postgresql://user:password@host:5432/name')
    .optional()
    .describe('Postgres; unset: an embedded one in the data folder'),
  REDIS_URL: address(/^rediss?$/, 'redis://host:6379')
    .optional()
    .describe('Redis for the queue; unset: the queue is in Postgres'),
  OTEL_EXPORTER_OTLP_ENDPOINT: address(/^https?$/, 'http://localhost:4318')
    .optional()
    .describe('Where spans go (OTLP over HTTP, protobuf); unset: nowhere'),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: address(/^https?$/, 'http://localhost:4318/v1/traces')
    .optional()
    .describe('The same, for traces alone'),
  OTEL_SERVICE_NAME: z.string().default('qralph').describe('The name of this service in traces'),
  OTEL_SDK_DISABLED: choice(['true', 'false']).default('false').describe('`true` switches tracing off'),
  OTEL_TRACES_EXPORTER: choice(['otlp', 'none']).default('otlp').describe('`none` switches the export of spans off'),
  OTEL_TRACES_SAMPLER: choice([
    'always_on',
    'always_off',
    'traceidratio',
    'parentbased_always_on',
    'parentbased_always_off',
    'parentbased_traceidratio',
  ])
    .default('parentbased_always_on')
    .describe('Which traces are kept'),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .regex(/^(0(\.\d+)?|1(\.0+)?)$/, { error: 'must be a ratio from 0 to 1' })
    .default('1')
    .describe('The ratio of the samplers that have one'),
  OTEL_BSP_SCHEDULE_DELAY: count(1, 600_000).prefault('500').describe('Milliseconds between two exports of spans'),
});
export type Environment = z.output<typeof Environment>;

/**
 * Variables that tell the tools of all languages how packages are reached. They are handed to set-up commands that have
 * the network; what they mean is not this service's business.
 */
export const NETWORK_VARIABLE =
  /^(?:https?_proxy|all_proxy|no_proxy|node_extra_ca_certs|ssl_cert_(?:file|dir)|curl_ca_bundle|requests_ca_bundle|git_ssl_cainfo|pip_(?:extra_)?index_url|pip_(?:cert|trusted_host|find_links)|uv_(?:default_index|index_url|native_tls)|go(?:proxy|nosumdb|sumdb|noproxy)|cargo_http_cainfo|yarn_npm_registry_server|yarn_https_ca_file_path)$/i;

/** Names that other programs of this project read; the service itself has no use for them. */
export const NAMES_OF_OTHERS: readonly string[] = ['QRALPH_REQUIRE', 'QRALPH_URL', 'QRALPH_KEY'];
