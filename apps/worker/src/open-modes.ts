import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Config } from '#config';
import { classicMachine, codingMachine, drillMode, ModeRegistry, workMachine } from '#modes';
import { type Database, PgMachineArchive, PgProcessRegistry } from '#persistence';
import { CommandRunner } from '#process-monitor';
import { GitScratch, ScratchKeeper } from '#workspace';

/** Tables that are there before their activities are. */
const PLANNED = [
  { name: 'coding', machine: codingMachine },
  { name: 'work', machine: workMachine },
  { name: 'classic', machine: classicMachine },
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
