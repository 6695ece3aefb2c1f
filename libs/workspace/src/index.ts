export * from './sandbox/sandbox.port.js';
export * from './worktree/worktree.port.js';
export * from './allowed-repository.js';
export * from './git-scratch.js';
export * from './scratch-keeper.js';
export * from './scratch.port.js';
