export { eventually } from './eventually.js';
export { emptyDatabase, ensureTemplate, freshDatabase, freshDatabaseOn, type FreshDatabase } from './fresh-database.js';
export { startRedis, type TestRedis, type TestRedisOptions } from './redis.js';
export { spawnSource } from './spawn-source.js';
export {
  describeParts,
  hasBwrap,
  hasCli,
  hasCurl,
  hasRedis,
  partsLeftOut,
  refuseIfRequiredPartIsMissing,
  type SystemPart,
} from './system-parts.js';
export { tempFolder, type TempFolder } from './temp-folder.js';
export { startTestPostgres, type TestPostgres } from './test-postgres.js';
export { canRunUnprivileged, runUnprivileged } from './unprivileged.js';
