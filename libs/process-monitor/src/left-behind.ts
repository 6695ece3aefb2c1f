import type { LeftBehind } from '#engine';
import { endGroup } from './end-group.js';
import type { ProcessRegistry } from './process-registry.port.js';

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

  /** Everything whose worker is gone; returns how many records were closed. */
  async sweep(): Promise<number> {
    const orphans = await this.registry.orphans(this.host);
    await this.end(orphans);
    return orphans.length;
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
