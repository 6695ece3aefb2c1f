import { join, normalize } from 'node:path';
import { errorMessage, UserError } from '#kernel';
import type { CommandRunner } from '#process-monitor';
import { removeTree } from '../remove-tree.js';
import { inPackage, packageOf } from '../verify/find-packages.js';
import type { Worktree } from '../worktree/worktree.port.js';
import { bringIn, type BroughtIn } from './bring-in/bring-in.js';
import { makeOwnWhatIsLinked } from './bring-in/make-own.js';
import type { OutsideCommands } from './bring-in/outside-command.js';
import { checkCopyPaths, copyFiles } from './copy-files.js';
import { detectSetup, type DetectedSetup } from './detect-setup.js';
import { detectPackageSetups } from './package-setups.js';
import { type PlannedCommand, planSetup, type SetupPlan } from './plan-setup.js';
import { type LeftOut, registrySettings, writeNpmrc } from './registry-settings.js';
import { startsInSandbox } from './venv-start.js';
import type { WorkPlace } from './work-place.js';
import { type CommandReport, endOf, isSuccess, runInWorktree, type ShellRight } from './worktree-shell.js';

export interface SetupWish extends ShellRight {
  readonly worktree: Pick<Worktree, 'repo' | 'folder'>;
  /** The path under which commands find the worktree, if it is another one. */
  readonly seenAs?: string;
  /** Whether the worktree's commit holds this path: then it is the repository's own, and nobody's to replace. */
  readonly isTracked: (path: string) => Promise<boolean>;
  /** Whether what runs in the worktree later is kept from writing to the user's files; it is where unset. */
  readonly mayShareFiles?: boolean;
  /** HOME of the worktree's commands; a folder of this worktree alone, outside of it. */
  readonly home: string;
  /** `setup` of the request; null: found from lock files. */
  readonly given: readonly string[] | null;
  /** `copy` of the request. */
  readonly copy: readonly string[];
  /** Whether set-up commands may reach the network. */
  readonly mayUseNetwork: boolean;
  /** Of the service's own environment: proxies, certificates and registries. */
  readonly networkVariables: Readonly<Record<string, string>>;
  /** What no command may see. */
  readonly hidden: readonly string[];
  /** For each command. */
  readonly timeoutMs: number;
  /** For what the service does itself, outside of the sandbox. */
  readonly commands: Pick<CommandRunner, 'run'>;
}

/** Tools that know there is no network say so at once, instead of trying for minutes. */
const OFFLINE: Readonly<Record<string, string>> = {
  npm_config_offline: 'true',
  YARN_ENABLE_NETWORK: 'false',
  PIP_RETRIES: '0',
  UV_OFFLINE: '1',
  GOPROXY: 'off',
  CARGO_NET_OFFLINE: 'true',
};

interface SetupAccount {
  readonly copied: readonly string[];
  readonly broughtIn: readonly BroughtIn[];
  /** Why dependencies were not brought in, for a person. */
  readonly notBroughtIn: readonly { readonly folder: string; readonly reason: string }[];
  readonly commands: readonly CommandReport[];
}

/** Plain data, fit to be journalled. */
export type SetupResult =
  | (SetupAccount & { readonly status: 'done'; readonly place: WorkPlace })
  | (SetupAccount & {
      readonly status: 'failed';
      /** What to tell the person who is asked. */
      readonly reason: string;
      /** Null where no command failed but a file of `copy`. */
      readonly command: string | null;
      readonly exitCode: number | null;
      readonly endedBy: CommandReport['endedBy'];
      readonly output: string;
    });

/**
 * Makes a fresh worktree fit for work: files of `copy`, then dependencies, brought in from the user's checkout or
 * installed by commands in the sandbox. Safe to repeat: it begins by taking away what an earlier run left of them.
 */
