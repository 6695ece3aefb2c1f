import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { EffectRun, ProjectFacts } from '#engine';
import { newWorkshop, projectOn, runOn } from '../git-workshop.fixture.js';
import type { GitWorkshop } from '../git-workshop.js';
import { openSandboxes, type Sandbox, type SandboxedCommand } from '../sandbox/index.js';
import { type Files, openWorktree, PretendedSandbox, silent, write } from '../setup/setup.fixture.js';
import { runVerify } from '../verify/index.js';
import type { CleanReport, CleanTree, WorkspaceOrder } from '../workshop.port.js';
import type { Worktree } from '../worktree/index.js';

/** Remembers the purposes of commands. */
class RecordingSandbox implements Sandbox {
  readonly purposes: string[] = [];

  constructor(private readonly sandbox: Sandbox) {}

  get kind(): Sandbox['kind'] {
    return this.sandbox.kind;
  }
  get guarantees(): Sandbox['guarantees'] {
    return this.sandbox.guarantees;
  }
  get canMount(): boolean {
    return this.sandbox.canMount === true;
  }

  run(command: SandboxedCommand): ReturnType<Sandbox['run']> {
    this.purposes.push(command.purpose);
    return this.sandbox.run(command);
  }
}

/** `walls`: the best sandbox of the machine. `limited walls`: without bubblewrap. `no walls`: none at all. */
export type RoomWorld = 'walls' | 'limited walls' | 'no walls';

/** A user's repository, a project with a worktree on it, and the workshop over real git and sandboxes. */
export async function openRoomWorld(path: string, files: Files, world: RoomWorld = 'walls') {
  const at = openWorktree(files, path);
  const data = join(at.folder.path, 'data');
  const options = { commands: at.commands, allowUnsandboxed: true, path, hidden: [data] };
  const sandboxes = await openSandboxes({ ...options, folder: join(data, 'sandbox') });
  const none = new PretendedSandbox(at.commands, false);
  const picked = world === 'no walls' ? none : sandboxes.pick(world === 'walls' ? 'auto' : 'limited');
  const sandbox = new RecordingSandbox(picked);
  const project = projectOn(at);
  const run = runOn(at);
  const opened = new World({ at, data, sandbox, project, run });
  await opened.restart();
  return opened;
}

interface WorldParts {
  readonly at: ReturnType<typeof openWorktree>;
  readonly data: string;
  readonly sandbox: RecordingSandbox;
  readonly project: ProjectFacts;
  readonly run: EffectRun;
}

class World {
  workshop!: GitWorkshop;
  worktree!: Worktree;

  constructor(readonly parts: WorldParts) {}

  /** A new process on the same data folder. */
  async restart(): Promise<void> {
    const { at, sandbox, project } = this.parts;
    ({ workshop: this.workshop } = newWorkshop(at, { pick: () => sandbox }));
    this.worktree = await this.workshop.enter(project, { commit: null, incarnation: 1 }, at.abort.signal);
  }

  get room(): string {
    return join(this.parts.data, 'rooms', this.worktree.projectId);
  }

  get tree(): string {
    return join(this.room, `${this.worktree.projectId}-room`);
  }

  /** HOME of the agent's commands. */
  get home(): string {
    return join(this.parts.data, 'places', this.worktree.projectId, 'home');
  }

  get setUps(): number {
    return this.parts.sandbox.purposes.filter((purpose) => purpose.startsWith('set-up:')).length;
  }

  async setUp(order: WorkspaceOrder): Promise<void> {
    const result = await this.workshop.setUp(this.worktree, order, this.parts.run);
    if (result.status === 'failed') throw new Error(`${result.reason}\n${result.output}`);
    // Agents come in through this.
    await this.workshop.place(this.worktree, order);
  }

  verify(order: WorkspaceOrder, tree: Partial<CleanTree>, ...commands: string[]): Promise<CleanReport> {
    const clean = { tree: { commit: this.worktree.baseCommit, ...tree }, commands };
    return this.workshop.verifyClean(this.worktree, order, clean, this.parts.run);
  }

  /** What one command says in the room. */
  async say(order: WorkspaceOrder, command: string, tree: Partial<CleanTree> = {}): Promise<string> {
    const report = await this.verify(order, tree, command);
    return report.setupFailure?.output ?? report.commands[0]?.output.trim() ?? '';
  }

  /** What one command says in the worktree, as an agent runs it. */
  async sayInWorktree(command: string): Promise<string> {
    const { sandbox, run } = this.parts;
    const place = await this.workshop.place(this.worktree);
    const right = { sandbox, lease: run.lease, signal: run.signal, redactor: silent, limits: {} };
    const { commands } = await runVerify({ ...right, place, commands: [command], timeoutMs: 60_000 });
    return commands[0]?.output ?? '';
  }

  /** A commit on top of the base that changes these files; null removes one. */
  commit(files: Readonly<Record<string, string | null>>): string {
    const { at } = this.parts;
    const clone = join(at.folder.path, 'clone');
    const env = { PATH: at.path, GIT_CONFIG_GLOBAL: '/dev/null' };
    const git = (...args: string[]): string =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@localhost', ...args], {
        cwd: clone,
        encoding: 'utf8',
        env,
      });
    execFileSync('git', ['clone', '-q', at.repo, clone], { env });
    for (const [path, text] of Object.entries(files)) {
      if (text === null) rmSync(join(clone, path), { recursive: true });
      else write(clone, { [path]: text });
    }
    git('add', '-A', '-f');
    git('commit', '-q', '-m', 'Change');
    const commit = git('rev-parse', 'HEAD').trim();
    at.git('fetch', '-q', clone, commit);
    rmSync(clone, { recursive: true });
    return commit;
  }

  remove(): Promise<void> {
    return this.parts.at.folder.remove();
  }
}
