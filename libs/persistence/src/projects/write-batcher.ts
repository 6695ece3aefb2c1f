import type pg from 'pg';
import type { WriteResult } from '#engine';
import { WorldError } from '#kernel';
import { worldly } from './pg-errors.js';
import { batchQuery, hasAnnouncements, type PreparedWrite } from './write-batch.js';
import type { Audience } from './audience.js';
import { STALE_WRITES } from './write-batch.sql.js';

interface Waiting {
  readonly write: PreparedWrite;
  readonly resolve: (result: WriteResult) => void;
  readonly reject: (error: unknown) => void;
}

const IN_FLIGHT = 2;
const SMALLEST_SHARE = 4;
const LARGEST_BATCH = 64;
const LARGEST_PAYLOAD = 4 * 1024 * 1024;

/**
 * Collects the writes of many projects into one statement each time a slot is free. A lone write goes out at once;
 * under load batches grow by themselves. A batch that the database refuses is taken apart, so that one poisonous
 * write fails alone.
 */
export class WriteBatcher {
  private queue: Waiting[] = [];
  private inFlight = 0;
  private writesInFlight = 0;
  private isScheduled = false;

  constructor(
    private readonly pool: pg.Pool,
    private readonly audience: Audience,
  ) {}

  write(write: PreparedWrite): Promise<WriteResult> {
    return new Promise((resolve, reject) => {
      this.queue.push({ write, resolve, reject });
      this.schedule();
    });
  }

  /** Waits until every promise that could go on has done so: writes that become ready together leave together. */
  private schedule(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    process.nextTick(() => {
      this.isScheduled = false;
      this.flush();
    });
  }

  private flush(): void {
    while (this.inFlight < IN_FLIGHT && this.queue.length > 0) {
      const batch = this.nextBatch();
      this.inFlight += 1;
      this.writesInFlight += batch.length;
      void this.send(batch).finally(() => {
        this.inFlight -= 1;
        this.writesInFlight -= batch.length;
        this.schedule();
      });
    }
  }

  private nextBatch(): Waiting[] {
    const share = this.fairShare();
    let size = 0;
    let count = 0;
    for (const { write } of this.queue) {
      size += write.values.reduce((sum, value) => sum + value.content.length, 0);
      if (count > 0 && (count >= share || size > LARGEST_PAYLOAD)) break;
      count += 1;
    }
    return this.queue.splice(0, count);
  }

  /**
   * An even part of all that is under way. Projects whose writes left together come back together: without it one
   * slot would carry nearly all of them for ever, and worker and database would take turns instead of working at once.
   */
  private fairShare(): number {
    const evenly = Math.ceil((this.queue.length + this.writesInFlight) / IN_FLIGHT);
    return Math.min(Math.max(evenly, SMALLEST_SHARE), LARGEST_BATCH);
  }

  private async send(batch: readonly Waiting[]): Promise<void> {
    try {
      const results = await runBatch(this.pool, batch.map((one) => one.write), this.audience); // prettier-ignore
      const lost = batch.filter((one, index) => {
        const result = results[index];
        if (result?.kind === 'written') one.resolve(result);
        return result?.kind !== 'written';
      });
      await this.settleLost(lost);
    } catch (error) {
      const reason = worldly(error);
      if (batch.length === 1 || reason instanceof WorldError) for (const one of batch) one.reject(reason);
      else for (const one of batch) await this.send([one]);
    }
  }

  /** Those that won have their answers already: nothing that fails here says anything about them. */
  private async settleLost(lost: readonly Waiting[]): Promise<void> {
    if (lost.length === 0) return;
    try {
      await recordStale(this.pool, lost.map((one) => one.write)); // prettier-ignore
      for (const one of lost) one.resolve({ kind: 'stale' });
    } catch (error) {
      for (const one of lost) one.reject(worldly(error));
    }
  }
}

type Client = Pick<pg.Pool | pg.PoolClient, 'query'>;

/** A batch that was held up because somebody listens changed nothing, so it is sent again as a whole. */
export async function runBatch(
  client: Client,
  batch: readonly PreparedWrite[],
  audience: Audience,
): Promise<WriteResult[]> {
  if (audience.isKnown || !hasAnnouncements(batch)) return attempt(client, batch, 'told');
  const results = await attempt(client, batch, 'unheard');
  if (results.some(isWritten)) return results;
  const told = await attempt(client, batch, 'told');
  if (told.some(isWritten)) audience.noticed();
  return told;
}

const isWritten = ({ kind }: WriteResult): boolean => kind === 'written';

async function attempt(
  client: Client,
  batch: readonly PreparedWrite[],
  hearing: 'unheard' | 'told',
): Promise<WriteResult[]> {
  const { rows } = await client.query<{ item: number; signal_seq: number }>(batchQuery(batch, hearing));
  const results = batch.map((): WriteResult => ({ kind: 'stale' }));
  for (const row of rows) results[row.item] = { kind: 'written', signal: row.signal_seq };
  return results;
}

/** Apart from the statement itself, which would be a tenth slower for something that hardly ever happens. */
export async function recordStale(client: Client, stale: readonly PreparedWrite[]): Promise<void> {
  await client.query(STALE_WRITES, [
    stale.map(({ lease }) => lease.projectId),
    stale.map(({ lease }) => lease.workerId),
    stale.map(({ lease }) => lease.epoch),
    stale.map(({ write }) => write.number),
  ]);
}
