import type { Command, CommandResult } from '#process-monitor';

/**
 * Where commands of the repository and of agents run.
 * - bubblewrap: they see the worktree, the toolchains and nothing else; no network unless allowed
 * - limited: resource limits, a scrubbed environment, guarded paths; shown as that
 * - none: as the service itself; only the server's configuration can allow it
 */
export type SandboxKind = 'bubblewrap' | 'limited' | 'none';

export interface SandboxedCommand extends Command {
  /** Folders and files it may write beside a /tmp of its own. */
  readonly writable: readonly string[];
  /** Folders and files it may read beside the toolchains. */
  readonly readable?: readonly string[];
  /**
   * Folders below a writable one that are read-only all the same, such as dependencies whose files are hard links to the
   * user's own. A writable folder below one of these is writable again: the deepest path that is named decides.
   */
  readonly readOnly?: readonly string[];
  readonly network: 'none' | 'host';
}

export interface Sandbox {
  readonly kind: SandboxKind;
  run(command: SandboxedCommand): Promise<CommandResult>;
}
