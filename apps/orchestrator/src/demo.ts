import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Config, loadConfig } from '#config';
import { removeTree } from '#workspace';
import { explainFailedStart } from '../../worker/src/run-until-told.js';
import { openService } from '../../worker/src/service.js';
import { ApiClient } from './demo/api-client.js';
import { DemoRepository, FLAWED_GREETER } from './demo/demo-repository.js';
import { bold, dim } from './demo/event-line.js';
import { showEnd } from './demo/show-end.js';
import { showEvent } from './demo/show-event.js';
import { untilStandstill } from './demo/standstill.js';
import { ADMIN_KEY_FILE } from './http/index.js';
import { startOrchestrator } from './orchestrator.js';

/**
 * `npm run demo`: the whole service on an embedded Postgres of its own carries a request through a small repository with
 * a team of agents, shown as it happens. Without a key the models are simulated, and everything else is real. What is
 * left is the repository, with the project's branch and its readable files; of a demo that was cut short, nothing.
 */
async function main(told: AbortSignal): Promise<void> {
  const settings = loadConfig();
  const root = await mkdtemp(join(tmpdir(), 'qralph-demo-'));
  const dataDir = join(root, 'data');
  const apart = {
    databaseUrl: null,
    redisUrl: null,
    port: 0,
    proxyPort: 0,
    hostsWorker: true,
    logLevel: 'warn',
  } as const;
  const config = { ...settings, ...apart, dataDir, repoRoots: [root], models: modelsOf(settings) };
  const repository = new DemoRepository(join(root, 'greeter'), config.commandPath);
  let ended: 'well' | 'badly' | null = null;
  try {
    ended = await runService(config, repository, told);
    if (ended !== 'well') process.exitCode = 1;
  } finally {
    await removeTree(ended === null ? root : dataDir);
  }
  if (ended !== null) tellWhatIsLeft(repository, ended);
}

async function runService(config: Config, repository: DemoRepository, told: AbortSignal): Promise<'well' | 'badly'> {
  const isReal = config.models.anthropic.key !== null;
  console.log(
    dim(
      `starting the service on an embedded Postgres, with ${isReal ? 'the models of Anthropic' : 'a simulated model'} …`,
    ),
  );
  const service = await openService(config, { name: 'demo', doesWork: true });
  try {
    const orchestrator = await startOrchestrator(service);
    try {
      const key = (await readFile(join(config.dataDir, ADMIN_KEY_FILE), 'utf8')).trim();
      await repository.make(FLAWED_GREETER);
      return await showProject(new ApiClient(orchestrator.url, key, told), repository);
    } finally {
      await orchestrator.stop();
    }
  } finally {
    await service.close();
  }
}

/** With a key of Anthropic its models; else nobody's money is spent, whatever else the environment holds. */
function modelsOf({ models }: Config): Config['models'] {
  const none = { key: null, baseUrl: null };
  const anthropic = models.anthropic.key === null ? none : models.anthropic;
  return { ...models, anthropic, openai: none, compatible: none, playbookFile: null };
}

async function showProject(api: ApiClient, repository: DemoRepository): Promise<'well' | 'badly'> {
  const project = await api.start({
    request: 'Add dark mode toggle',
    mode: 'coding',
    repo: { path: repository.folder },
    agents: { pin: ['security-reviewer'] },
    budget: { usd: '5.00', tokens: 500_000 },
  });
  console.log(`\n${bold(project.name)}  ${dim(`POST /v1/projects → ${project.id}`)}\n`);
  const why = await untilStandstill(api.events(project.id), (event) => showEvent(api, project.id, event));
  if (why === null) return showEnd(api, repository, project.id);
  console.error(`\nThe project cannot go on by itself here: ${why}\n`);
  return 'badly';
}

/** Where the branch and the summary are; of a project that could not go on, how far it got. */
function tellWhatIsLeft({ folder }: DemoRepository, ended: 'well' | 'badly'): void {
  const pages = `${folder}/.qralph/projects/001-dark-mode-toggle`;
  console.log(`repository   ${folder}`);
  if (ended === 'well') {
    console.log(`branch       git -C ${folder} log -p main..qralph/001-dark-mode-toggle`);
    console.log(`summary      ${pages}/SUMMARY.md`);
  } else {
    console.log(`how far      ${pages}/STATE.md`);
  }
  console.log('look further npm start, then "A team in a repository" in README.md; /docs shows the whole API\n');
}

const ctrlC = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => ctrlC.abort());
main(ctrlC.signal).catch((error: unknown) => (ctrlC.signal.aborted ? process.exit(1) : explainFailedStart(error)));
