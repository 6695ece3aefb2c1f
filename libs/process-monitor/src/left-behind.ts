import type { LeftBehind } from '#engine';
import { endGroup, isGroupAlive } from './end-group.js';
import type { KnownProcess, ProcessRecord, ProcessRegistry } from './process-registry.port.js';
import { removeCeiling, removeOldCeilings } from './task-ceiling.js';

/** Ends what former holders left running on this host. */
export class LeftBehindProcesses implements LeftBehind {
  private sweeping: Promise<number> | null = null;

  constructor(
    private readonly registry: ProcessRegistry,
    private readonly host: string,
  ) {}

  /** Everything of one project, before another worker goes on with it. */
  async endAll(projectId: string): Promise<void> {
    await this.end(await this.registry.ofProject(projectId));
  }

  /** What a worker that stops still runs, at once: nobody else looks after it. */
  async endOwn(workerId: string): Promise<void> {
    const known = await this.registry.onHost(this.host);
    await this.end(known.filter((record) => record.workerId === workerId), 0); // prettier-ignore
  }

  /**
   * Everything that other workers abandoned, and the records of processes that have ended and whose release was lost.
   * What the asking worker itself runs is its own business, whatever the database thinks of that worker.
   * Returns how many records were closed. One sweep at a time: ending may take longer than the pause between two.
   */
  async sweep(ownWorkerId: string): Promise<number> {
    this.sweeping ??= this.sweepOnce(ownWorkerId).finally(() => (this.sweeping = null));
    return this.sweeping;
  }

  private async sweepOnce(ownWorkerId: string): Promise<number> {
    const isForeign = (record: KnownProcess): boolean => record.workerId !== ownWorkerId;
    const known = await this.registry.onHost(this.host);
    const done = known.filter((record) => (isForeign(record) && record.isAbandoned) || !isGroupAlive(record));
    await this.end(done);
    removeOldCeilings();
    return done.length;
  }

  private async end(records: readonly ProcessRecord[], graceMs?: number): Promise<void> {
    const here = records.filter((record) => record.host === this.host);
    await Promise.all(
      here.map(async (record) => {
        await endGroup(record, graceMs);
        removeCeiling(record);
        await this.registry.release(record);
      }),
    );
  }
}
