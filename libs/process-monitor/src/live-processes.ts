import type { Redactor } from '#kernel';
import { isGroupAlive } from './own-group.js';
import type { ListedProcess, ProcessList } from './process-registry.port.js';
import { commandLineOf, type ProcessTable, readTable, type TableLine, treeOf } from './process-tree.js';

const MAX_COMMAND = 500;

export interface LiveProcessView extends Omit<ListedProcess, 'startTime' | 'startedAt'> {
  readonly startedAt: string;
  readonly status: 'running' | 'gone' | 'elsewhere';
  readonly tree: { pid: number; parent: number; command: string; rssBytes: number }[];
}

/** What is registered, beside what is really there. */
export class LiveProcesses {
  constructor(
    private readonly processes: ProcessList,
    private readonly host: string,
    private readonly redactor: Redactor,
  ) {}

  /** Of one project, or of all. */
  async list(projectId?: string): Promise<LiveProcessView[]> {
    const listed = await this.processes.list(projectId);
    const isHere = listed.some(({ host }) => host === this.host);
    const table = isHere ? await readTable() : new Map<number, TableLine>();
    return listed.map((process) => this.view(process, table));
  }

  private view({ startTime, startedAt, ...process }: ListedProcess, table: ProcessTable): LiveProcessView {
    const told = { ...process, startedAt: startedAt.toISOString() };
    if (process.host !== this.host) return { ...told, status: 'elsewhere', tree: [] };
    const record = { ...process, startTime };
    const members = treeOf(record, table).sort((a, b) => rank(a, process.pid) - rank(b, process.pid));
    const tree = members.map((line) => ({
      pid: line.pid,
      parent: line.parent,
      command: this.redactor.redact(commandLineOf(line)).slice(0, MAX_COMMAND),
      rssBytes: line.rssBytes,
    }));
    return { ...told, status: tree.length > 0 || isGroupAlive(record) ? 'running' : 'gone', tree };
  }
}

const rank = ({ pid }: TableLine, leader: number): number => (pid === leader ? -1 : pid);
