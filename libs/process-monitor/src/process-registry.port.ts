import type { Lease } from '#engine';

/** One process that works for a project. Registered before it works, released with its exit. */
export interface ProcessRecord {
  readonly host: string;
  readonly pid: number;
  readonly startTime: string;
  readonly group: number;
  readonly projectId: string;
  readonly purpose: string;
  readonly workerId: string;
}

export interface KnownProcess extends ProcessRecord {
  /** Its worker is gone, or no longer holds the project. A worker that is only late still holds it. */
  readonly isAbandoned: boolean;
}

export interface ListedProcess extends ProcessRecord {
  readonly startedAt: Date;
}

/** The registry as people read it. */
export interface ProcessList {
  /** Of one project or of all, oldest first. */
  list(projectId?: string): Promise<readonly ListedProcess[]>;
}

export interface ProcessRegistry {
  /** False when the lease is void: then nothing may be started under it. */
  register(record: ProcessRecord, lease: Lease): Promise<boolean>;
  release(record: Pick<ProcessRecord, 'host' | 'pid' | 'startTime'>): Promise<void>;
  ofProject(projectId: string): Promise<readonly ProcessRecord[]>;
  onHost(host: string): Promise<readonly KnownProcess[]>;
}
