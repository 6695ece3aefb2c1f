import type { CommandRunner } from './command-runner.js';
import type { ProcessRecord, ProcessRegistry } from './process-registry.port.js';
import { readTable, treeOf } from './process-tree.js';

/** Counts processes that outlived what they were started for: a project that makes many of them is better stopped. */
export class Orphans {
  constructor(
    private readonly registry: Pick<ProcessRegistry, 'onHost'>,
    private readonly host: string,
    private readonly commands: Pick<CommandRunner, 'givenUp' | 'killed'>,
  ) {}

  /**
   * How many processes of the project run on this host though their worker is gone or gave up on ending them, and how
   * many this worker had to kill after their command had ended by itself. What a runner still looks after is none.
   */
  async orphansOf(projectId: string): Promise<number> {
    const known = await this.registry.onHost(this.host);
    const givenUp = [...this.commands.givenUp].filter(([record]) => record.projectId === projectId);
    const over: [ProcessRecord, ReadonlyMap<number, string>?][] = [
      ...givenUp,
      ...known.filter((one) => one.projectId === projectId && one.isAbandoned).map((one): [ProcessRecord] => [one]),
    ];
    const killed = this.commands.killed.of(projectId);
    if (over.length === 0) return killed;
    const table = await readTable();
    // By pid: a record that was given up on may be an abandoned one too.
    const live = new Set(over.flatMap(([record, seen]) => treeOf(record, table, seen).map(({ pid }) => pid)));
    return live.size + killed;
  }
}
