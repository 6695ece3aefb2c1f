export { GitWorktrees } from './git-worktrees.js';
export { CHECKS_FOLDER } from './names.js';
export { isTestConfiguration, isTestFile } from './tampering/dialects.js';
export { testNamesIn } from './tampering/test-names.js';
export { hasTampered, testTampering, type TestTampering } from './tampering/test-tampering.js';
export { verifiedBy } from './tampering/verified-by.js';
export { WorktreeKeeper } from './worktree-keeper.js';
export * from './worktree.port.js';
