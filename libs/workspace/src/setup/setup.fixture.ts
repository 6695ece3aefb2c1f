import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Lease } from '#engine';
import { newId, type Redactor } from '#kernel';
import {
  type CommandRunner as Runner,
  CommandRunner,
  type ProcessRecord,
  type ProcessRegistry,
} from '#process-monitor';
import { tempFolder } from '#testing';
import type { Sandbox, SandboxedCommand, SandboxKind } from '../sandbox/sandbox.port.js';

/** Runs commands as they are, and remembers what they asked for; `hidesFiles` is claimed, not kept. */
export class PretendedSandbox implements Sandbox {
  readonly guarantees;
  readonly asked: SandboxedCommand[] = [];

  constructor(
    private readonly commands: Pick<Runner, 'run'>,
    hidesFiles: boolean,
    readonly kind: SandboxKind = 'none',
  ) {
    this.guarantees = { hidesFiles, cutsNetwork: false, ownsProcesses: false };
  }

  run(command: SandboxedCommand): ReturnType<Sandbox['run']> {
    this.asked.push(command);
    return this.commands.run(command);
  }
}

class OpenRegistry implements ProcessRegistry {
  private readonly records = new Set<string>();

  async register({ pid, startTime }: ProcessRecord): Promise<boolean> {
    this.records.add(`${String(pid)} ${startTime}`);
    return true;
  }
  async release({ pid, startTime }: Pick<ProcessRecord, 'pid' | 'startTime'>): Promise<void> {
    this.records.delete(`${String(pid)} ${startTime}`);
  }
  async ofProject(): Promise<readonly ProcessRecord[]> {
    return [];
  }
  async onHost(): Promise<readonly []> {
    return [];
  }
  get running(): number {
    return this.records.size;
  }
}

const GIT_ENVIRONMENT = {
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'user',
  GIT_AUTHOR_EMAIL: 'user@localhost',
  GIT_COMMITTER_NAME: 'user',
  GIT_COMMITTER_EMAIL: 'user@localhost',
};

export type Files = Readonly<Record<string, string | Buffer>>;

export const silent: Redactor = { redact: (text) => text };

/** The PATH of this run, with its Node and npm: given by vitest's own environment. */
export const machinePath = (): string => [dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(':');

/** A user's checkout with what is in it, and a worktree of its first commit. */
export function openWorktree(files: Files, path = machinePath()) {
  const folder = tempFolder('setup');
  const [repo, worktree, home] = ['repo', 'worktree', 'home'].map((name) => join(folder.path, name)) as [
    string,
    string,
    string,
  ];
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: repo, encoding: 'utf8', env: { PATH: path, ...GIT_ENVIRONMENT }, stdio: 'pipe' });
  mkdirSync(repo);
  write(repo, { '.gitignore': 'node_modules\n.venv\n.env*\n*.log\n', ...files });
  git('init', '-q', '-b', 'main');
  git('add', '-A');
  git('commit', '-q', '-m', 'First');
  git('worktree', 'add', '-q', '-b', 'work', worktree);
  const isTracked = async (name: string): Promise<boolean> => git('ls-files', '--', name) !== '';
  const lease: Lease = { projectId: newId(), workerId: 'w', epoch: 1 };
  const registry = new OpenRegistry();
  const commands = new CommandRunner(registry, { host: 'here', path });
  const abort = new AbortController();
  const outside = { commands, lease, signal: abort.signal };
  const place = { folder: worktree, home, readOnly: [], writable: [] };
  return { folder, repo, worktree, home, place, git, isTracked, lease, registry, commands, abort, outside, path };
}

export function write(root: string, files: Files): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

export const read = (...parts: string[]): string => readFileSync(join(...parts), 'utf8');
export const inodeOf = (...parts: string[]): number => statSync(join(...parts)).ino;
