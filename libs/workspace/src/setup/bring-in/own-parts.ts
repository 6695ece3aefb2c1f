/**
 * Folders directly below `node_modules` that tools write to while they work: a worktree has its own, empty at first.
 * A cache of the user's checkout speaks of paths and times that are not the worktree's.
 */
export const SCRATCH = ['.cache', '.vite', '.vite-temp', '.vitest', '.tmp'];

/** Folders there that hold code which a tool of the repository makes, and may make anew. */
export const GENERATED = ['.prisma'];
