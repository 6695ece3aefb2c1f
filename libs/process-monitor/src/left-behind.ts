import type { LeftBehind } from '#engine';
import { endGroup } from './end-group.js';
import { isGroupAlive } from './own-group.js';
import type { KnownProcess, ProcessRecord, ProcessRegistry } from './process-registry.port.js';
import { removeCeiling, removeOldCeilings } from './task-ceiling.js';

/** Records that the runner of this process could not close, each with the processes that were seen in its tree. */
export type GivenUp = Map<ProcessRecord, Map<number, string>>;

export interface Sweeping {
  readonly givenUp: GivenUp;
  /** Hears once of each record whose processes cannot be ended, or that cannot be struck off. */
  readonly onStuck: (record: ProcessRecord, error: unknown) => void;
}

/** Ends what former holders left running on this host. */
export class LeftBehindProcesses implements LeftBehind {
  private sweeping: Promise<number> | null = null;
  /** Of whom `onStuck` has heard. */
  private stuck = new Set<string>();

  constructor(
    private readonly registry: ProcessRegistry,
    private readonly host: string,
    private readonly parts: Sweeping,
  ) {}

  /** Everything of one project, before another worker goes on with it: fails where something of it still runs. */
  async endAll(projectId: string): Promise<void> {
    await this.endEach(await this.registry.ofProject(projectId));
  }

  /** What a worker that stops still runs, at once: nobody else looks after it. */
  async endOwn(workerId: string): Promise<void> {
    const known = await this.registry.onHost(this.host);
    await this.endEach(known.filter((record) => record.workerId === workerId), 0); // prettier-ignore
  }

  /**
   * Everything that other workers abandoned, the records of processes that have ended and whose release was lost, and
   * what the runner of this process gave up on. What else the asking worker runs is its own business, whatever the
   * database thinks of that worker. What cannot be ended keeps its record, and nobody else waits for it.
   * Returns how many records were closed. One sweep at a time: ending may take longer than the pause between two.
   */
  async sweep(ownWorkerId: string): Promise<number> {
    this.sweeping ??= this.sweepOnce(ownWorkerId).finally(() => (this.sweeping = null));
    return this.sweeping;
  }

  private async sweepOnce(ownWorkerId: string): Promise<number> {
    const isOver = (record: KnownProcess): boolean =>
      record.workerId !== ownWorkerId && (record.isAbandoned || !isGroupAlive(record));
    const known = await this.registry.onHost(this.host);
    const over = [...known.filter(isOver), ...this.parts.givenUp.keys()];
    const stuckNow = new Set<string>();
    const closed = await Promise.all(
      over.map((record) =>
        this.close(record).then(
          () => 1,
          (error: unknown) => {
            const name = `${String(record.pid)}@${record.startTime}`;
            stuckNow.add(name);
            if (!this.stuck.has(name)) this.parts.onStuck(record, error);
            return 0;
          },
        ),
      ),
    );
    this.stuck = stuckNow;
    removeOldCeilings();
    return closed.reduce<number>((sum, one) => sum + one, 0);
  }

  /** Waits for all of them before it says that one failed. */
  private async endEach(records: readonly ProcessRecord[], graceMs?: number): Promise<void> {
    const closing = records.filter((record) => record.host === this.host).map((record) => this.close(record, graceMs));
    await Promise.allSettled(closing);
    await Promise.all(closing);
  }

  private async close(record: ProcessRecord, graceMs?: number): Promise<void> {
    const seen = this.parts.givenUp.get(record);
    await endGroup(record, graceMs, seen && { seen });
    removeCeiling(record);
    await this.registry.release(record);
    this.parts.givenUp.delete(record);
  }
}
