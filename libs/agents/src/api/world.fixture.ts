import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Clock, type Json, sha256Hex, WorldError } from '#kernel';
import { type ChatWish, type DeskListener, type MeteredAnswer, type ModelDesk, noUsage, type ToolCall } from '#models';
import { tempFolder } from '#testing';
import type { Sandbox, SandboxedCommand, SandboxKind, Worktree, Worktrees } from '#workspace';

type Files = ReadonlyMap<string, string>;

/** A worktree as a plain folder; its commits are copies in memory. */
export class FolderWorktrees implements Pick<Worktrees, 'head' | 'snapshot' | 'reset' | 'mustHold'> {
  private readonly folder = tempFolder('agent');
  private readonly commits = new Map<string, Files>();
  readonly worktree: Worktree;
  readonly startCommit: string;
  snapshots = 0;
  resets = 0;
  isTaken = false;

  constructor(files: Readonly<Record<string, string>> = {}) {
    const { path } = this.folder;
    this.worktree = { projectId: 'p', repo: path, folder: path, branch: 'qralph/001-test', baseCommit: '0' };
    for (const [name, content] of Object.entries(files)) this.put(name, content);
    this.startCommit = this.keep();
  }

  get root(): string {
    return this.folder.path;
  }

  put(name: string, content: string): void {
    mkdirSync(dirname(join(this.root, name)), { recursive: true });
    writeFileSync(join(this.root, name), content);
  }

  async snapshot(): Promise<string> {
    this.snapshots += 1;
    return this.keep();
  }

  async reset(_worktree: Worktree, commit: string): Promise<void> {
    this.resets += 1;
    const files = this.commits.get(commit);
    if (!files) throw new Error(`there is no commit ${commit}`);
    for (const name of readdirSync(this.root)) rmSync(join(this.root, name), { recursive: true });
    for (const [name, content] of files) this.put(name, content);
  }

  async head(): Promise<string> {
    return this.worktree.baseCommit;
  }

  async mustHold(): Promise<void> {
    if (this.isTaken) throw new WorldError('WORKTREE_TAKEN', 'another works here now');
  }

  fileAt(commit: string, path: string): string | null {
    return this.commits.get(commit)?.get(path) ?? null;
  }

  filesNow(): Record<string, string> {
    const files: Record<string, string> = {};
    for (const name of readdirSync(this.root, { recursive: true, encoding: 'utf8' })) {
      const path = join(this.root, name);
      if (statSync(path).isFile()) files[name] = readFileSync(path, 'utf8');
    }
    return files;
  }

  close(): Promise<void> {
    return this.folder.remove();
  }

  private keep(): string {
    const files = this.filesNow();
    const sorted = Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1));
    const commit = sha256Hex(JSON.stringify(sorted)).slice(0, 40);
    this.commits.set(commit, new Map(sorted));
    return commit;
  }
}

/** Time that passes when a test says so. */
export class HandClock implements Clock {
  private at = 0;
  private readonly sleepers: { readonly until: number; readonly wake: () => void }[] = [];

  now(): number {
    return this.at;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((wake) => {
      this.sleepers.push({ until: this.at + ms, wake });
      signal?.addEventListener('abort', () => wake(), { once: true });
    });
  }

  /** Resolves when those who are awake by then have had their turn. */
  async pass(ms: number): Promise<void> {
    this.at += ms;
    for (const { until, wake } of this.sleepers) if (until <= this.at) wake();
    await new Promise(setImmediate);
  }
}

type Sayable = 'text' | 'stop' | 'usage' | 'isUsageKnown' | 'contextTokens' | 'costNanoUsd' | 'raw';
export type Said = Partial<Pick<MeteredAnswer, Sayable>> & {
  readonly calls?: readonly (readonly [name: string, input: Json])[];
};

/** A model that says what it is told to, by how many answers it has given, and keeps what it was asked. */
export class ScriptedDesk implements ModelDesk {
  readonly wishes: ChatWish[] = [];
  answers = 0;

  constructor(
    private readonly script: (wish: ChatWish, asked: number, signal: AbortSignal) => Said | Promise<Said>,
    private readonly isSimulated = true,
  ) {}

  async chat(wish: ChatWish, { signal, onSend }: DeskListener): Promise<MeteredAnswer> {
    this.wishes.push(wish);
    onSend?.();
    const asked = this.wishes.length;
    const { calls = [], text = '', ...said } = await this.script(wish, asked, signal);
    this.answers += 1;
    const toolCalls: ToolCall[] = calls.map(([name, input], nth) => ({
      id: `${String(asked)}-${String(nth)}`,
      name,
      input,
    }));
    return {
      id: String(asked),
      model: 'scripted',
      text,
      toolCalls,
      stop: toolCalls.length > 0 ? 'tools' : 'end',
      usage: { ...noUsage, input: 100, output: 10 },
      raw: { text },
      ref: { provider: 'scripted', model: 'one' },
      isSimulated: this.isSimulated,
      costNanoUsd: 1n,
      contextTokens: 200_000,
      ...said,
    };
  }

  candidates(): ReturnType<ModelDesk['candidates']> {
    return [{ provider: 'scripted', model: 'one', isSimulated: this.isSimulated }];
  }
}

/** The n-th answer of a conversation that is never begun anew: how many messages of the model's own it holds, plus one. */
export const turnOf = ({ messages }: ChatWish): number =>
  messages.filter(({ role }) => role === 'assistant').length + 1;

/** Runs commands as they are, and says that they ran in whatever sandbox the test is about. */
export class NoSandbox implements Sandbox {
  readonly commands: SandboxedCommand[] = [];
  readonly guarantees: Sandbox['guarantees'];

  constructor(readonly kind: SandboxKind = 'bubblewrap') {
    const holds = kind === 'bubblewrap';
    this.guarantees = { hidesFiles: holds, cutsNetwork: holds, ownsProcesses: holds };
  }

  run(command: SandboxedCommand): ReturnType<Sandbox['run']> {
    this.commands.push(command);
    const { file, args, cwd, timeoutMs: timeout, signal } = command;
    return new Promise((resolve) => {
      execFile(file, [...args], { cwd, timeout, signal, killSignal: 'SIGKILL' }, (error, stdout, stderr) => {
        const exitCode = error ? (typeof error.code === 'number' ? error.code : null) : 0;
        const endedBy = signal.aborted ? 'interruption' : error?.killed ? 'time-out' : 'itself';
        resolve({ exitCode, stdout, stderr, endedBy });
      });
    });
  }
}
