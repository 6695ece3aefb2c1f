import type { Config } from '#config';
import { builtInTeam, discover } from '#discovery';
import type { CodingParts } from '#modes';
import { type Database, PgMemory, PgPatterns } from '#persistence';
import { type CommandRunner, LeftBehindProcesses, Orphans, type ProcessRegistry } from '#process-monitor';

type TeamParts = Pick<CodingParts, 'capabilities' | 'memory' | 'patterns' | 'processes'>;

interface Surroundings {
  readonly config: Config;
  readonly pool: Database;
  readonly host: string;
  readonly registry: ProcessRegistry;
  readonly commands: CommandRunner;
}

/** What teams of agents stand on beside their worktree: who there is, what was learnt, and what still runs. */
export function openTeam({ config, pool, host, registry, commands }: Surroundings): TeamParts {
  const { givenUp } = commands;
  // What cannot be ended keeps its record: the watchdog tries it again, and says so.
  const leftBehind = new LeftBehindProcesses(registry, host, { givenUp, onStuck: () => undefined });
  const orphans = new Orphans(registry, host, commands);
  return {
    capabilities: (repo) => discover({ repo, userFolder: config.agentsDir, builtIn: builtInTeam() }),
    memory: new PgMemory(pool),
    patterns: new PgPatterns(pool),
    processes: {
      orphansOf: (projectId) => orphans.orphansOf(projectId),
      endAll: async (projectId) => {
        await leftBehind.endAll(projectId);
        commands.killed.forget(projectId);
      },
    },
  };
}
