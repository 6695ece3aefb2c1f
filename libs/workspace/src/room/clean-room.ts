import { mkdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join, posix } from 'node:path';
import { EngineBug } from '#kernel';
import type { CommandRunner } from '#process-monitor';
import { removeTree } from '../remove-tree.js';
import { isWithin } from '../sandbox/sandbox-paths.js';
import type { Mount, Sandbox } from '../sandbox/sandbox.port.js';
import { copyTree } from '../setup/bring-in/copy-tree.js';
import type { OutsideCommands } from '../setup/bring-in/outside-command.js';
import { SCRATCH } from '../setup/bring-in/own-parts.js';
import { isReachedPlainly, kindOf } from '../setup/plain-file.js';
import { packagesNotSetUp, runSetup } from '../setup/run-setup.js';
import type { WorkPlace } from '../setup/work-place.js';
import type { ShellRight } from '../setup/worktree-shell.js';
import type { CleanReport, CleanTree, WorkspaceOrder } from '../workshop.port.js';
import type { Worktree } from '../worktree/worktree.port.js';
import { buildsFromSources, runsRepositoryCode } from './builds-from-sources.js';
import { invalidPath } from './clean-tree.js';
import { type DependencyStore, DependencyStores } from './dependency-stores.js';
import { MountedSandbox, type Move, movePath } from './mounted-sandbox.js';
import { PlacedFiles, type PlacedNote } from './placed-files.js';
import { type RoomCheckout, type RoomFiles, untrackedIn } from './room-checkout.js';
import { setupKey } from './setup-key.js';
import { showsBuild, sortSetUpFiles } from './set-up-files.js';

/** How set-up runs in a room: as it does in worktrees. */
export interface RoomSetup {
  readonly commands: Pick<CommandRunner, 'run'>;
  readonly setupHasNetwork: boolean;
  readonly networkVariables: Readonly<Record<string, string>>;
  readonly hidden: readonly string[];
  readonly commandMs: number;
}

export interface CleanRoomParts {
  readonly checkout: RoomCheckout;
  /** The room's own folder, with the checkout and all that belongs to it. */
  readonly folder: string;
  readonly worktree: Worktree;
  /** HOME of the worktree's commands: those in the room find theirs there. */
  readonly homeInside: string;
  readonly setup: RoomSetup;
  readonly right: ShellRight;
}

/** A room that is ready for commands. */
export interface ReadyRoom {
  readonly place: WorkPlace;
  readonly sandbox: Sandbox;
  /** Folders of packages that could not be set up. */
  readonly notSetUp: readonly string[];
}

interface ResetRoom {
  readonly files: RoomFiles;
  readonly note: PlacedNote;
}

type SetupFailure = NonNullable<CleanReport['setupFailure']>;

/** One project's clean room while one run uses it. */
export class CleanRoom {
  private readonly stores: DependencyStores;
  private readonly placed: PlacedFiles;
  private readonly tree: string;
  private readonly home: string;
  private readonly outside: OutsideCommands;

  constructor(private readonly parts: CleanRoomParts) {
    const { folder, checkout, right, setup } = parts;
    this.tree = checkout.checkout.folder;
    this.home = join(folder, 'home');
    this.stores = new DependencyStores(join(folder, 'stores'));
    this.placed = new PlacedFiles(folder, { tree: basename(this.tree), home: 'home' });
    this.outside = { commands: setup.commands, lease: right.lease, signal: right.signal };
  }

  /** Brings the room to the state in which every run begins. */
  async prepare(tree: CleanTree, order: WorkspaceOrder): Promise<ReadyRoom | { readonly setupFailure: SetupFailure }> {
    await mkdir(this.parts.folder, { recursive: true, mode: 0o700 });
    await this.stores.removeParts();
    const first = await this.reset(tree);
    const key = setupKey(first.files.manifests, order);
    const store = await this.stores.find(key, first.files.tree);
    if (store !== null) return this.furnish(store, first, tree);
    const setupFailure = await this.setUp(tree, order, key);
    if (setupFailure !== null) return { setupFailure };
    const again = await this.reset(tree);
    const made = await this.stores.find(key, again.files.tree);
    if (made === null) throw new EngineBug('CLEAN_STORE_MISSING', `set-up left no store ${key}`);
    return this.furnish(made, again, tree);
  }

