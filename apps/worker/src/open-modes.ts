import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Config } from '#config';
import type { Trace } from '#kernel';
import { nanoOf } from '#models';
import {
  classicMode, codingMode, drillMode, errandMode, ModeRegistry, type PlannedMode, workMode,
} from '#modes'; // prettier-ignore
import {
  type Database, type PgLedger, PgHistory, PgMachineArchive, PgNotes, PgProcessRegistry, PgProjectBudgets,
} from '#persistence'; // prettier-ignore
import { CommandRunner } from '#process-monitor';
import { GitScratch, ProjectNotes, ScratchKeeper, type WorkshopParts } from '#workspace';
import { openModels } from './open-models.js';
import { openRuntimes } from './open-runtimes.js';
import { openTeam } from './open-team.js';
import { openWorkspace, type Workspace } from './open-workspace.js';
import { type ForkNote, ProjectKeeper } from './project-keeper.js';
import { tracedCommands } from './traced-commands.js';

/** Modes that are announced: none has its activities. */
const PLANNED: readonly PlannedMode[] = [{ name: 'thread' }, { name: 'ralph' }, { name: 'bmad' }];

export interface Modes {
  readonly modes: ModeRegistry;
  readonly commands: CommandRunner;
  readonly keeper: ProjectKeeper;
  readonly workspace: Workspace;
  readonly ledger: PgLedger;
  readonly close: () => Promise<void>;
}

interface Surroundings {
  /** Whether projects are driven here, and not only accepted. */
  readonly doesWork: boolean;
  readonly trace: Trace;
  readonly onError: (error: unknown) => void;
  /** Hears of each note that reached an agent. */
  readonly onNote?: () => void;
  /** Hears of each run in a clean room. */
  readonly onCleanRun?: WorkshopParts['onCleanRun'];
}

/** The modes of this service and all they stand on: models, money, worktrees, sandboxes, agents. */
export async function openModes(config: Config, pool: Database, surroundings: Surroundings): Promise<Modes> {
  const host = hostname();
  const registry = new PgProcessRegistry(pool);
  const commands = new CommandRunner(registry, { host, path: config.commandPath });
  const root = join(config.dataDir, 'scratch');
  const models = openModels(config, pool, surroundings.trace);
  const workspace = await openWorkspace(config, tracedCommands(commands, surroundings.trace), surroundings.onCleanRun);
  const { runtimes, close } = await openRuntimes({
    config,
    models,
    workspace,
    notes: new PgNotes(pool, surroundings.onNote),
    ...surroundings,
  });
  try {
    const work = { ...workspace, runtimes, desk: models.desk, history: new PgHistory(pool) };
    const caps = { nanoUsd: nanoOf(config.budget.usd), tokens: config.budget.tokens };
    const budgets = new PgProjectBudgets(pool, caps);
    const team = { ...work, ...openTeam({ config, pool, host, registry, commands }), budgets };
    const drill = drillMode(new GitScratch(root, commands));
    const offered = [drill, errandMode(team), codingMode(team), workMode(team), classicMode(team)];
    const modes = new ModeRegistry(offered, PLANNED, new PgMachineArchive(pool));
    await modes.open();
    const scratch = new ScratchKeeper(root, config.commandPath);
    const forks = new ProjectNotes<ForkNote>(join(config.dataDir, 'forks'));
    const keeper = new ProjectKeeper(pool, scratch, workspace.keeper, workspace.artefacts, forks);
    return { modes, commands, keeper, workspace, ledger: models.ledger, close };
  } catch (error) {
    await close();
    throw error;
  }
}
