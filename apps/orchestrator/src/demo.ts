import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadConfig } from '#config';
import { explainFailedStart } from '../../worker/src/run-until-told.js';
import { openService } from '../../worker/src/service.js';
import { ApiClient } from './demo/api-client.js';
import { bold, dim, eventLine } from './demo/event-line.js';
import { ADMIN_KEY_FILE } from './http/index.js';
import { startOrchestrator } from './orchestrator.js';

/** `npm run demo`: the whole service on embedded Postgres, one drill project to its end, shown as it happens. */
async function main(): Promise<void> {
  const settings = loadConfig();
  const config = {
    ...settings,
    dataDir: join(settings.dataDir, 'demo'),
    databaseUrl: null,
    port: 0,
    logLevel: 'warn',
  } as const;
  console.log(dim('starting the service on an embedded Postgres …'));
  const service = await openService(config, { name: 'demo' });
  const orchestrator = await startOrchestrator(service);
  try {
    const key = (await readFile(join(config.dataDir, ADMIN_KEY_FILE), 'utf8')).trim();
    const isDone = await showDrill(new ApiClient(orchestrator.url, key), config.dataDir);
    if (!isDone) process.exitCode = 1;
  } finally {
    await orchestrator.stop();
    await service.close();
  }
}

async function showDrill(api: ApiClient, dataDir: string): Promise<boolean> {
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
  const repository = join(dataDir, 'scratch', project.id);
  console.log(`\nstatus       ${ended.status}`);
  console.log(`checkpoints  ${String(verified.checked)}, ${verified.valid ? 'the whole chain verifies' : 'NOT VALID'}`);
  console.log(`repository   ${repository}`);
  console.log(`look further git -C ${repository} log --stat`);
  console.log('             npm start, then the curl walk of the README\n');
  return ended.status === 'completed' && verified.valid;
}

main().catch(explainFailedStart);
