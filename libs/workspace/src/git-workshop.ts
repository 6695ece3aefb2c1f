import { lstat, mkdir } from 'node:fs/promises';
import type { EffectRun, ProjectFacts } from '#engine';
import { EngineBug, type Redactor } from '#kernel';
import type { CommandLimits, CommandRunner } from '#process-monitor';
import { PlaceNotes } from './place-notes.js';
import { CleanRooms } from './room/clean-rooms.js';
import type { Sandbox, Sandboxes } from './sandbox/index.js';
import {
  type BroughtIn,
  checkCopyPaths,
  clearHome,
  clearParts,
  copiedNames,
  makeOwn,
  makeOwnWhatIsLinked,
  PART_NAMES,
  removeFiles,
  runSetup,
  type SetupResult,
  type WorkPlace,
} from './setup/index.js';
import { detectTouchedPackages } from './verify/index.js';
import type {
  CleanReport,
  CleanRun,
  Entered,
  Standing,
  VerifyReport,
  WorkspaceOrder,
  Workshop,
} from './workshop.port.js';
import { type GitWorktrees, type Worktree, WorktreeKeeper } from './worktree/index.js';
import { Turns } from './worktree/turns.js';

export interface WorkshopParts {
  readonly worktrees: GitWorktrees;
  readonly sandboxes: Sandboxes;
  /** For what the service does itself, outside of the sandbox. */
  readonly commands: Pick<CommandRunner, 'run'>;
  readonly redactor: Redactor;
  /** Where the HOME folders of worktrees' commands lie. */
  readonly homes: string;
  /** Where the clean rooms of projects lie. */
  readonly rooms: string;
  readonly setupHasNetwork: boolean;
  /** Of the service's own environment: proxies, certificates and registries. */
  readonly networkVariables: Readonly<Record<string, string>>;
  /** What no command may see as a whole, as the sandboxes have it. */
  readonly hidden: readonly string[];
  /** Longest that one set-up or verify command may take. */
  readonly commandMs: number;
  readonly limits: CommandLimits;
  /** Told after each run in a clean room. */
  readonly onCleanRun?: (run: { readonly verdict: VerifyReport['verdict']; readonly seconds: number }) => void;
}

/** The workshop on git worktrees and the sandboxes of this machine. */
export class GitWorkshop implements Workshop {
  private readonly notes: PlaceNotes;
  private readonly keeper: WorktreeKeeper;
  private readonly rooms: CleanRooms;
  private readonly turns = new Turns();

  constructor(private readonly parts: WorkshopParts) {
    this.keeper = new WorktreeKeeper(parts.worktrees);
    this.notes = new PlaceNotes(parts.homes);
    this.rooms = new CleanRooms({ ...parts, homeOf: (worktree) => this.notes.homeOf(worktree) });
  }

  async enter(project: ProjectFacts, { commit, incarnation }: Standing, signal: AbortSignal): Promise<Entered> {
    const { id: projectId, name, repo } = project;
    if (!repo) throw new EngineBug('REPO_MISSING', `${name} has no repository`);
    const { worktrees } = this.parts;
    const wish = { projectId, name, repo: repo.path, ref: repo.ref };
    // A worktree that is made again begins there, also if this process dies while it is being made.
    if (commit !== null && !(await isThere(worktrees.folderOf(projectId)))) {
      await this.keeper.beginAt(wish, commit);
    }
    const worktree = await worktrees.open(wish, signal);
    const undone = await this.keeper.settle(projectId, repo.path, incarnation);
    return undone === null ? worktree : { ...worktree, undone };
  }

  undoneTold({ projectId }: Pick<Worktree, 'projectId'>): Promise<void> {
    return this.keeper.told(projectId);
  }

  sandbox({ sandbox = 'auto' }: WorkspaceOrder): Sandbox {
    return this.parts.sandboxes.pick(sandbox);
  }

  async isSetUp(worktree: Worktree): Promise<boolean> {
    return (await this.notes.read(worktree)) !== null;
  }

