import { homedir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { UserError } from '#kernel';
import { configTable } from './config-table.js';
import { Environment } from './environment.js';
import { loadConfig } from './load-config.js';

function problemsOf(env: Record<string, string>): string {
  try {
    loadConfig(env, '/here');
  } catch (error) {
    if (error instanceof UserError && error.code === 'CONFIG_INVALID') return error.message;
    throw error;
  }
  return '';
}

describe('the configuration', () => {
  it('is complete without a single variable', () => {
    expect(loadConfig({}, '/here')).toEqual({
      dataDir: '/here/.data',
      port: 3000,
      host: '127.0.0.1',
      allowedHosts: [],
      commandPath: '/usr/local/bin:/usr/bin:/bin',
      repoRoots: [homedir(), '/here'],
      agentsDir: null,
      databaseUrl: null,
      redisUrl: null,
      checkpointKey: null,
      hostsWorker: true,
      maxActive: 200,
      leaseMs: 3000,
      controlPollMs: 30_000,
      models: {
        tiers: { small: null, medium: null, large: null },
        anthropic: { key: null, baseUrl: null },
        openai: { key: null, baseUrl: null },
        compatible: { key: null, baseUrl: null },
        playbookFile: null,
        pricesFile: null,
        worstPrice: { input: '15', output: '75' },
      },
      budget: { usd: '40.00', tokens: 500_000 },
      proxyPort: 0,
      allowsUnsandboxed: false,
      setupHasNetwork: true,
      steering: { perMinute: 120, mostWaiting: 100 },
      networkVariables: {},
      commandMs: 900_000,
      webhooks: {
        allowed: [],
        key: null,
        // The standard's schedule.
        retriesMs: [5_000, 300_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000, 50_400_000, 72_000_000, 86_400_000],
        timeoutMs: 15_000,
        keepDays: 30,
      },
      logLevel: 'info',
      onCorrupt: 'last-good',
      tracing: {
        isExporting: false,
        serviceName: 'qralph',
        sampler: 'parentbased_always_on',
        samplerRatio: 1,
        exportEveryMs: 500,
      },
    });
  });

  it('takes an empty variable as unset', () => {
    expect(loadConfig({ QRALPH_PORT: '', REDIS_URL: '' }, '/here')).toMatchObject({ port: 3000, redisUrl: null });
  });

  it('reads folders relative to where it starts, and allows none by itself beside a database of yours', () => {
    const env = { DATABASE_URL: 'postgresql://u:p@db/x' };
    expect(loadConfig(env, '/here').repoRoots).toEqual([]);
    expect(loadConfig({ ...env, QRALPH_REPO_ROOTS: 'a, /b,' }, '/here').repoRoots).toEqual(['/here/a', '/b']);
  });

  it('reads the folder of agents relative to where it starts', () => {
    expect(loadConfig({ QRALPH_AGENTS_DIR: 'mine' }, '/here').agentsDir).toBe('/here/mine');
  });

  it('gives set-up commands the network in embedded mode only, unless it is told', () => {
    const env = { DATABASE_URL: 'postgresql://u:p@db/x' };
    expect(loadConfig(env).setupHasNetwork).toBe(false);
    expect(loadConfig({ ...env, QRALPH_SETUP_NETWORK: 'on' }).setupHasNetwork).toBe(true);
    expect(loadConfig({ QRALPH_SETUP_NETWORK: 'off' }).setupHasNetwork).toBe(false);
  });

  it('knows how packages are reached, and nothing else of the environment', () => {
    const env = { https_proxy: 'http://proxy:3128', NODE_EXTRA_CA_CERTS: '/ca.pem', NPM_TOKEN: 'secret', LANG: 'C' };
    expect(loadConfig(env).networkVariables).toEqual({
      https_proxy: 'http://proxy:3128',
      NODE_EXTRA_CA_CERTS: '/ca.pem',
    });
  });

  it('takes several models per tier, and refuses what names no provider', () => {
    const both = 'openai:gpt-large, compatible:llama:70b';
    expect(loadConfig({ QRALPH_MODEL_LARGE: both }).models.tiers.large).toBe(both);
    expect(problemsOf({ QRALPH_MODEL_SMALL: 'haiku' })).toContain('QRALPH_MODEL_SMALL must be provider:model');
  });

  it('takes hosts, addresses and ranges that messages may go to', () => {
    const allowed = ['localhost', 'dev.internal', '127.0.0.1', '::1', '10.0.0.0/8', 'fd00::/8'];
    expect(loadConfig({ QRALPH_WEBHOOK_ALLOW: allowed.join(', ') }).webhooks.allowed).toEqual(allowed);
  });

  it('exports spans when an endpoint is given and nothing switches it off', () => {
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318' };
    expect(loadConfig(env).tracing.isExporting).toBe(true);
    expect(loadConfig({ ...env, OTEL_SDK_DISABLED: 'true' }).tracing.isExporting).toBe(false);
    expect(loadConfig({ ...env, OTEL_TRACES_EXPORTER: 'none' }).tracing.isExporting).toBe(false);
  });

  it.each([
    ['QRALPH_PORT', '65536', 'from 0 to 65535'],
    ['QRALPH_PORT', '3e3', 'from 0 to 65535'],
    ['QRALPH_WORKER', 'yes', 'on, off'],
    ['QRALPH_CHECKPOINT_KEY', 'short', 'at least 16'],
    ['QRALPH_ON_CORRUPT', 'ignore', 'last-good, hold'],
    ['DATABASE_URL', 'mysql://x/y', 'postgresql://'],
    ['REDIS_URL', 'localhost', 'redis://'],
    ['QRALPH_LOG_LEVEL', 'loud', 'trace, debug'],
    ['QRALPH_WEBHOOK_ALLOW', '10.0.0.0/99', 'such as localhost'],
    ['QRALPH_WEBHOOK_ALLOW', 'localhost,,127.0.0.1', 'such as localhost'],
    ['QRALPH_WEBHOOK_ALLOW', '10.0.0', 'such as localhost'],
    ['QRALPH_WEBHOOK_ALLOW', 'http://localhost', 'such as localhost'],
    ['QRALPH_PROT', '3000', 'is unknown'],
  ])('refuses %s=%s and says what is allowed', (name, value, allowed) => {
    expect(problemsOf({ [name]: value })).toContain(name);
    expect(problemsOf({ [name]: value })).toContain(allowed);
  });

  it('names only variables of its table as known, and minds none that other programs of the project read', () => {
    const [, known = ''] = problemsOf({ QRALPH_NOPE: '1' }).split('known are ');
    const table = configTable();
    expect(known.split(', ').filter((name) => !table.includes(`\`${name.trim()}\``))).toEqual([]);
    expect(loadConfig({ QRALPH_REQUIRE: 'redis' })).toEqual(loadConfig({}));
  });

  it('lists everything that is wrong at once, and no value', () => {
    const message = problemsOf({ QRALPH_PORT: 'x', QRALPH_NOPE: '1', QRALPH_CHECKPOINT_KEY: 'secret' });
    expect(message).toContain('QRALPH_PORT');
    expect(message).toContain('QRALPH_NOPE');
    expect(message).not.toContain('secret');
  });

  it('has a default or none, and a description, for every variable in its table', () => {
    const table = configTable();
    for (const [name, field] of Object.entries(Environment.shape)) {
      expect(table).toContain(`| \`${name}\` |`);
      expect(field.description ?? '').not.toBe('');
    }
    expect(table).toContain('| `QRALPH_PORT` | `3000` | Port of the API; 0 takes a free one |');
  });
});
