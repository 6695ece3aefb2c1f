import type { DetectedSetup } from './detect-setup.js';
import { TOOLS } from './ecosystems.js';
import { lifecycleCommands } from './javascript-packages.js';

export interface PlannedCommand {
  readonly command: string;
  /** The installation that this command is, where its folder could be brought in instead. */
  readonly replaces: (DetectedSetup & { readonly folder: string }) | null;
  /** What is to run even then: scripts of the repository that the installation would have run. */
  readonly afterwards: readonly string[];
}

export interface SetupPlan {
  readonly steps: readonly PlannedCommand[];
  /**
   * Whether commands of the repository run once dependencies are there. They may write to them (generators, patches),
   * so those must be the worktree's own files then.
   */
  readonly writesAfterwards: boolean;
}

/** The given commands, else the detected ones; each with what it could be replaced by. */
export async function planSetup(
  detected: readonly DetectedSetup[],
  given: readonly string[] | null,
  worktree: string,
): Promise<SetupPlan> {
  const commands = given ?? detected.map(({ command }) => command);
  const steps = await Promise.all(
    commands.map(async (command): Promise<PlannedCommand> => {
      const replaces = detected.filter(hasFolder).find((one) => isInstallation(command, one)) ?? null;
      const afterwards = replaces?.language === 'javascript' ? await lifecycleCommands(worktree, replaces.tool) : [];
      return { command, replaces, afterwards };
    }),
  );
  const isInstall = (command: string): boolean => detected.some((one) => isInstallation(command, one));
  const writesAfterwards = steps.some(({ command, afterwards }) => !isInstall(command) || afterwards.length > 0);
  return { steps, writesAfterwards };
}

const hasFolder = (one: DetectedSetup): one is DetectedSetup & { readonly folder: string } => one.folder !== null;

/** A command that installs what the lock file says and does nothing else, in one of its usual spellings. */
function isInstallation(command: string, { tool, lockFile, command: detected }: DetectedSetup): boolean {
  const alike = TOOLS.find((one) => one.name === tool && one.lockFile === lockFile)?.alike ?? [];
  return [detected, ...alike].includes(command.trim().replace(/\s+/g, ' '));
}
