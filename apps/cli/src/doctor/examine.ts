import type { CliSettings } from '#config';
import { routes, type ServiceView } from '#contracts';
import type { Client } from '../api/client.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { Failure } from '../failure.js';
import { bad, type Check, note, ok } from './check.js';
import { onePerName } from './one-per-name.js';
import { machineChecks } from './machine-checks.js';

export interface Report {
  readonly exitCode: ExitCode;
  readonly checks: readonly Check[];
}

/** Looks at everything, also behind what is bad already; the worst of it is the exit code. */
export async function examine(api: Client, settings: CliSettings, repo: string | null): Promise<Report> {
  const codes: ExitCode[] = [];
  const inTurn: Check[] = [];
  const look = async (name: string, at: () => Promise<readonly Check[]>): Promise<void> => {
    try {
      inTurn.push(...(await at()));
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      inTurn.push(bad(name, `${error.code}: ${error.message}`, REMEDIES[error.code] ?? null));
      codes.push(error.exit === EXIT.refused ? EXIT.unsound : error.exit);
    }
  };
  await look('service', () => readyChecks(api, settings.url));
  if (codes.length === 0) {
    await look('key', async () => serviceChecks(await api.call(routes.service)));
    if (repo !== null) await look('repository', () => repositoryChecks(api, repo));
  }
  const checks = onePerName([...inTurn, ...(await machineChecks(settings.commandPath))]);
  if (checks.some(({ level }) => level === 'bad')) codes.push(EXIT.unsound);
  return { exitCode: codes[0] ?? EXIT.ok, checks };
}

const REMEDIES: Readonly<Record<string, string>> = {
  UNREACHABLE: 'npm start in another terminal; --url or QRALPH_URL where it is elsewhere',
  UNAUTHENTICATED: 'the key of this service: --key, QRALPH_KEY, or QRALPH_DATA_DIR with its admin.key',
  KEY_MISSING: 'run qralph where the service was started, or give --key, QRALPH_KEY or QRALPH_DATA_DIR',
  REPO_NOT_ALLOWED: 'start the service with QRALPH_REPO_ROOTS that has this folder',
};

async function readyChecks(api: Client, url: string): Promise<Check[]> {
  const { status, checks } = await api.call(routes.ready);
  const isReady = status === 'ready';
  const parts = Object.entries(checks).map(([name, check]) =>
    check.ok ? ok(name, 'answers') : bad(name, check.detail ?? 'does not answer', 'see the log of the service'),
  );
  const whole = isReady
    ? ok('service', `answers at ${url} and is ready`)
    : bad('service', `at ${url} is not ready`, null);
  return [whole, ...parts];
}

function serviceChecks(service: ServiceView): Check[] {
  const { caller, version, node, git, sandbox, providers, simulated, repoRoots, worker } = service;
  const who = `${caller.principal} principal, may ${caller.scopes.join(', ')}`;
  return [
    caller.principal === 'human' ? ok('key', who) : note('key', who, 'gates are decided with a human’s key only'),
    ok('version', `QRALPH ${version} on Node ${node}, database ${service.database}, queue in ${service.queue}`),
    worker
      ? ok('worker', 'the service drives projects itself')
      : note('worker', 'none in the service', 'npm run worker'),
    git === null ? bad('git', 'the service finds none', 'apt-get install git') : ok('git', git),
    sandbox === 'bubblewrap'
      ? ok('sandbox', sandbox)
      : note('sandbox', `${sandbox}: commands of agents see more than they should`, 'apt-get install bubblewrap'),
    simulated
      ? note(
          'models',
          'simulated model: no provider is configured',
          'start the service with ANTHROPIC_API_KEY or OPENAI_API_KEY',
        )
      : ok('models', providers.join(', ')),
    repoRoots.length === 0
      ? bad('repositories', 'none may be worked on', 'start the service with QRALPH_REPO_ROOTS')
      : ok('repositories', `below ${repoRoots.join(', ')}`),
  ];
}

async function repositoryChecks(api: Client, repo: string): Promise<Check[]> {
  const { agents, diagnostics } = await api.call(routes.listCapabilities, { query: { repo } });
  const found = `${repo} may be worked in, ${String(agents.length)} agents could help`;
  return [
    ok('repository', found),
    ...diagnostics.map(({ path, message }) => note('repository', `${path}: ${message}`, null)),
  ];
}
