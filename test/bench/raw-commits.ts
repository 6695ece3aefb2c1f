import pg from 'pg';
import { newId } from '#kernel';

const TABLES = `
CREATE TABLE IF NOT EXISTS raw_project (id uuid PRIMARY KEY, version int NOT NULL, updated_at timestamptz NOT NULL);
CREATE TABLE IF NOT EXISTS raw_checkpoint (
  project_id uuid, seq int, body bytea NOT NULL, created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (project_id, seq)
)`;

const COMMIT = {
  name: 'raw-commit',
  text: `
WITH link AS (INSERT INTO raw_checkpoint (project_id, seq, body) VALUES ($1, $2::int + 1, $3))
UPDATE raw_project SET version = version + 1, updated_at = now() WHERE id = $1 AND version = $2 RETURNING version`,
};

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
  private constructor(
    private readonly lanes: readonly Lane[],
    private readonly body: Buffer,
  ) {}

  static async open(url: string, clients: number, bodyBytes: number): Promise<RawCommits> {
    const lanes: Lane[] = [];
    for (let n = 0; n < clients; n += 1) {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      if (n === 0) await client.query(TABLES);
      const id = newId();
      await client.query('INSERT INTO raw_project VALUES ($1, 0, now())', [id]);
      lanes.push({ client, id, version: 0 });
    }
    return new RawCommits(lanes, Buffer.alloc(bodyBytes, 'x'));
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
    for (let before = performance.now(); before < end; ) {
      const { rowCount } = await lane.client.query({ ...COMMIT, values: [lane.id, lane.version, this.body] });
      if (rowCount !== 1) throw new Error('a raw commit lost a race that nobody else runs');
      lane.version += 1;
      const after = performance.now();
      times.push(after - before);
      before = after;
    }
  }
}
