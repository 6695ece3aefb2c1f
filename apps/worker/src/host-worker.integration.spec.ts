import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { loadConfig } from '#config';
import { LeftBehindProcesses } from '#process-monitor';
import { freshDatabase, type FreshDatabase, tempFolder, type TempFolder } from '#testing';
import { hostWorker } from './host-worker.js';
import { openService } from './service.js';

let database: FreshDatabase;
let folder: TempFolder;
beforeEach(async () => {
  [database, folder] = [await freshDatabase(), tempFolder('host-worker')];
});
afterEach(async () => {
  vi.restoreAllMocks();
  await database.drop();
  await folder.remove();
});

it('works although what was left behind cannot be swept now, and sweeps again', async () => {
  const sweep = vi
    .spyOn(LeftBehindProcesses.prototype, 'sweep')
    .mockRejectedValueOnce(new Error('too many open files'));
  const config = loadConfig({ QRALPH_DATA_DIR: folder.path, DATABASE_URL: database.url, QRALPH_LOG_LEVEL: 'silent' });
  const service = await openService(config, { name: 'host-worker', doesWork: true });
  try {
    const host = await hostWorker(service);
    expect(sweep).toHaveBeenCalledTimes(1);
    await expect.poll(() => sweep.mock.results.at(1)?.type, { timeout: 5_000 }).toBe('return');
    await host.stop(100);
  } finally {
    await service.close();
  }
});