  /** From now on runs have copies of their dependencies, which they may write to. */
  async copyDependencies(): Promise<void> {
    await this.placed.write({ ...(await this.placed.read()), isOwn: true });
  }

  /** Files of no commit are gone when a run has ended. */
  async removeFiles({ files = [] }: CleanTree): Promise<void> {
    for (const { path } of files) {
      if (await isReachedPlainly(this.tree, path)) await removeTree(join(this.tree, path));
    }
  }

  private async reset(tree: CleanTree): Promise<ResetRoom> {
    const { checkout, right } = this.parts;
    const found = await this.placed.unchanged();
    const note = { ...found, isOwn: found.isOwn || !this.canMount };
    const kept = this.placed.inTree(note);
    const { files, isNew } = await checkout.reset(tree, kept, right.signal);
    if (isNew) return { files, note: { ...note, prints: {} } };
    if (note.tree === files.tree || (await checkout.tracked(kept)).length === 0) return { files, note };
    // The tree has files of its own where a copy was.
    const again = await checkout.reset(tree, [], right.signal);
    return { files: again.files, note: { ...note, prints: {} } };
  }

  private async furnish(
    store: DependencyStore,
    { files, note: found }: ResetRoom,
    tree: CleanTree,
  ): Promise<ReadyRoom> {
    const note = found.store === store.name ? found : { ...found, prints: {} };
    if (note !== found) for (const path of this.placed.inTree(found)) await removeTree(join(this.tree, path));
    await this.placed.resetHome(store, note);
    await this.placed.place(store, note, files.tree, this.outside);
    const mounts = note.isOwn ? [] : await this.storeMounts(store);
    await this.writeFiles(tree, store);
    if (tree.isWithoutGit === true) await this.hideGit();
    const readOnly = mounts.map(({ at }) => at);
    const place = { folder: this.tree, home: this.home, readOnly, writable: [] };
    const { notSetUp } = store;
    if (!this.canMount) return { place, sandbox: this.parts.right.sandbox, notSetUp };
    const all = [...mounts.map(({ mount }) => mount), ...(await this.scratchMounts(store))];
    return { place, sandbox: new MountedSandbox(this.parts.right.sandbox, this.moves, all), notSetUp };
  }

  /** Dependencies as commands find them, each with its mount point in the room. */
  private async storeMounts(store: DependencyStore): Promise<{ readonly at: string; readonly mount: Mount }[]> {
    const { folder, folders, caches } = store;
    const all = [
      ...folders.map((path) => ({ outside: join(folder, 'tree', path), at: join(this.tree, path) })),
      ...caches.map((path) => ({ outside: join(folder, 'home', path), at: join(this.home, path) })),
    ];
    const root = this.parts.folder;
    const mounts: { at: string; mount: Mount }[] = [];
    for (const { outside, at } of all) {
      if (!(await isReachedPlainly(root, at.slice(root.length + 1)))) continue;
      await mkdir(at, { recursive: true });
      mounts.push({ at, mount: { outside, inside: movePath(at, this.moves), isWritable: false } });
    }
    return mounts;
  }

  /** Empty folders for what tools write between dependencies. */
  private async scratchMounts({ folders }: DependencyStore): Promise<readonly Mount[]> {
    const scratch = join(this.parts.folder, 'scratch');
    await removeTree(scratch);
    const packages = folders.filter((path) => posix.basename(path) === 'node_modules');
    const paths = packages.flatMap((path) => SCRATCH.map((name) => join(path, name)));
    const mounts = paths.map((path, nth) => ({
      outside: join(scratch, String(nth)),
      inside: join(this.parts.worktree.folder, path),
      isWritable: true,
    }));
    for (const { outside } of mounts) await mkdir(outside, { recursive: true, mode: 0o700 });
    return mounts;
  }

