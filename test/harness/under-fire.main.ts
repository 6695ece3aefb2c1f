import { flushCompileCache } from 'node:module';
import { loadConfig } from '#config';
import type { Moment, Probe } from '#engine';
import { hostDeliveries } from '../../apps/worker/src/host-deliveries.js';
import { hostWorker } from '../../apps/worker/src/host-worker.js';
import { explainFailedStart, stopWhenTold } from '../../apps/worker/src/run-until-told.js';
import { openService } from '../../apps/worker/src/service.js';
import { noteAcknowledged } from './acknowledged.js';

/** Where the process pulls its own plug: the real service, with one listener more, which also notes what it was told. */
export interface Fire {
  readonly role: 'worker' | 'orchestrator';
  /** Longest that one set-up or verify command may take, where a minute is too long for a test. */
  readonly commandMs?: number;
  readonly killAt?: { machine?: string; state?: string; moment: Moment; step?: string; nth?: number };
}

function withFuse(killAt: NonNullable<Fire['killAt']>): (probe: Probe) => Probe {
  let left = killAt.nth ?? 1;
  return (probe) => ({
    ...probe,
    reached: (moment, at) => {
      probe.reached(moment, at);
      const isIt =
        moment === killAt.moment &&
        (killAt.machine === undefined || at.machine === killAt.machine) &&
        (killAt.state === undefined || at.state === killAt.state) &&
        (killAt.step === undefined || at.step === killAt.step);
      if (!isIt) return;
      left -= 1;
      if (left === 0) process.kill(process.pid, 'SIGKILL');
    },
  });
}

/** A test run that is itself killed leaves no service behind. */
function dieWithParent(): void {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
  }, 500).unref();
}

/** By itself node keeps them at its exit, which most processes under fire do not live to see. */
function keepCompiled(): void {
  setImmediate(flushCompileCache);
}

async function main(): Promise<void> {
  dieWithParent();
  const fire = JSON.parse(process.argv[2] ?? '{"role":"worker"}') as Fire;
  const config = { ...loadConfig(), ...(fire.commandMs && { commandMs: fire.commandMs }) };
  const options = {
    name: `qralph-${fire.role}`,
    doesWork: fire.role === 'worker' || config.hostsWorker,
    ...(fire.killAt && { wrapProbe: withFuse(fire.killAt) }),
  };
  noteAcknowledged(config.dataDir);
  const service = await openService(config, options);
  if (fire.role === 'worker') {
    const host = await hostWorker(service);
    const deliveries = hostDeliveries(service);
    service.logger.info('ready');
    keepCompiled();
    return stopWhenTold(service.logger, async () => {
      await Promise.all([host.stop(2_000), deliveries.stop(2_000)]);
      await service.close();
    });
  }
  // A worker of its own loads none of it.
  const { startOrchestrator } = await import('../../apps/orchestrator/src/orchestrator.js');
  const orchestrator = await startOrchestrator(service);
  service.logger.info({ url: orchestrator.url }, 'ready');
  keepCompiled();
  stopWhenTold(service.logger, async () => {
    await orchestrator.stop();
    await service.close();
  });
}

main().catch(explainFailedStart);
