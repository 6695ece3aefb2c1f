import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Lease } from '#engine';
import { newId } from '#kernel';
import { CommandRunner, type KnownProcess, type ProcessRecord, type ProcessRegistry } from '#process-monitor';
import { openSandboxes, type SandboxedCommand, type Sandboxes } from './index.js';

export const MACHINE_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** Whether this machine allows what the limited sandbox is made of. */
export const hasNamespaces = (): boolean =>
  spawnSync('unshare', ['--user', '--map-root-user', '--mount', '--net', '--pid', '--fork', 'true']).status === 0;

/** Keeps what was registered, and tells it to whoever listens. */
export class ListRegistry implements ProcessRegistry {
  readonly ever: ProcessRecord[] = [];
  readonly records = new Set<ProcessRecord>();

  constructor(private readonly tell: (record: ProcessRecord) => void = () => undefined) {}

  async register(record: ProcessRecord): Promise<boolean> {
    this.tell(record);
    this.ever.push(record);
    this.records.add(record);
    return true;
  }

  async release({ pid, startTime }: Pick<ProcessRecord, 'pid' | 'startTime'>): Promise<void> {
    for (const one of this.records) if (one.pid === pid && one.startTime === startTime) this.records.delete(one);
  }

  ofProject = (): Promise<readonly ProcessRecord[]> => Promise.resolve([...this.records]);
  onHost = (): Promise<readonly KnownProcess[]> =>
    Promise.resolve([...this.records].map((record) => ({ ...record, isAbandoned: true })));
}

export interface SandboxWorld {
  readonly dataDir: string;
  readonly worktree: string;
  readonly sandboxes: Sandboxes;
  readonly registry: ListRegistry;
  /** A shell command in the worktree. */
  shell(script: string, more?: Partial<SandboxedCommand>): SandboxedCommand;
}

/** A data folder with a worktree in it, and the sandboxes of this machine over real processes. */
export async function sandboxWorld(folder: string, tell?: (record: ProcessRecord) => void): Promise<SandboxWorld> {
  const dataDir = join(folder, 'data');
  const worktree = join(dataDir, 'worktrees', 'project');
  mkdirSync(worktree, { recursive: true });
  const registry = new ListRegistry(tell);
  const commands = new CommandRunner(registry, { host: 'here', path: MACHINE_PATH });
  const sandboxes = await openSandboxes({
    commands,
    allowUnsandboxed: true,
    path: MACHINE_PATH,
    hidden: [dataDir],
    folder: join(dataDir, 'sandbox'),
  });
  const lease: Lease = { projectId: newId(), workerId: 'w', epoch: 1 };
  const shell: SandboxWorld['shell'] = (script, more = {}) => ({
    file: 'sh',
    args: ['-c', script],
    cwd: worktree,
    lease,
    purpose: 'a test',
    timeoutMs: 20_000,
    signal: new AbortController().signal,
    writable: [worktree],
    network: 'none',
    ...more,
  });
  return { dataDir, worktree, sandboxes, registry, shell };
}