export async function runSetup(wish: SetupWish): Promise<SetupResult> {
  const { worktree, given } = wish;
  const outside: OutsideCommands = { commands: wish.commands, lease: wish.lease, signal: wish.signal };
  const copied = await copyUntracked(wish).catch(asUserError);
  if (copied instanceof UserError) return refused(copied);
  const plan = await planSetup(await ours(wish), given, worktree.folder);
  const { broughtIn, notBroughtIn, commands } = await dependencies(wish, plan, outside);
  const place = placeOf(wish, broughtIn);
  const all = [
    ...commands.map((command) => ({ command, isRequired: true })),
    ...(await packageCommands(wish)).map((command) => ({ command, isRequired: false })),
  ];
  const { reports, leftOut, failed } = await runAll(wish, place, all, outside);
  const account = { copied, broughtIn, notBroughtIn, commands: reports };
  if (!failed) return { status: 'done', place, ...account };
  const { command, exitCode, endedBy, output } = failed;
  const end = endedBy === 'itself' ? '' : ` (${endOf(failed)})`;
  const reason = `set-up failed${circumstances(wish, leftOut)}: ${command}${end}`;
  return { status: 'failed', reason, command, exitCode, endedBy, output, ...account };
}

/** Packages whose dependencies are not there, after a set-up that is done. Their tests may fail for that alone. */
export const packagesNotSetUp = ({ commands }: Pick<SetupResult, 'commands'>): readonly string[] => [
  ...new Set(commands.filter((one) => !isSuccess(one)).flatMap(({ command }) => packageOf(command)?.folder ?? [])),
];

/** A file of the repository's own could neither be kept out of commits nor over a reset. */
async function copyUntracked({ worktree, copy, isTracked }: SetupWish): Promise<string[]> {
  checkCopyPaths(copy);
  for (const path of copy.map((one) => normalize(one))) {
    if (!(await isTracked(path))) continue;
    throw new UserError('COPY_TRACKED', `copy: ${path} is in the repository already; leave it out of copy`, { path });
  }
  return copyFiles(worktree.repo, worktree.folder, copy);
}

/** What has to be installed, without what the repository itself holds. An earlier run's folders are taken away. */
async function ours({ worktree, isTracked }: SetupWish): Promise<DetectedSetup[]> {
  const found: DetectedSetup[] = [];
  for (const one of await detectSetup(worktree.folder)) {
    if (one.folder !== null) {
      if (await isTracked(one.folder)) continue;
      await removeTree(join(worktree.folder, one.folder));
    }
    found.push(one);
  }
  // Of an earlier run that found other lock files.
  await makeOwnWhatIsLinked(worktree.folder);
  return found;
}

/** What installs the dependencies of packages that have a lock file of their own. A change may touch any of them. */
async function packageCommands({ worktree: { folder }, given, isTracked }: SetupWish): Promise<readonly string[]> {
  if (given !== null) return [];
  const commands: string[] = [];
  for (const { package: name, setup } of await detectPackageSetups(folder)) {
    if (setup.folder !== null && (await isTracked(join(name, setup.folder)))) continue;
    commands.push(inPackage(name, setup.command));
  }
  return commands;
}

/** Every command runs with all that has been brought in by then. */
const placeOf = ({ worktree, home }: SetupWish, broughtIn: readonly BroughtIn[]): WorkPlace => ({
  folder: worktree.folder,
  home,
  readOnly: broughtIn.flatMap(({ readOnly }) => readOnly),
  writable: broughtIn.flatMap(({ writable }) => writable),
});

type Dependencies = Pick<SetupAccount, 'broughtIn' | 'notBroughtIn'> & { readonly commands: readonly string[] };

async function dependencies(wish: SetupWish, plan: SetupPlan, outside: OutsideCommands): Promise<Dependencies> {
  const broughtIn: BroughtIn[] = [];
  const notBroughtIn: { folder: string; reason: string }[] = [];
  const commands: string[] = [];
  for (const step of plan.steps) {
    const outcome = step.replaces ? await attempt(wish, step.replaces, plan, broughtIn, outside) : null;
    if (outcome && 'broughtIn' in outcome) {
      broughtIn.push(outcome.broughtIn);
      commands.push(...step.afterwards);
      continue;
    }
    if (outcome) notBroughtIn.push({ folder: step.replaces?.folder ?? '', reason: outcome.reason });
    commands.push(step.command);
  }
  return { broughtIn, notBroughtIn, commands };
}

