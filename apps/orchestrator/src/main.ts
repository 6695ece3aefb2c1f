import { loadConfig } from '#config';
import { explainFailedStart, stopWhenTold } from '../../worker/src/run-until-told.js';
import { openService } from '../../worker/src/service.js';
import { startOrchestrator } from './orchestrator.js';

async function main(): Promise<void> {
  const config = loadConfig();
  const service = await openService(config, { name: 'qralph', doesWork: config.hostsWorker });
  const orchestrator = await startOrchestrator(service);
  const { url, adminKeyFile } = orchestrator;
  service.logger.info({ url, ...(adminKeyFile !== null && { adminKeyFile }) }, `listening on ${url}`);
  stopWhenTold(service.logger, async () => {
    await orchestrator.stop();
    await service.close();
  });
}

main().catch(explainFailedStart);
