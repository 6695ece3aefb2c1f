import type pg from 'pg';
import {
  type ChildResult, type Claim, hasEnded, type Lease, type ProjectFacts, type ProjectStore, type ReleaseTerms, type Signal, type Status,
  type Write, type WriteResult,
} from '#engine'; // prettier-ignore
import { EngineBug } from '#kernel';
import { forgeLink, type Manifest, snapshotOf, type Value, valueOf } from '#checkpoints';
import { announceOnce } from './announce.js';
import { Audience } from './audience.js';
import { CLAIM, ENDED_CHILDREN, HAVE_CLAIMED, RELEASE } from './lease.sql.js';
import {
  contextOf, factsOf, loadJournal, loadLinks, loadSignals, type ProjectRow,
} from './load-project.js'; // prettier-ignore
import { insertProjects, setTimer } from './new-project.js';
import { inWorldlyTerms } from './pg-errors.js';
import { inTransaction } from './pool.js';
import { type HeadRow, loadHead } from './project-head.js';
import { sendSignal } from './send-signal.js';
import type { PreparedWrite, StoredValue } from './write-batch.js';
import { recordStale, runBatch, WriteBatcher } from './write-batcher.js';

interface Head {
  readonly facts: { id: string; machine: string; machineVersion: number };
  readonly checksum: string;
  readonly manifest: Manifest;
}

interface ClaimRow extends ProjectRow {
  readonly mode: string;
  readonly version: number;
  readonly head_checksum: string;
  readonly lease_epoch: number;
  readonly writes: number;
  readonly signal_seq: number;
  readonly taken_from: string | null;
}

/** How soon a parent looks again at children of which one was bad. */
const LOOK_AGAIN_MS = 2_000;

/** The engine's store on Postgres. Keeps the newest link of each leased project, to forge the next one from it. */
export class PgProjectStore implements ProjectStore {
  private readonly heads = new WeakMap<Lease, Head>();
  private readonly modes = new WeakMap<Lease, string>();
  private readonly audience = new Audience();
  private readonly batcher: WriteBatcher;

  constructor(
    private readonly pool: pg.Pool,
    private readonly sealingKey: string | null,
  ) {
    this.batcher = new WriteBatcher(pool, this.audience);
  }

  claim(projectId: string, workerId: string): Promise<Claim> {
    return inWorldlyTerms(async () => {
      const { rows } = await this.pool.query<ClaimRow>(CLAIM, [projectId, workerId]);
      const row = rows[0];
      if (!row) return { kind: 'held' };
      const lease: Lease = { projectId, workerId, epoch: row.lease_epoch };
      return this.load(lease, row);
    });
  }

  private async load(lease: Lease, row: ClaimRow): Promise<Claim> {
    const { projectId } = lease;
    const head = await loadHead(this.pool, row, this.sealingKey);
    if (head.kind === 'bad') {
      await this.pool.query(RELEASE, [projectId, lease.epoch, lease.workerId, true, null]);
      return { kind: 'corrupt', seq: row.version, reason: head.reason };
    }
    const { link, body, contents } = head;
    const snapshot = snapshotOf(body, contextOf(link.manifest, contents));
    const visit = `${String(snapshot.incarnation)}/${String(snapshot.visit)}`;
    const [journal, signals] = await Promise.all([
      loadJournal(this.pool, projectId, visit),
      loadSignals(this.pool, projectId),
    ]);
    const facts = factsOf(row);
    this.heads.set(lease, { facts, checksum: link.checksum, manifest: link.manifest });
    this.modes.set(lease, row.mode);
    const { version, writes, signal_seq: seenSignal, taken_from: takenFrom } = row;
    return {
      kind: 'claimed',
      project: { lease, facts, snapshot, version, writes, journal, signals, seenSignal, takenFrom },
    };
  }

  async write(lease: Lease, write: Write): Promise<WriteResult> {
    const prepared = this.prepare(lease, write);
    const { timer, children, signals, announcements } = write;
    const needsMore = timer ?? (children?.length || signals?.length || announcements?.some(({ isOnce }) => isOnce));
    const result = needsMore ? await this.writeWithMore(prepared) : await this.batcher.write(prepared);
    if (result.kind === 'written') this.advance(lease, prepared);
    return result;
  }

  fateOf(lease: Lease, writeNumber: number): Promise<'applied' | 'not-applied' | 'stale'> {
    return inWorldlyTerms(async () => {
      const { rows } = await this.pool.query<{ writes: number; version: number; head_checksum: string }>(
        `SELECT p.writes, p.version, p.head_checksum FROM project p WHERE p.id = $1 AND p.lease_epoch = $2 AND p.lease_worker = $3`,
        [lease.projectId, lease.epoch, lease.workerId],
      );
      const row = rows[0];
      if (!row) return 'stale';
      if (row.writes < writeNumber) return 'not-applied';
      // The write whose answer was lost may have moved the head: go on from what the store holds.
      const [link] = await loadLinks(this.pool, lease.projectId, row.version);
      const head = this.heads.get(lease);
      if (link && head) this.heads.set(lease, { ...head, checksum: row.head_checksum, manifest: link.manifest });
      return 'applied';
    });
  }

  headChecksum(lease: Lease): string {
    return this.heads.get(lease)?.checksum ?? '';
  }

