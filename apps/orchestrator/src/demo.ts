import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Config, loadConfig } from '#config';
import { explainFailedStart } from '../../worker/src/run-until-told.js';
import { openService } from '../../worker/src/service.js';
import { ApiClient } from './demo/api-client.js';
import { bold, dim, eventLine } from './demo/event-line.js';
import { ADMIN_KEY_FILE } from './http/index.js';
import { startOrchestrator } from './orchestrator.js';

/**
 * `npm run demo`: the whole service on an embedded Postgres of its own, one drill project to its end, shown as it
 * happens. However it ends, nothing is left of it.
 */
async function main(told: AbortSignal): Promise<void> {
  const settings = loadConfig();
  const dataDir = await mkdtemp(join(tmpdir(), 'qralph-demo-'));
  const apart = { dataDir, databaseUrl: null, redisUrl: null, port: 0, hostsWorker: true, logLevel: 'warn' } as const;
  try {
    if (!(await runService({ ...settings, ...apart }, told))) process.exitCode = 1;
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function runService(config: Config, told: AbortSignal): Promise<boolean> {
  console.log(dim('starting the service on an embedded Postgres …'));
  const service = await openService(config, { name: 'demo' });
  try {
    const orchestrator = await startOrchestrator(service);
    try {
      const key = (await readFile(join(config.dataDir, ADMIN_KEY_FILE), 'utf8')).trim();
      return await showDrill(new ApiClient(orchestrator.url, key, told), join(config.dataDir, 'scratch'));
    } finally {
      await orchestrator.stop();
    }
  } finally {
    await service.close();
  }
}

async function showDrill(api: ApiClient, repositories: string): Promise<boolean> {
  const project = await api.start({
    request: 'Show what a project does',
    mode: 'drill',
    parameters: { rounds: 2, width: 3 },
  });
  console.log(`\n${bold(project.name)}  ${dim(`POST /v1/projects → ${project.id}`)}\n`);
  for await (const event of api.events(project.id)) {
    const line = eventLine(event);
    if (line !== null) console.log(line);
    if (event.type !== 'gate.opened') continue;
    console.log(dim('            (the demo approves with its own human key; nothing else could)'));
    await api.post(`/v1/projects/${project.id}/gates/approval`, { decision: 'approve' });
  }
  const ended = await api.get<{ status: string; checkpoint: { seq: number } }>(`/v1/projects/${project.id}`);
  const verified = await api.post<{ valid: boolean; checked: number }>(`/v1/projects/${project.id}/checkpoints/verify`);
  console.log(`\nstatus       ${ended.status}`);
  console.log(`checkpoints  ${String(verified.checked)}, ${verified.valid ? 'the whole chain verifies' : 'NOT VALID'}`);
  console.log(`commits      ${(await commitsIn(join(repositories, project.id))).join('\n             ')}`);
  console.log(`next         npm start, then the curl walk of the README\n`);
  return ended.status === 'completed' && verified.valid;
}

async function commitsIn(repository: string): Promise<string[]> {
  const { stdout } = await promisify(execFile)('git', ['-C', repository, 'log', '--reverse', '--format=%h %s']);
  return stdout.trim().split('\n');
}

const ctrlC = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => ctrlC.abort());
main(ctrlC.signal).catch((error: unknown) => (ctrlC.signal.aborted ? process.exit(1) : explainFailedStart(error)));
