import type { Lease } from '#engine';
import type { KnownProcess, ProcessRecord, ProcessRegistry } from './index.js';

/** A registry in memory; `standing` is the lease that may register, `abandoned` are the workers that are gone. */
export class MemoryRegistry implements ProcessRegistry {
  readonly records: ProcessRecord[] = [];
  readonly everRegistered: ProcessRecord[] = [];
  readonly abandoned = new Set<string>();

  constructor(private readonly standing: Lease) {}

  async register(record: ProcessRecord, lease: Lease): Promise<boolean> {
    if (lease.epoch !== this.standing.epoch) return false;
    this.records.push(record);
    this.everRegistered.push(record);
    return true;
  }

  async release({ pid, startTime }: Pick<ProcessRecord, 'pid' | 'startTime'>): Promise<void> {
    const at = this.records.findIndex((record) => record.pid === pid && record.startTime === startTime);
    if (at >= 0) this.records.splice(at, 1);
  }

  async ofProject(projectId: string): Promise<readonly ProcessRecord[]> {
    return this.records.filter((record) => record.projectId === projectId);
  }

  async onHost(): Promise<readonly KnownProcess[]> {
    return this.records.map((record) => ({ ...record, isAbandoned: this.abandoned.has(record.workerId) }));
  }
}
