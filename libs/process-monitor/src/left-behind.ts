import type { LeftBehind } from '#engine';
import { endGroup, membersOf } from './end-group.js';
import { isAlive } from './proc.js';
import type { ProcessRecord, ProcessRegistry } from './process-registry.port.js';

/** Ends what former holders left running on this host. */
export class LeftBehindProcesses implements LeftBehind {
  constructor(
    private readonly registry: ProcessRegistry,
    private readonly host: string,
  ) {}

  /** Everything of one project, before another worker goes on with it. */
  async endAll(projectId: string): Promise<void> {
    await this.end(await this.registry.ofProject(projectId));
  }

  /**
   * Everything whose worker is gone, and the records of processes that have ended and whose release was lost.
   * Returns how many records were closed.
   */
  async sweep(): Promise<number> {
    const known = await this.registry.onHost(this.host);
    const done = known.filter((record) => !record.hasLiveWorker || hasEnded(record));
    await this.end(done);
    return done.length;
  }

  private async end(records: Awaited<ReturnType<ProcessRegistry['ofProject']>>): Promise<void> {
    const here = records.filter((record) => record.host === this.host);
    await Promise.all(
      here.map(async (record) => {
        await endGroup(record);
        await this.registry.release(record);
      }),
    );
  }
}

const hasEnded = (record: ProcessRecord): boolean =>
  !isAlive(record.pid, record.startTime) && membersOf(record.group).length === 0;