  async setUp(worktree: Worktree, order: WorkspaceOrder, run: EffectRun): Promise<SetupResult> {
    const { worktrees, setupHasNetwork, networkVariables, hidden, commands, commandMs } = this.parts;
    const copy = order.copy ?? [];
    checkCopyPaths(copy);
    await worktrees.keepOut(worktree, [...copiedNames(copy), ...PART_NAMES]);
    await this.notes.drop(worktree);
    await this.clearLeftovers(worktree);
    const right = this.right(run);
    const before = (await this.notes.wasEntered(worktree)) ? null : await this.rooms.beforeSetUp(worktree, right);
    const result = await runSetup({
      ...right,
      mayShareFiles: this.sandbox(order).guarantees.hidesFiles,
      worktree,
      isTracked: (path) => worktrees.isTracked(worktree, path),
      home: this.notes.homeOf(worktree),
      given: order.setup ?? null,
      copy,
      mayUseNetwork: setupHasNetwork,
      networkVariables,
      hidden,
      timeoutMs: commandMs,
      commands,
    });
    if (result.status === 'done') {
      const { place, broughtIn } = result;
      if (before !== null) await this.rooms.keepSetUp(worktree, order, result, before, right);
      await this.notes.write(worktree, { place, broughtIn });
    }
    return result;
  }

  place(worktree: Worktree, order: WorkspaceOrder = {}): Promise<WorkPlace> {
    return this.turns.take(worktree.projectId, () => this.safePlace(worktree, this.sandbox(order)));
  }

  async verifyClean(worktree: Worktree, order: WorkspaceOrder, clean: CleanRun, run: EffectRun): Promise<CleanReport> {
    const began = performance.now();
    const report = await this.rooms.verify(worktree, order, clean, this.right(run));
    this.parts.onCleanRun?.({ verdict: report.verdict, seconds: (performance.now() - began) / 1_000 });
    return report;
  }

  async commandsOfPackages(
    { folder }: Worktree,
    { verify }: WorkspaceOrder,
    paths: readonly string[],
  ): Promise<readonly string[]> {
    return verify ? [] : detectTouchedPackages(folder, paths);
  }

  async leave({ id: projectId, repo }: ProjectFacts): Promise<void> {
    await Promise.all([
      this.rooms.remove({ projectId, repo: repo?.path ?? null }),
      repo && this.parts.worktrees.remove({ projectId, repo: repo.path }),
    ]);
    await this.notes.forget({ projectId });
  }

  /** Set-up begins with nothing that no commit holds: it must not take such a file for its own. */
  private async clearLeftovers(worktree: Worktree): Promise<void> {
    await removeFiles(worktree.folder, await this.parts.worktrees.ignored(worktree));
    await clearHome(this.notes.homeOf(worktree));
  }

  /** No command ever runs over the user's own files where nothing keeps it from writing to them. */
  private async safePlace(worktree: Worktree, { guarantees }: Sandbox): Promise<WorkPlace> {
    const { folder } = worktree;
    const home = this.notes.homeOf(worktree);
    await mkdir(home, { recursive: true, mode: 0o700 });
    await this.notes.markEntered(worktree);
    await clearParts(folder);
    const note = await this.notes.read(worktree);
    if (note && (guarantees.hidesFiles || note.place.readOnly.length === 0)) return note.place;
    if (note) return this.makeOwn(worktree);
    await makeOwnWhatIsLinked(folder);
    return { folder, home, readOnly: [], writable: [] };
  }

  private async makeOwn(worktree: Worktree): Promise<WorkPlace> {
    const note = await this.notes.read(worktree);
    if (!note) throw new EngineBug('PLACE_UNKNOWN', `nobody knows what was brought in to ${worktree.folder}`);
    const broughtIn: BroughtIn[] = [];
    const place = { ...note.place, readOnly: [], writable: [] };
    for (const one of note.broughtIn) broughtIn.push(await makeOwn(one));
    await this.notes.write(worktree, { place, broughtIn });
    return place;
  }

  /** Of what the service runs itself: in the best sandbox of this machine, whatever was asked for the agent. */
  private right({ lease, signal }: EffectRun) {
    const { redactor, limits, sandboxes } = this.parts;
    return { sandbox: sandboxes.pick('auto'), lease, signal, redactor, limits };
  }
}

const isThere = (folder: string): Promise<boolean> =>
  lstat(folder).then(
    () => true,
    () => false,
  );
