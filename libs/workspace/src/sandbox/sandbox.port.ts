import type { Command, CommandResult } from '#process-monitor';

/**
 * Where commands of the repository and of agents run.
 * - bubblewrap: they see the worktree, the toolchains and nothing else; no network unless allowed
 * - limited: without bubblewrap. The same view and no network where the machine lets us make namespaces; else resource
 *   limits and a scrubbed environment. Shown as that: its guarantees say which
 * - none: as the service itself; only the server's configuration can allow it
 */
export type SandboxKind = 'bubblewrap' | 'limited' | 'none';

/** What is asked for: the best that this machine can, or less. */
export type SandboxWish = 'auto' | 'limited' | 'none';

export interface SandboxedCommand extends Command {
  /** Folders and files it may write beside a /tmp of its own. */
  readonly writable: readonly string[];
  /** Folders and files it may read beside the toolchains. */
  readonly readable?: readonly string[];
  /**
   * Folders below a writable one that are read-only all the same, such as dependencies whose files are hard links to the
   * user's own. A writable folder below one of these is writable again: the deepest path that is named decides.
   * Only a sandbox that `hidesFiles` keeps this.
   */
  readonly readOnly?: readonly string[];
  /**
   * Folders and files that the command finds under another path than they have outside. Only a sandbox that `canMount`
   * honours them.
   */
  readonly mounts?: readonly Mount[];
  /** Unix sockets, and where they are found inside. Only where `cutsNetwork`: elsewhere use `outside`. */
  readonly sockets?: readonly { readonly outside: string; readonly inside: string }[];
  readonly network: 'none' | 'host';
}

export interface Mount {
  readonly outside: string;
  readonly inside: string;
  readonly isWritable: boolean;
}

/** What really holds inside, whatever was asked for. */
export interface SandboxGuarantees {
  /** Only what the command was given is visible, and `.git` and `readOnly` cannot be written. */
  readonly hidesFiles: boolean;
  /** A command with network `none` reaches nobody over it. Sockets that are files are among the files. */
  readonly cutsNetwork: boolean;
  /** It sees no process but its own, and all of them end with it, whatever they do. */
  readonly ownsProcesses: boolean;
}

export interface Sandbox {
  readonly kind: SandboxKind;
  readonly guarantees: SandboxGuarantees;
  /** Whether it honours `mounts`. */
  readonly canMount?: boolean;
  run(command: SandboxedCommand): Promise<CommandResult>;
}

export interface Sandboxes {
  /** UserError SANDBOX_NOT_ALLOWED for `none` where the server's configuration does not allow it. */
  pick(wish: SandboxWish): Sandbox;
}
