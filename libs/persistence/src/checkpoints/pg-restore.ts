import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { forgeLink, lastGoodLink, readBody, revived } from '#checkpoints';
import {
  announcementsOf,
  hasEnded,
  type Machine,
  type NewEvent,
  ofChild,
  type Snapshot,
  stateTimer,
  statusOf,
} from '#engine';
import { type JsonObject, storableJson } from '#kernel';
import { OPENS } from '../api/opened-at.js';
import { lockCaps, restoreCaps } from '../ledger/change-caps.js';
import { announceAll } from '../projects/announce.js';
import { appendEvents, numberedEvents } from '../projects/event-group.js';
import { inWorldlyTerms } from '../projects/pg-errors.js';
import { setTimer } from '../projects/new-project.js';
import { inTransaction } from '../projects/pool.js';
import { sendSignal } from '../projects/send-signal.js';
import { heldAt, mayBeRestored, notGivenBack } from './may-be-restored.js';
import { discardSignals } from './pending-signals.js';
import type { AnchoredProject, GoodLink, PgCheckpoints } from './pg-checkpoints.js';

export interface RestoreOrder {
  readonly projectId: string;
  readonly seq: number;
  /** Why: a person's wish, or the rule for corrupt checkpoints. It stands in the project's events. */
  readonly rule: 'asked-by-a-person' | 'last-good';
  /** A person's restore waits for a person's RESUME. */
  readonly pause: boolean;
  readonly details: JsonObject;
  /** The request that it is for: a request that is repeated is granted once. */
  readonly operation?: string;
  /**
   * Runs before anybody can take the project: its files go back with it. Is told the incarnation that the project begins
   * with this, which tells this restore from all others, and answers with what is to be told of it.
   */
  readonly whileHeld?: (good: GoodLink, incarnation: number) => Promise<JsonObject>;
}

const LOOK_EVERY_MS = 50;
const PATIENCE_MS = 3_000;

const RESTORED = 'checkpoint.restored';

export type MachineOf = (name: string, version: number) => Promise<Machine>;

/** Brings projects back to an earlier link. It appends a new link: nothing is ever cut off. */
export class PgRestore {
  constructor(
    private readonly pool: pg.Pool,
    private readonly checkpoints: PgCheckpoints,
    private readonly machineOf: MachineOf,
    private readonly sealingKey: string | null,
    /** Shows people a project that is held from now on. */
    private readonly onHeld: (projectId: string) => Promise<void> = () => Promise.resolve(),
  ) {}

  /**
   * A person's wish for this project, or nothing: where it may not be brought back, that is refused. One that is said to
   * rest is about to be given back: that is waited for.
   */
  async restore(order: RestoreOrder): Promise<void> {
    for (let waitedMs = 0; ; waitedMs += LOOK_EVERY_MS) {
      const unreturned = await this.restoreNow(order);
      if (unreturned === null) return;
      if (waitedMs >= PATIENCE_MS) throw notGivenBack(unreturned);
      await delay(LOOK_EVERY_MS);
    }
  }

  /** The project as it is where it has yet to be given back, and then nothing has changed. */
  private async restoreNow(order: RestoreOrder): Promise<AnchoredProject | null> {
    return inWorldlyTerms(() =>
      inTransaction(this.pool, async (client) => {
        await lockCaps(client, order.projectId);
        const project = await this.checkpoints.anchored(client, order.projectId, 'FOR UPDATE OF p');
        // Granted before: the project has gone on from there, and whether it may be restored by now does not matter.
        if (order.operation !== undefined && (await wasRestored(client, project.id, order.operation))) return null;
        if ((await mayBeRestored(client, project)) === 'soon') return project;
        await this.bringBack(client, project, order);
        return null;
      }),
    );
  }

