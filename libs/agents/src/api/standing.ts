import { sha256Hex } from '#kernel';
import { inFolder } from './guard/rooted.js';
import { readBytes } from './guard/read-bytes.js';
import type { KeptCall } from './kept-answer.js';
import type { ApiRuntimeParts } from './runtime-parts.js';
import { ToolRefusal } from './tools/refusal.js';
import type { ToolScene } from './tools/tool.js';
import type { Toolbox } from './tools/toolbox.js';
import type { AgentScene } from '../agent.port.js';

/** A call that wrote a file, and the file after it. */
export interface WriteDone {
  readonly call: KeptCall;
  readonly path: string;
  readonly hash: string;
}

/**
 * Where the worktree stands: at a commit, with some files written since. What those calls wrote follows from the commit
 * and the calls, which are in the journal; so they need no commit of their own, and are done again where they got lost.
 * What a command did follows from nothing: after each there is a commit.
 */
export interface Standing {
  readonly commit: string;
  readonly since: readonly WriteDone[];
}

/** Brings the worktree to where it stood, whatever has become of it. */
export async function restore(
  standing: Standing,
  { worktree }: Pick<AgentScene, 'worktree'>,
  { worktrees }: Pick<ApiRuntimeParts, 'worktrees'>,
  toolbox: Toolbox,
  tools: ToolScene,
): Promise<void> {
  await worktrees.reset(worktree, standing.commit);
  const last = new Map(standing.since.map(({ path, hash }) => [path, hash]));
  const isThere = new Map<string, boolean>();
  for (const [path, hash] of last) isThere.set(path, (await hashOf(path, tools)) === hash);
  for (const { call, path } of standing.since) {
    // A file that git ignores is not reset: it is there, as it was written last.
    if (isThere.get(path) === true) continue;
    const { tool, given } = toolbox.read(call);
    try {
      await tool.use(given, tools);
    } catch (error) {
      // Only such a file can be other than it was; those stay as they are.
      if (!(error instanceof ToolRefusal)) throw error;
    }
  }
}

async function hashOf(path: string, { root, limits }: ToolScene): Promise<string | null> {
  const names = path.split('/');
  try {
    const { bytes } = await inFolder(root, names.slice(0, -1), (folder) =>
      readBytes(folder, names.at(-1) ?? '', limits.writeBytes),
    );
    return sha256Hex(bytes);
  } catch (error) {
    if (error instanceof ToolRefusal) return null;
    throw error;
  }
}
