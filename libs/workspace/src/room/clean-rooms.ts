import { join } from 'node:path';
import { removeTree } from '../remove-tree.js';
import { CommandFailed } from '../setup/bring-in/outside-command.js';
import { packagesNotSetUp, type SetupResult } from '../setup/run-setup.js';
import type { ShellRight } from '../setup/worktree-shell.js';
import { detectVerify, runVerify, type VerifyResult } from '../verify/index.js';
import type { CleanReport, CleanRun, WorkspaceOrder } from '../workshop.port.js';
import { findRepository, unlessUnusable } from '../worktree/find-repository.js';
import type { GitWorktrees } from '../worktree/git-worktrees.js';
import { outliveOthers } from '../worktree/locks.js';
import { markOf } from '../worktree/process-mark.js';
import { realFolder } from '../worktree/real-folder.js';
import { removeEntry } from '../worktree/remove.js';
import { mustBeProjectId } from '../worktree/resolve-ref.js';
import { Turns } from '../worktree/turns.js';
import type { Worktree } from '../worktree/worktree.port.js';
import { buildsFromSources, runsRepositoryCode } from './builds-from-sources.js';
import { CleanRoom, type RoomSetup, trackedIn } from './clean-room.js';
import { checkCleanTree } from './clean-tree.js';
import { DependencyStores } from './dependency-stores.js';
import { filesOf, RoomCheckout, type RoomFiles, untrackedIn } from './room-checkout.js';
import { setupKey } from './setup-key.js';
import { showsBuild, sortSetUpFiles } from './set-up-files.js';

export interface CleanRoomsParts extends RoomSetup {
  readonly worktrees: GitWorktrees;
  /** Folder below the data folder where the rooms lie. */
  readonly rooms: string;
  readonly homeOf: (worktree: Pick<Worktree, 'projectId'>) => string;
}

/** A name of its own for git: the worktree of the project has the project's id. */
const roomId = (projectId: string): string => `${mustBeProjectId(projectId)}-room`;

/** The clean rooms of projects. Runs of one project wait for each other. */
export class CleanRooms {
  private readonly root: string;
  private readonly turns = new Turns();
  /** Rooms in which no git of an earlier process can be at work any more. */
  private readonly known = new Set<string>();
  /** By project: what git listed of trees. */
  private readonly listed = new Map<string, Map<string, RoomFiles>>();

  constructor(private readonly parts: CleanRoomsParts) {
    this.root = realFolder(parts.rooms);
  }

  async verify(worktree: Worktree, order: WorkspaceOrder, clean: CleanRun, right: ShellRight): Promise<CleanReport> {
    checkCleanTree(clean.tree);
    return this.turns.take(worktree.projectId, async () => {
      await this.parts.worktrees.mustHold(worktree);
      const room = await this.open(worktree, right);
      const first = await this.runOnce(room, order, clean, right);
      if (!first.commands.some(({ metReadOnly }) => metReadOnly)) return first;
      // Its commands write to their dependencies: they get copies, and run once more.
      await room.copyDependencies();
      return this.runOnce(room, order, clean, right);
    });
  }

  /** The state of a worktree that no agent was in; null if its set-up cannot become the room's. */
  async beforeSetUp(worktree: Worktree, { sandbox }: Pick<ShellRight, 'sandbox'>): Promise<RoomFiles | null> {
    if (sandbox.canMount !== true) return null;
    const { worktrees } = this.parts;
    const pending = await worktrees.pending(worktree, null).catch(() => null);
    if (pending === null || pending.files.length > 0 || pending.isCut) return null;
    return filesOf(await worktrees.checkoutOf(worktree));
  }