  /**
   * The newest checkpoint cannot be trusted: names what is bad and goes on from the last link that can. Null: there is
   * none. Whoever finds the same link bad at the same time changes nothing more.
   */
  async restoreLastGood(projectId: string, whileHeld?: RestoreOrder['whileHeld']): Promise<number | null> {
    const { faults } = await this.checkpoints.verify(projectId);
    const { links, project: found } = await this.checkpoints.inspect(projectId);
    if (!faults.some(({ seq }) => seq === found.version)) return found.version;
    const good = lastGoodLink(links, faults);
    if (!good) return null;
    const details = { bad: faults.map(({ seq, reason }) => ({ seq, reason })) };
    const order = { projectId, seq: good.seq, rule: 'last-good', pause: false, details } as const;
    return inWorldlyTerms(() =>
      inTransaction(this.pool, async (client) => {
        await lockCaps(client, projectId);
        const project = await this.checkpoints.anchored(client, projectId, 'FOR UPDATE OF p');
        const isAsFound = project.version === found.version && project.head_checksum === found.head_checksum;
        if (!isAsFound) return project.version;
        await this.bringBack(client, project, { ...order, ...(whileHeld && { whileHeld }) });
        return good.seq;
      }),
    );
  }

  /** Nothing moves the project until a person restores a checkpoint; unless it has moved on from the bad one already. */
  async hold(projectId: string, { seq, reason }: { seq: number; reason: string }): Promise<void> {
    await this.checkpoints.verify(projectId);
    const waiting = JSON.stringify({ kind: 'checkpoint', seq, reason });
    await inWorldlyTerms(() =>
      inTransaction(this.pool, async (client) => {
        const project = await this.checkpoints.anchored(client, projectId, 'FOR UPDATE OF p');
        if (project.version !== seq) return;
        // A signal or another worker's release may have marked it runnable again: it is not, and that is no news.
        const isNews = heldAt(project.waiting) !== seq;
        await client.query(
          `UPDATE project SET status = 'blocked', waiting = $2, runnable = false WHERE id = $1`,
          [projectId, isNews ? waiting : project.waiting], // prettier-ignore
        );
        if (!isNews) return;
        await appendEvents(client, projectId, [{ type: 'project.held', data: { seq, reason, rule: 'hold' } }]);
        const told = { type: 'project.blocked', data: { waitingFor: { kind: 'checkpoint', seq, reason } } };
        await announceAll(client, projectId, [project.parent_id === null ? told : ofChild(project, told)]);
      }),
    );
    await this.onHeld(projectId);
  }

  private async bringBack(client: pg.PoolClient, project: AnchoredProject, order: RestoreOrder): Promise<void> {
    const good = await this.checkpoints.trusted(client, project.id, order.seq);
    // Before the files go back: whatever can still refuse must not leave them behind the state.
    const machine = await this.machineOf(project.machine, project.machine_version);
    const snapshot = revived(good.snapshot, await this.present(client, project, good.snapshot));
    const told = await order.whileHeld?.(good, snapshot.incarnation);
    const details = { ...order.details, ...told };
    await this.append(client, project, { link: good.link, snapshot }, { ...order, details }, machine);
  }

