import pg from 'pg';
import { newId } from '#kernel';

/** Tables like the real ones, indexes included. */
const TABLES = `
CREATE TABLE raw_project (LIKE project INCLUDING ALL);
CREATE TABLE raw_checkpoint (LIKE checkpoint INCLUDING ALL)`;

const INSERT_PROJECT = `
INSERT INTO raw_project (id, name, mode, machine, machine_version, request, parameters, options, started_by, state,
  status, version, head_checksum, runnable)
VALUES ($1, $3, 'bench', 'bench-steps', 1, 'Step on', '{}', '{}', 'human', 'STEP', 'running', 0, $2, true)`;

const COMMIT = {
  name: 'raw-commit',
  text: `
WITH link AS (
  INSERT INTO raw_checkpoint (project_id, seq, prev, checksum, body, manifest) VALUES ($1, $2::int + 1, $4, $4, $3, $5)
)
UPDATE raw_project SET version = version + 1, head_checksum = $4, updated_at = now()
WHERE id = $1 AND version = $2`,
};

/** As large as a checkpoint of the bench's machine. */
const BODY = Buffer.alloc(340, 'x');
const CHECKSUM = '0'.repeat(64);
const MANIFEST = JSON.stringify({ progress: CHECKSUM });

interface Lane {
  readonly client: pg.Client;
  readonly id: string;
  version: number;
}

/**
 * The baseline: what the database itself gives when each transition is one statement (checkpoint and update) and one
 * commit, with nothing around it. Each client has a project of its own.
 */
export class RawCommits {
  private constructor(private readonly lanes: readonly Lane[]) {}

  static async open(url: string, clients: number): Promise<RawCommits> {
    const lanes: Lane[] = [];
    for (let n = 0; n < clients; n += 1) {
      const client = new pg.Client({ connectionString: url });
      // A server that stops under an open client would otherwise hide the error that stopped it.
      client.on('error', () => undefined);
      await client.connect();
      if (n === 0) await client.query(TABLES);
      const id = newId();
      await client.query(INSERT_PROJECT, [id, CHECKSUM, `raw-${id}`]);
      lanes.push({ client, id, version: 0 });
    }
    return new RawCommits(lanes);
  }

  /** Commits on all clients at once for `ms`; returns how long each commit took. */
  async runFor(ms: number): Promise<number[]> {
    const end = performance.now() + ms;
    const times: number[] = [];
    await Promise.all(this.lanes.map((lane) => this.commitUntil(lane, end, times)));
    return times;
  }

  async close(): Promise<void> {
    await Promise.all(this.lanes.map(({ client }) => client.end()));
  }

  private async commitUntil(lane: Lane, end: number, times: number[]): Promise<void> {
    for (let before = performance.now(); before < end;) {
      const values = [lane.id, lane.version, BODY, CHECKSUM, MANIFEST];
      const { rowCount } = await lane.client.query({ ...COMMIT, values });
      if (rowCount !== 1) throw new Error('a raw commit lost a race that nobody else runs');
      lane.version += 1;
      const after = performance.now();
      times.push(after - before);
      before = after;
    }
  }
}