  /** An empty file stops git from looking for a repository further up. The next reset writes the pointer again. */
  private async hideGit(): Promise<void> {
    await removeTree(join(this.tree, '.git'));
    await writeFile(join(this.tree, '.git'), '', { flag: 'wx' });
  }

  private async writeFiles({ files = [] }: CleanTree, { folders }: DependencyStore): Promise<void> {
    for (const { path, content } of files) {
      const target = join(this.tree, path);
      if (folders.some((folder) => isWithin(path, folder))) throw invalidPath(path, 'lies among dependencies');
      if (!(await isReachedPlainly(this.tree, path))) throw invalidPath(path, 'lies behind a link or a file');
      if ((await kindOf(target)) === 'folder') throw invalidPath(path, 'is a folder');
      await removeTree(target);
      await mkdir(dirname(target), { recursive: true });
      await writeFile(target, content, { flag: 'wx' });
    }
  }

  /** Runs set-up in the room and keeps what it made as a store. Answers with why it failed. */
  private async setUp(tree: CleanTree, order: WorkspaceOrder, key: string): Promise<SetupFailure | null> {
    const { checkout, worktree, right, setup } = this.parts;
    const copy = order.copy ?? [];
    await this.placed.write({ ...(await this.placed.read()), store: null, prints: {} });
    const { files } = await checkout.reset(tree, [], right.signal);
    await removeTree(this.home);
    await mkdir(this.home, { recursive: true, mode: 0o700 });
    await this.copyBaseCaches();
    const result = await runSetup({
      ...right,
      ...(this.canMount && { sandbox: new MountedSandbox(right.sandbox, this.moves), seenAs: worktree.folder }),
      worktree: { repo: worktree.repo, folder: this.tree },
      isTracked: async (path) => (await checkout.tracked([path])).length > 0,
      home: this.home,
      given: order.setup ?? null,
      copy,
      mayUseNetwork: setup.setupHasNetwork,
      networkVariables: setup.networkVariables,
      hidden: setup.hidden,
      timeoutMs: setup.commandMs,
      commands: setup.commands,
    });
    if (result.status === 'failed') return { reason: result.reason, output: result.output };
    const made = sortSetUpFiles(await untrackedIn(checkout.checkout), trackedIn(files));
    const isOfBase = tree.commit === worktree.baseCommit && (tree.overlays ?? []).length === 0;
    const isOfOneTree =
      showsBuild(made.loose, copy) ||
      (await buildsFromSources(this.tree, order.setup ?? null)) ||
      (!isOfBase && (await runsRepositoryCode(this.tree)));
    await this.stores.add({
      key,
      tree: isOfOneTree ? files.tree : null,
      isOfBase,
      notSetUp: packagesNotSetUp(result),
      ...made,
      from: { folder: this.tree, home: this.home },
      readOnly: [],
      writable: [],
      copyWith: null,
    });
    return null;
  }

  /** Packages that the base has need not be fetched again. */
  private async copyBaseCaches(): Promise<void> {
    const base = await this.stores.ofBase();
    for (const path of base?.caches ?? []) {
      const source = join(base?.folder ?? '', 'home', path);
      await copyTree(dirname(source), dirname(join(this.home, path)), [basename(path)], 'copy', this.outside);
    }
  }

  private get canMount(): boolean {
    return this.parts.right.sandbox.canMount === true;
  }

  private get moves(): readonly Move[] {
    const { worktree, homeInside } = this.parts;
    return [
      { outside: this.tree, inside: worktree.folder },
      { outside: this.home, inside: homeInside },
    ];
  }
}

/** By the listing of manifests: only those are asked for. */
export function trackedIn({ manifests }: RoomFiles): (path: string) => boolean {
  const lines = manifests.split('\0');
  const paths = new Set(
    lines.map((line) => Buffer.from(line.slice(line.indexOf('\t') + 1), 'latin1').toString('utf8')),
  );
  return (path) => paths.has(path);
}