  private async append(
    client: pg.PoolClient,
    project: AnchoredProject,
    back: Pick<GoodLink, 'link' | 'snapshot'>,
    order: RestoreOrder,
    machine: Machine,
  ): Promise<void> {
    const snapshot: Snapshot = order.pause ? { ...back.snapshot, paused: true } : back.snapshot;
    const seq = project.version + 1;
    const { rows } = await client.query<{ lease_epoch: number }>(
      'UPDATE project SET lease_worker = NULL, lease_epoch = lease_epoch + 1, writes = writes + 1 WHERE id = $1 RETURNING lease_epoch',
      [project.id],
    );
    const facts = this.checkpoints.factsOf(project);
    const { manifest } = back.link;
    const epoch = rows[0]?.lease_epoch ?? 0;
    const cause = `restored:${String(order.seq)}`;
    const link = forgeLink(
      { facts, snapshot, seq, prev: project.head_checksum, manifest, cause, epoch },
      this.sealingKey,
    );
    await client.query(
      'INSERT INTO checkpoint (project_id, seq, prev, checksum, seal, body, manifest) VALUES ($1, $2, $3, $4, $5, $6, $7)',
      [project.id, seq, link.prev, link.checksum, link.seal, link.body, manifest],
    );
    const waiting = snapshot.wait ? storableJson(snapshot.wait) : null;
    // A person saw what is discarded and what was said to it; the rule for bad links must not swallow an order.
    const discarded = order.rule === 'asked-by-a-person' ? await discardSignals(client, project.id, seq) : [];
    // Also where it waits: whoever claims it shows people where it stands now, and gives it back.
    await client.query(
      `UPDATE project SET version = $2, head_checksum = $3, state = $4, status = $5, waiting = $6, runnable = true, updated_at = now()
       WHERE id = $1`,
      [project.id, seq, link.checksum, snapshot.state, statusOf(machine, snapshot), waiting],
    );
    await this.abortChildren(client, project.id, seq);
    // Brought back to its end, it has no more steps that could tell its parent.
    if (facts.parent && hasEnded(statusOf(machine, snapshot))) {
      const { id, visit, key } = facts.parent;
      await sendSignal(client, id, 'engine', { kind: 'child', visit, key });
    }
    const timer = stateTimer(machine, facts, snapshot);
    if (timer) await setTimer(client, project.id, timer);
    const asked = order.operation === undefined ? {} : { id: order.operation };
    const data = { from: project.version, to: order.seq, as: seq, rule: order.rule, ...order.details, ...asked };
    const events: NewEvent[] = [{ type: RESTORED, data }, ...discarded];
    await appendEvents(client, project.id, events);
    await restoreCaps(client, project.id, order.seq);
    const { counters } = snapshot;
    // Whatever it was in before, it begins anew; that its work was complete is told no second time.
    const before = { state: project.state, visit: 0, wait: null, counters, status: statusOf(machine, snapshot) };
    await announceAll(client, project.id, announcementsOf({ machine, facts, before, after: snapshot, version: seq, cause })); // prettier-ignore
    await client.query('INSERT INTO outbox (project_id, traceparent) VALUES ($1, $2)', [
      project.id,
      project.traceparent,
    ]);
  }

  /** Children of the discarded past: nobody waits for them any more. */
  private async abortChildren(client: pg.PoolClient, projectId: string, seq: number): Promise<void> {
    const { rows } = await client.query<{ id: string }>(
      `SELECT id FROM project WHERE parent_id = $1 AND status NOT IN ('completed', 'aborted', 'failed') ORDER BY id`,
      [projectId],
    );
    const id = `${projectId}/restored/${String(seq)}/ABORT`;
    for (const child of rows) {
      await sendSignal(client, child.id, 'engine', { kind: 'command', id, command: 'ABORT', visit: 0 });
    }
  }

  /** Visits and incarnations of the discarded present must not come again, even if its own link is unreadable. */
  private async present(
    client: pg.PoolClient,
    project: AnchoredProject,
    back: Snapshot,
  ): Promise<{ incarnation: number; visit: number }> {
    const { rows } = await client.query<{ body: Buffer }>('SELECT body FROM checkpoint WHERE project_id = $1', [
      project.id,
    ]);
    const bodies = rows.map((row) => readBody(row)).filter((body) => body !== null);
    return {
      incarnation: Math.max(back.incarnation, ...bodies.map((body) => body.incarnation)),
      visit: Math.max(back.visit, project.version, ...bodies.map((body) => body.visit)),
    };
  }
}

export const RESTORED_BY = `
SELECT seq, events FROM event_group WHERE project_id = $1 AND ${OPENS} AND strpos(events, $2) > 0`;

/** The project's own history tells what was granted; other events may quote the id. */
async function wasRestored(client: pg.PoolClient, projectId: string, operation: string): Promise<boolean> {
  const { rows } = await client.query<{ seq: number; events: string }>(RESTORED_BY, [
    projectId,
    storableJson(operation),
  ]);
  return rows.flatMap(numberedEvents).some(({ type, data }) => type === RESTORED && data['id'] === operation);
}
