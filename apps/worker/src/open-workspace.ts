import { totalmem } from 'node:os';
import { join } from 'node:path';
import type { Config } from '#config';
import { secrets } from '#kernel';
import type { CommandLimits, CommandRunner } from '#process-monitor';
import {
  Artefacts,
  GitWorkshop,
  GitWorktrees,
  openSandboxes,
  type SandboxGuarantees,
  type SandboxKind,
  type WorkshopParts,
  WorktreeKeeper,
} from '#workspace';

/** What one command may take of the machine. */
const LIMITS: CommandLimits = {
  memoryBytes: Math.min(8 * 1024 ** 3, Math.floor(totalmem() * 0.75)),
  processes: 512,
};

export interface Workspace {
  readonly workshop: GitWorkshop;
  readonly worktrees: GitWorktrees;
  readonly keeper: WorktreeKeeper;
  readonly artefacts: Artefacts;
  /** Of the best sandbox that this machine can. */
  readonly guarantees: SandboxGuarantees;
  readonly sandbox: SandboxKind;
}

/** Worktrees, their sandboxes and their readable files, all below the data folder or in the user's repositories. */
export async function openWorkspace(
  config: Config,
  commands: Pick<CommandRunner, 'run'>,
  onCleanRun?: WorkshopParts['onCleanRun'],
): Promise<Workspace> {
  const { dataDir, commandPath: path } = config;
  const hidden = [dataDir];
  const worktrees = new GitWorktrees({ root: join(dataDir, 'worktrees'), path, redactor: secrets });
  const sandboxes = await openSandboxes({
    commands,
    path,
    allowUnsandboxed: config.allowsUnsandboxed,
    hidden,
    folder: join(dataDir, 'sandbox'),
  });
  const workshop = new GitWorkshop({
    worktrees,
    sandboxes,
    commands,
    redactor: secrets,
    homes: join(dataDir, 'places'),
    rooms: join(dataDir, 'rooms'),
    setupHasNetwork: config.setupHasNetwork,
    networkVariables: config.networkVariables,
    hidden,
    commandMs: config.commandMs,
    limits: LIMITS,
    ...(onCleanRun && { onCleanRun }),
  });
  const { kind: sandbox, guarantees } = sandboxes.pick('auto');
  return {
    workshop,
    worktrees,
    keeper: new WorktreeKeeper(worktrees),
    artefacts: new Artefacts({ redactor: secrets }),
    guarantees,
    sandbox,
  };
}
