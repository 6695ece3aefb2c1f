import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { MigrationList } from '@prisma/schema-engine-wasm';
import { EngineBug } from '#kernel';

/** The `prisma` folder above this file: the same one from source and from `dist`. */
export function prismaFolder(): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'prisma', 'migrations'))) return join(folder, 'prisma');
    if (folder === dirname(folder)) {
      throw new EngineBug('MIGRATIONS_NOT_FOUND', 'this installation has no folder prisma/migrations');
    }
  }
}

/** Names of the migrations this code knows, oldest first. */
export function knownMigrations(migrationsFolder: string): string[] {
  return readdirSync(migrationsFolder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

export function migrationScript(migrationsFolder: string, name: string): string {
  return readFileSync(join(migrationsFolder, name, 'migration.sql'), 'utf8');
}

/** The folder as Prisma's engine wants it. */
export function migrationList(migrationsFolder: string): MigrationList {
  return {
    baseDir: migrationsFolder,
    lockfile: {
      path: 'migration_lock.toml',
      content: readFileSync(join(migrationsFolder, 'migration_lock.toml'), 'utf8'),
    },
    shadowDbInitScript: '',
    migrationDirectories: knownMigrations(migrationsFolder).map((name) => ({
      path: name,
      migrationFile: {
        path: 'migration.sql',
        content: { tag: 'ok', value: migrationScript(migrationsFolder, name) },
      },
    })),
  };
}