async function attempt(
  wish: SetupWish,
  setup: NonNullable<PlannedCommand['replaces']>,
  plan: SetupPlan,
  before: readonly BroughtIn[],
  outside: OutsideCommands,
): ReturnType<typeof bringIn> {
  const { repo, folder } = wish.worktree;
  const { mayShareFiles = true, sandbox } = wish;
  const mayHardLink = !plan.writesAfterwards && mayShareFiles && sandbox.guarantees.hidesFiles;
  const outcome = await bringIn({
    setup,
    checkout: repo,
    worktree: folder,
    mayHardLink,
    outside,
    ...(wish.seenAs !== undefined && { seenAs: wish.seenAs }),
  });
  if (setup.language !== 'python' || !('broughtIn' in outcome)) return outcome;
  if (await startsInSandbox(placeOf(wish, [...before, outcome.broughtIn]), wish)) return outcome;
  await removeTree(join(folder, setup.folder));
  return { reason: 'the interpreter of the environment does not start in the sandbox' };
}

async function runAll(
  wish: SetupWish,
  place: WorkPlace,
  commands: readonly { readonly command: string; readonly isRequired: boolean }[],
  outside: OutsideCommands,
): Promise<{ reports: CommandReport[]; leftOut: readonly LeftOut[]; failed: CommandReport | null }> {
  const reports: CommandReport[] = [];
  if (commands.length === 0) return { reports, leftOut: [], failed: null };
  const forPython = commands.some(({ command }) => /\b(?:python3?|pip3?|pipenv|poetry|uv)\b/.test(command));
  const settings = wish.mayUseNetwork ? await registrySettings(outside, { ...wish, forPython }) : null;
  const leftOut = settings?.leftOut ?? [];
  if (settings) await writeNpmrc(wish.home, settings);
  for (const { command, isRequired } of commands) {
    const { report } = await runInWorktree(place, wish, {
      command,
      purpose: `set-up: ${command}`.slice(0, 200),
      timeoutMs: wish.timeoutMs,
      network: wish.mayUseNetwork ? 'host' : 'none',
      env: settings?.env ?? OFFLINE,
      readable: settings?.readable ?? [],
    });
    reports.push(reports.length > 0 ? report : { ...report, output: `${notesOn(leftOut)}${report.output}` });
    // The tests of a package that cannot be set up fail from the start: its failures are known then.
    if (!isSuccess(report) && isRequired) return { reports, leftOut, failed: report };
  }
  return { reports, leftOut, failed: null };
}

/** What a person has to know who reads why a command failed. */
function circumstances({ mayUseNetwork }: SetupWish, leftOut: readonly LeftOut[]): string {
  if (!mayUseNetwork) return ' (without network, by the configuration of this server)';
  const names = leftOut.map(({ name, why }) => `${name}: ${why}`);
  return names.length > 0 ? ` (with settings left out; ${names.join('; ')})` : '';
}

/** Begin the set-up's output: a command may well succeed, and not do what the machine is set to. */
const notesOn = (leftOut: readonly LeftOut[]): string =>
  leftOut.map(({ name, why }) => `[${name} is left out: ${why}]\n`).join('');

function refused(error: UserError): SetupResult {
  const reason = errorMessage(error);
  const nothing = { copied: [], broughtIn: [], notBroughtIn: [], commands: [] };
  return { status: 'failed', reason, command: null, exitCode: null, endedBy: 'itself', output: reason, ...nothing };
}

function asUserError(error: unknown): UserError {
  if (error instanceof UserError) return error;
  throw error;
}
