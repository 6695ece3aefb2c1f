import { loadConfig } from '#config';
import { hostDeliveries } from './host-deliveries.js';
import { hostWorker } from './host-worker.js';
import { explainFailedStart, GRACE_MS, stopWhenTold } from './run-until-told.js';
import { openService } from './service.js';

/** A worker process: drives projects, answers nobody. */
async function main(): Promise<void> {
  const service = await openService(loadConfig(), { name: 'qralph-worker', doesWork: true });
  const host = await hostWorker(service);
  const deliveries = hostDeliveries(service);
  stopWhenTold(service.logger, async () => {
    await Promise.all([host.stop(GRACE_MS), deliveries.stop(GRACE_MS)]);
    await service.close();
  });
}

main().catch(explainFailedStart);
