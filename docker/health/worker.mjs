// A worker answers nobody. It is healthy when the database has a fresh sign of life of a worker on this host.
import { hostname } from 'node:os';
import pg from 'pg';

const client = new pg.Client({
  connectionString: process.env.DATABASE_URL,
  connectionTimeoutMillis: 3_000,
  query_timeout: 3_000,
});
await client.connect();
try {
  const alive = 'SELECT 1 FROM worker WHERE host = $1 AND alive_until > now() LIMIT 1';
  process.exitCode = (await client.query(alive, [hostname()])).rowCount === 1 ? 0 : 1;
} finally {
  await client.end();
}
