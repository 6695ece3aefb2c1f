export { migrate, type MigrateOptions } from './migrate.js';
export { schemaDrift } from './schema-drift.js';
