export { startEmbeddedPostgres, type EmbeddedPostgres, type EmbeddedPostgresOptions } from './embedded-postgres.js';
export { lockDataDir, type DataDirHolder, type DataDirLock } from './data-dir-lock.js';
export { stopLeftoverPostgres } from './stop-leftover.js';
