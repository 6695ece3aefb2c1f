import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Config } from '#config';
import { classicMachine, codingMachine, drillMode, ModeRegistry, type PlannedMode, workMachine } from '#modes';
import { type Database, PgMachineArchive, PgProcessRegistry } from '#persistence';
import { CommandRunner } from '#process-monitor';
import { GitScratch, ScratchKeeper } from '#workspace';

/** Modes that are announced: some have their table, none has its activities. */
const PLANNED: readonly PlannedMode[] = [
  { name: 'coding', machine: codingMachine },
  { name: 'work', machine: workMachine },
  { name: 'classic', machine: classicMachine },
  { name: 'thread' },
  { name: 'ralph' },
  { name: 'bmad' },
];

export interface Modes {
  readonly modes: ModeRegistry;
  readonly keeper: ScratchKeeper;
}

/** The modes of this service, and who keeps the repositories of drills. */
export async function openModes(config: Config, pool: Database): Promise<Modes> {
  const commands = new CommandRunner(new PgProcessRegistry(pool), { host: hostname(), path: config.commandPath });
  const root = join(config.dataDir, 'scratch');
  const scratch = new GitScratch(root, commands);
  const modes = new ModeRegistry([drillMode(scratch)], PLANNED, new PgMachineArchive(pool));
  await modes.open();
  return { modes, keeper: new ScratchKeeper(root, config.commandPath) };
}
