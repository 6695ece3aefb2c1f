import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Config, loadConfig } from '#config';
import { removeTree } from '#workspace';
import { explainFailedStart } from '../../worker/src/run-until-told.js';
import { openService } from '../../worker/src/service.js';
import { ApiClient } from './demo/api-client.js';
import { showEnd } from './demo/show-end.js';
import { DemoRepository, FLAWED_GREETER } from './demo/demo-repository.js';
import { bold, dim, eventLine } from './demo/event-line.js';
import { untilStandstill } from './demo/standstill.js';
import { ADMIN_KEY_FILE } from './http/index.js';
import { startOrchestrator } from './orchestrator.js';

/**
 * `npm run demo`: the whole service on an embedded Postgres of its own. An agent does an errand in a small repository,
 * shown as it happens; the model is simulated, everything else is real. However it ends, nothing is left of it.
 */
async function main(told: AbortSignal): Promise<void> {
  const settings = loadConfig();
  const dataDir = await mkdtemp(join(tmpdir(), 'qralph-demo-'));
  const apart = {
    databaseUrl: null,
    redisUrl: null,
    port: 0,
    proxyPort: 0,
    hostsWorker: true,
    logLevel: 'warn',
  } as const;
  const places = { dataDir: join(dataDir, 'data'), repoRoots: [dataDir] };
  try {
    if (!(await runService({ ...settings, ...apart, ...places, models: simulatedOnly(settings) }, told)))
      process.exitCode = 1;
  } finally {
    await removeTree(dataDir);
  }
}

async function runService(config: Config, told: AbortSignal): Promise<boolean> {
  console.log(dim('starting the service on an embedded Postgres …'));
  const service = await openService(config, { name: 'demo', doesWork: true });
  try {
    const orchestrator = await startOrchestrator(service);
    try {
      const key = (await readFile(join(config.dataDir, ADMIN_KEY_FILE), 'utf8')).trim();
      const repository = new DemoRepository(join(config.repoRoots[0] ?? '', 'greeter'), config.commandPath);
      await repository.make(FLAWED_GREETER);
      return await showProject(new ApiClient(orchestrator.url, key, told), repository);
    } finally {
      await orchestrator.stop();
    }
  } finally {
    await service.close();
  }
}

/** Nobody's key is used, and nobody's money spent, whatever the environment holds. */
function simulatedOnly({ models }: Config): Config['models'] {
  const none = { key: null, baseUrl: null };
  return { ...models, anthropic: none, openai: none, compatible: none, playbookFile: null };
}

async function showProject(api: ApiClient, repository: DemoRepository): Promise<boolean> {
  const project = await api.start({
    request: 'Add dark mode toggle',
    mode: 'coding',
    repo: { path: repository.folder },
    agents: { pin: ['security-reviewer'] },
    budget: { usd: '5.00', tokens: 500_000 },
  });
  console.log(`\n${bold(project.name)}  ${dim(`POST /v1/projects → ${project.id}`)}\n`);
  const why = await untilStandstill(api.events(project.id), (event) => {
    const line = eventLine(event);
    if (line !== null) console.log(line);
  });
  if (why !== null) {
    console.error(`\nThe project cannot go on by itself here: ${why}\n`);
    return false;
  }
  return showEnd(api, repository, project.id);
}
const ctrlC = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => ctrlC.abort());
main(ctrlC.signal).catch((error: unknown) => (ctrlC.signal.aborted ? process.exit(1) : explainFailedStart(error)));