  /** Keeps what set-up made in the worktree, before any agent can change it. */
  async keepSetUp(
    worktree: Worktree,
    order: WorkspaceOrder,
    result: Extract<SetupResult, { status: 'done' }>,
    files: RoomFiles,
    { lease, signal }: Pick<ShellRight, 'lease' | 'signal'>,
  ): Promise<void> {
    const { worktrees, commands } = this.parts;
    const { place } = result;
    const checkout = await worktrees.checkoutOf(worktree);
    const made = sortSetUpFiles(await untrackedIn(checkout), trackedIn(files));
    const isOfBase = (await worktrees.head(worktree)) === worktree.baseCommit;
    const isOfOneTree =
      showsBuild(made.loose, order.copy ?? []) ||
      (await buildsFromSources(worktree.folder, order.setup ?? null)) ||
      (!isOfBase && (await runsRepositoryCode(worktree.folder)));
    const stores = new DependencyStores(join(this.folderOf(worktree), 'stores'));
    const content = {
      key: setupKey(files.manifests, order),
      tree: isOfOneTree ? files.tree : null,
      isOfBase,
      notSetUp: packagesNotSetUp(result),
      ...made,
      from: place,
      readOnly: place.readOnly,
      writable: place.writable,
      copyWith: { commands, lease, signal },
    };
    await this.turns.take(worktree.projectId, async () => {
      try {
        await stores.add(content);
      } catch (error) {
        // Set-up itself has succeeded; the room does it again when it needs it.
        if (!(error instanceof CommandFailed)) throw error;
        await stores.removeParts();
      }
    });
  }

  /** Safe to repeat, also if the repository is gone. */
  remove({ projectId, repo }: { readonly projectId: string; readonly repo: string | null }): Promise<void> {
    return this.turns.take(projectId, async () => {
      this.listed.delete(projectId);
      const place = repo === null ? null : await unlessUnusable(findRepository(repo));
      if (place !== null) await removeEntry(join(place.commonDir, 'worktrees', roomId(projectId)));
      await removeTree(this.folderOf({ projectId }));
    });
  }

  private async runOnce(
    room: CleanRoom,
    order: WorkspaceOrder,
    { tree, commands: given, timeoutMs = 0 }: CleanRun,
    right: ShellRight,
  ): Promise<CleanReport> {
    const { kind } = right.sandbox;
    try {
      const ready = await room.prepare(tree, order);
      if ('setupFailure' in ready) return { ...failedSetUp(ready.setupFailure), sandbox: kind };
      const { place, sandbox, notSetUp } = ready;
      const detected = async (): Promise<string[]> => (await detectVerify(place.folder)).map(({ command }) => command);
      const commands = given ?? order.verify ?? (await detected());
      const longest = Math.max(this.parts.commandMs, timeoutMs);
      const report = await runVerify({ ...right, sandbox, place, commands, timeoutMs: longest });
      return { ...report, sandbox: kind, ...(notSetUp.length > 0 && { notSetUp }) };
    } finally {
      await room.removeFiles(tree);
    }
  }

  private async open(worktree: Worktree, right: ShellRight): Promise<CleanRoom> {
    const folder = this.folderOf(worktree);
    const id = roomId(worktree.projectId);
    const checkout = (await this.parts.worktrees.checkoutOf(worktree)).beside(folder, id);
    if (!this.known.has(markOf(id))) await outliveOthers(checkout);
    this.known.add(markOf(id));
    const homeInside = this.parts.homeOf(worktree);
    const listed = this.listed.get(worktree.projectId) ?? new Map<string, RoomFiles>();
    this.listed.set(worktree.projectId, listed);
    return new CleanRoom({
      checkout: new RoomCheckout(checkout, listed),
      folder,
      worktree,
      homeInside,
      setup: this.parts,
      right,
    });
  }

  private folderOf({ projectId }: Pick<Worktree, 'projectId'>): string {
    return join(this.root, mustBeProjectId(projectId));
  }
}

const failedSetUp = (setupFailure: NonNullable<CleanReport['setupFailure']>): Omit<CleanReport, 'sandbox'> => {
  const result: VerifyResult = { verdict: 'failed', reason: setupFailure.reason, commands: [], counts: null };
  return { ...result, setupFailure };
};
