// `node scripts/prisma-diff.mjs` (after a build): prints the SQL that leads from prisma/migrations to prisma/schema.prisma.
// Exit 0: they agree; 1: the schema has drifted, and what is printed belongs into a new migration.
// The migrations are replayed on a Postgres of its own in a temporary folder.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { schemaDrift, startEmbeddedPostgres } from '#persistence';

const dataDir = await mkdtemp(join(tmpdir(), 'qralph-prisma-diff-'));
const server = await startEmbeddedPostgres({ dataDir, log: () => {} });
try {
  const sql = await schemaDrift(server.url);
  if (sql !== '') console.log(sql);
  process.exitCode = sql === '' ? 0 : 1;
} finally {
  await server.stop();
  await rm(dataDir, { recursive: true });
}
