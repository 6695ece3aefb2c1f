import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newId } from '#kernel';
import type { ModelRef } from '#models';
import { CommandRunner, type KnownProcess, type ProcessRecord, type ProcessRegistry } from '#process-monitor';
import { tempFolder } from '#testing';
import { GitWorktrees, openSandboxes, type SandboxWish } from '#workspace';
import type { Notes } from '../notes/notes.port.js';
import { MODEL, openProxyUnderTest } from '../proxy/proxy-under-test.fixture.js';
import type { CliLimits } from './cli-parts.js';
import { cliRuntime } from './cli-runtime.js';
import type { CliSpec } from './cli-spec.js';
import { claude } from './specs/claude.js';

const SYSTEM_PATH = '/usr/local/bin:/usr/bin:/bin';

class ListRegistry implements ProcessRegistry {
  readonly records = new Set<ProcessRecord>();

  async register(record: ProcessRecord): Promise<boolean> {
    this.records.add(record);
    return true;
  }

  async release({ pid, startTime }: Pick<ProcessRecord, 'pid' | 'startTime'>): Promise<void> {
    for (const one of this.records) if (one.pid === pid && one.startTime === startTime) this.records.delete(one);
  }

  ofProject = async (): Promise<readonly ProcessRecord[]> => [...this.records];
  onHost = async (): Promise<readonly KnownProcess[]> =>
    [...this.records].map((record) => ({ ...record, isAbandoned: false }));
}

export interface CliWorldOptions {
  /** Text of a program of this name, in JavaScript; without one the real CLI on `path` is used. */
  readonly script?: string;
  readonly spec?: CliSpec;
  readonly path?: string;
  readonly sandbox?: SandboxWish;
  readonly models?: readonly (ModelRef & { readonly isSimulated: boolean })[];
  readonly limits?: Partial<CliLimits>;
  readonly notes?: Notes;
}

/** A repository with a worktree, a sandbox, a proxy before a pretended provider, and a CLI that works on them. */
export async function openCliWorld(options: CliWorldOptions = {}) {
  const { spec = claude, script, sandbox = 'auto', path = SYSTEM_PATH } = options;
  const folder = tempFolder('cli');
  const [repo, data, bin] = ['repo', 'data', 'bin'].map((name) => join(folder.path, name)) as [string, string, string];
  for (const one of [repo, data, bin]) mkdirSync(one);
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=u', '-c', 'user.email=u@localhost', ...args], {
      cwd: repo,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  git('init', '-q', '-b', 'main');
  writeFileSync(join(repo, 'readme.md'), '# A project\n');
  git('add', '-A');
  git('commit', '-q', '-m', 'first');
  if (script !== undefined) writeFileSync(join(bin, spec.name), `#!/usr/bin/env node\n${script}`, { mode: 0o755 });

  const worktrees = new GitWorktrees({ root: join(data, 'worktrees'), path: SYSTEM_PATH });
  const wish = { projectId: newId(), name: '001-work', repo, ref: 'main' };
  const worktree = await worktrees.open(wish, new AbortController().signal);
  const startCommit = await worktrees.head(worktree);
  const registry = new ListRegistry();
  const sandboxes = await openSandboxes({
    commands: new CommandRunner(registry, { host: 'here', path: SYSTEM_PATH }),
    allowUnsandboxed: true,
    path: SYSTEM_PATH,
    hidden: [data],
    folder: join(data, 'sandbox'),
  });
  const under = await openProxyUnderTest();
  const models = options.models ?? [{ provider: 'anthropic', model: MODEL, isSimulated: false }];
  const runtime = cliRuntime(spec, {
    path: `${bin}:${path}`,
    proxy: under.proxy,
    desk: { candidates: () => models },
    worktrees,
    sandbox: sandboxes.pick(sandbox),
    folder: join(data, 'runs'),
    transcripts: join(data, 'transcripts'),
    secrets: under.secrets,
    ...(options.limits && { limits: options.limits }),
    ...(options.notes && { notes: options.notes }),
  });
  const fileAt = async (commit: string, name: string): Promise<string | null> => {
    try {
      return git('show', `${commit}:${name}`);
    } catch {
      return null;
    }
  };
  const close = async (): Promise<void> => {
    await under.close();
    await folder.remove();
  };
  return {
    ...under,
    runtime,
    sandbox: sandboxes.pick(sandbox),
    worktree,
    worktrees,
    startCommit,
    registry,
    data,
    repo,
    git,
    fileAt,
    close,
  };
}
