import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Config, loadCliSettings, loadConfig } from '#config';
import { routes } from '#contracts';
import { removeTree } from '#workspace';
import { Client } from '../../cli/src/api/client.js';
import { eventsOf } from '../../cli/src/api/event-stream.js';
import { Output } from '../../cli/src/show/output.js';
import { bold, dim } from '../../cli/src/show/style.js';
import { list, showEnd } from '../../cli/src/watch/show-end.js';
import { EventShow } from '../../cli/src/watch/show-event.js';
import { explainFailedStart } from '../../worker/src/run-until-told.js';
import { openService } from '../../worker/src/service.js';
import { DemoRepository, FLAWED_GREETER } from './demo/demo-repository.js';
import { untilStandstill } from './demo/standstill.js';
import { ADMIN_KEY_FILE } from './http/index.js';
import { startOrchestrator } from './orchestrator.js';

const streams = { out: console.log, err: console.error, isTerminal: process.stdout.isTTY };
const out = new Output(streams, false, loadCliSettings(process.cwd()).mayColor);

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
  const model = isReal ? 'the models of Anthropic' : 'a simulated model';
  out.lines(dim(`starting the service on an embedded Postgres, with ${model} …`));
  const service = await openService(config, { name: 'demo', doesWork: true });
  try {
    const orchestrator = await startOrchestrator(service);
    try {
      const key = async (): Promise<string> => (await readFile(join(config.dataDir, ADMIN_KEY_FILE), 'utf8')).trim();
      await repository.make(FLAWED_GREETER);
      return await showProject(new Client({ url: orchestrator.url, key, signal: told }), repository);
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

/** Over HTTP with the admin key, and shown as `qralph start --watch` shows it. */
async function showProject(api: Client, repository: DemoRepository): Promise<'well' | 'badly'> {
  const body = {
    request: 'Add dark mode toggle',
    mode: 'coding',
    repo: { path: repository.folder },
    agents: { pin: ['security-reviewer'] },
    budget: { usd: '5.00', tokens: 500_000 },
  };
  const { id, name } = await api.call(routes.startProject, { body });
  out.lines('', `${bold(name)}  ${dim(`POST /v1/projects → ${id}`)}`, '');
  const show = new EventShow(api, out, id);
  const why = await untilStandstill(eventsOf(api, id, { waitMs: 0 }), (event) => show.show(event));
  if (why !== null) {
    out.note('', ...`The project cannot go on by itself here: ${why}`.split('\n'), '');
    return 'badly';
  }
  const { project, isSound } = await showEnd(api, out, id, async ({ workspace }) => {
    const commits = await repository.git(['log', '--format=%h %s', `main..${workspace?.branch ?? ''}`]);
    list(out, 'commits', commits.split('\n').filter(Boolean));
  });
  out.lines(`checkout     ${(await repository.git(['status', '--short'])) || 'untouched'}`);
  return project.status === 'completed' && isSound ? 'well' : 'badly';
}

/** Where the branch and the summary are; of a project that could not go on, how far it got. */
function tellWhatIsLeft({ folder }: DemoRepository, ended: 'well' | 'badly'): void {
  const pages = `${folder}/.qralph/projects/001-dark-mode-toggle`;
  out.lines(`repository   ${folder}`);
  if (ended === 'well') {
    out.lines(`branch       git -C ${folder} log -p main..qralph/001-dark-mode-toggle`);
    out.lines(`summary      ${pages}/SUMMARY.md`);
  } else {
    out.lines(`how far      ${pages}/STATE.md`);
  }
  out.lines('look further npm start, then “A walk” in README.md; /docs shows the whole API', '');
}

const ctrlC = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => ctrlC.abort());
main(ctrlC.signal).catch((error: unknown) => (ctrlC.signal.aborted ? process.exit(1) : explainFailedStart(error)));
