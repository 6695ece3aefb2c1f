export * from './worktree.port.js';
