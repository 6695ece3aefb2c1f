import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { WorldError } from '#kernel';
import { migrationList, prismaFolder } from './migrations-folder.js';
import { runSchemaEngine } from './run-schema-engine.js';

/**
 * The SQL that leads from prisma/migrations to prisma/schema.prisma; empty when they agree.
 * The migrations are replayed in a database made for it on the given server.
 */
export async function schemaDrift(
  serverUrl: string,
  schemaFile = join(prismaFolder(), 'schema.prisma'),
): Promise<string> {
  const answer = await runSchemaEngine({
    do: 'diff',
    url: serverUrl,
    migrations: migrationList(join(prismaFolder(), 'migrations')),
    schema: await readFile(schemaFile, 'utf8'),
  });
  if ('sql' in answer) return answer.sql;
  throw new WorldError('SCHEMA_DIFF_FAILED', 'error' in answer ? answer.error : 'no answer');
}