  release(lease: Lease, terms: ReleaseTerms): Promise<'released' | 'signalled' | 'stale'> {
    return inWorldlyTerms(async () => {
      const { projectId, epoch, workerId } = lease;
      const { rows } = await this.pool.query<{ outcome: 'released' | 'signalled' }>(RELEASE, [
        projectId, epoch, workerId, terms.runnable, terms.seenSignal,
      ]); // prettier-ignore
      return rows[0]?.outcome ?? 'stale';
    });
  }

  pendingSignals(projectId: string): Promise<readonly Signal[]> {
    return inWorldlyTerms(() => loadSignals(this.pool, projectId));
  }

  /** One whose newest link is bad is not among them: its parent asks for it again. */
  children(projectId: string, incarnation: number, visit: number): Promise<readonly ChildResult[]> {
    return inWorldlyTerms(async () => {
      const { rows } = await this.pool.query<HeadRow & { parent_key: string; status: ChildResult['outcome'] }>(
        ENDED_CHILDREN,
        [projectId, incarnation, visit],
      );
      const heads = await Promise.all(rows.map((row) => loadHead(this.pool, row, this.sealingKey)));
      return rows.flatMap(({ id, parent_key: key, status: outcome }, nth) => {
        const head = heads[nth];
        if (head?.kind !== 'sound') return [];
        return [{ id, key, outcome, result: contextOf(head.link.manifest, head.contents)['result'] ?? null }];
      });
    });
  }

  private prepare(lease: Lease, write: Write): PreparedWrite {
    const head = this.heads.get(lease);
    if (!head) throw new EngineBug('LEASE_UNKNOWN', `no lease of ${lease.projectId} was taken through this store`);
    const outcomes = (write.journal ?? []).map(({ status, outcome }) => (status === 'done' ? valueOf(outcome) : null));
    const values = outcomes.flatMap((value) => storedValue(value) ?? []);
    const refs = outcomes.map((value) => value?.ref ?? null);
    if (!write.next) return { lease, write, link: null, delta: {}, values, outcomes: refs };
    const { snapshot, version, cause, changed } = write.next;
    const delta: Record<string, string | null> = {};
    const manifest: Record<string, string> = { ...head.manifest };
    for (const [key, json] of Object.entries(changed)) {
      const value = json === null ? null : valueOf(json);
      const stored = storedValue(value);
      delta[key] = value?.ref ?? null;
      if (stored) values.push(stored);
      if (value) manifest[key] = value.ref;
      else delete manifest[key];
    }
    const draft = {
      facts: head.facts,
      snapshot,
      seq: version,
      prev: head.checksum,
      manifest,
      cause,
      epoch: lease.epoch,
    };
    return { lease, write, delta, values, outcomes: refs, link: forgeLink(draft, this.sealingKey) };
  }

  private advance(lease: Lease, { link }: PreparedWrite): void {
    const head = this.heads.get(lease);
    if (link && head) this.heads.set(lease, { ...head, checksum: link.checksum, manifest: link.manifest });
  }

  /** A write with timers, signals, children or something that is told once: the same statement, and theirs, in one transaction. */
  private writeWithMore(prepared: PreparedWrite): Promise<WriteResult> {
    const { lease, write } = prepared;
    return inWorldlyTerms(() =>
      inTransaction(this.pool, async (client) => {
        const [result = { kind: 'stale' } as const] = await runBatch(client, [prepared], this.audience);
        if (result.kind === 'stale') {
          await recordStale(client, [prepared]);
          return result;
        }
        if (write.timer) await setTimer(client, lease.projectId, write.timer);
        await this.bear(client, lease, write.children ?? []);
        for (const signal of write.signals ?? []) await sendSignal(client, signal.to, signal.by, signal.body);
        await announceOnce(client, lease.projectId, (write.announcements ?? []).filter(({ isOnce }) => isOnce)); // prettier-ignore
        return result;
      }),
    );
  }

  private async bear(client: pg.PoolClient, lease: Lease, children: NonNullable<Write['children']>): Promise<void> {
    const events = [{ type: 'project.created', data: { parent: lease.projectId } }];
    const mode = this.modes.get(lease) ?? '';
    const rest = { number: null, mode, options: {}, labels: {}, events };
    const seeds = children.map((child) => ({ ...child, ...rest, parentIncarnation: child.incarnation }));
    const areNew = await insertProjects(client, seeds, this.sealingKey);
    for (const [nth, { facts }] of children.entries()) if (!areNew[nth]) await this.meetAgain(client, facts);
  }

  /** Its word went to an earlier wait of its parent: one that has ended does not say it again by itself. */
  private async meetAgain(client: pg.PoolClient, { id, parent }: ProjectFacts): Promise<void> {
    const { rows } = await client.query<HeadRow & { status: Status }>(
      'SELECT id, version, head_checksum, status FROM project WHERE id = $1',
      [id],
    );
    const [row] = rows;
    if (!row || !parent || !hasEnded(row.status)) return;
    const { id: to, visit, key } = parent;
    if ((await loadHead(client, row, this.sealingKey)).kind === 'sound') {
      await sendSignal(client, to, 'engine', { kind: 'child', visit, key });
      return;
    }
    // Whoever claims it applies the rule for bad links. It may be sound again by then: the parent looks for itself.
    await client.query(HAVE_CLAIMED, [id]);
    await setTimer(client, to, { visit, event: null, ms: LOOK_AGAIN_MS });
  }
}

const storedValue = (value: Value | null): StoredValue | null =>
  value?.content ? { hash: value.ref, content: value.content } : null;
