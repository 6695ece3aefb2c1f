export { findRepository, type RepositoryPlace } from './find-repository.js';
export * from './git-worktrees.js';
export { BRANCH_PREFIX, TRAILERS } from './names.js';
export { hasTampered, testTampering, type TestTampering } from './tampering/test-tampering.js';
export * from './worktree-keeper.js';
export * from './worktree.port.js';
