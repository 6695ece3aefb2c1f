import type pg from 'pg';
import type { Snapshot } from '#engine';
import {
  inlineText,
  judgeChain,
  type LinkBody,
  type LinkFault,
  linkFault,
  readBody,
  snapshotOf,
  type StoredLink,
  type Verification,
  type Witness,
} from '#checkpoints';
import { UserError } from '#kernel';
import {
  contextOf,
  discardDamaged,
  factsOf,
  judgeValues,
  loadContents,
  loadLinks,
  PROJECT_COLUMNS,
  type ProjectRow,
} from '../projects/load-project.js';
import { inWorldlyTerms } from '../projects/pg-errors.js';
import { inTransaction } from '../projects/pool.js';
import { appendEvents } from '../projects/event-group.js';

export interface AnchoredProject extends ProjectRow {
  readonly mode: string;
  readonly state: string;
  readonly status: string;
  readonly waiting: string | null;
  readonly version: number;
  readonly head_checksum: string;
  readonly lease_worker: string | null;
  readonly options: string;
  readonly labels: Record<string, string>;
}

export interface Inspection {
  readonly links: StoredLink[];
  readonly verification: Verification;
  readonly project: AnchoredProject;
  /** Hashes under which the store holds something else. */
  readonly damaged: readonly string[];
}

export interface GoodLink {
  readonly link: StoredLink;
  readonly body: LinkBody;
  readonly snapshot: Snapshot;
}

type Client = Pick<pg.Pool | pg.PoolClient, 'query'>;

/**
 * Reads and checks chains on Postgres. A link that is found bad is quarantined: named, kept, never used again. A value
 * that is not what its hash says is worth nothing to anybody: it goes, so that whoever writes it again stores it anew.
 */
export class PgCheckpoints {
  constructor(
    private readonly pool: pg.Pool,
    private readonly sealingKey: string | null,
  ) {}

  /** A full verification. New faults are quarantined and told in the project's events. */
  async verify(projectId: string, witnesses: readonly Witness[] = []): Promise<Verification> {
    return inWorldlyTerms(async () => {
      const { links, verification, damaged } = await this.inspect(projectId, witnesses);
      // First the links: once the value is gone, the reason could no longer be told.
      await this.quarantine(links, projectId, verification.faults);
      await discardDamaged(this.pool, damaged);
      return verification;
    });
  }

  /** The whole chain as it was at one moment: a project that moves on meanwhile must not look broken. */
  inspect(projectId: string, witnesses: readonly Witness[] = []): Promise<Inspection> {
    return inTransaction(this.pool, async (client) => {
      await client.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY');
      return this.inspectWithin(client, projectId, witnesses);
    });
  }

  /** For a client that sees the project stand still. */
  private async inspectWithin(
    client: Client,
    projectId: string,
    witnesses: readonly Witness[] = [],
  ): Promise<Inspection> {
    const project = await this.anchored(client, projectId);
    const links = await loadLinks(client, projectId);
    const refs = new Set(links.flatMap((link) => Object.values(link.manifest)));
    const hashes = [...refs].filter((ref) => inlineText(ref) === null);
    const states = await judgeValues(client, hashes);
    const anchor = { projectId, version: project.version, checksum: project.head_checksum };
    const judge = (hash: string) => states.get(hash) ?? 'missing';
    const verification = judgeChain(links, anchor, judge, this.sealingKey, witnesses);
    return { links, verification, project, damaged: hashes.filter((hash) => states.get(hash) === 'damaged') };
  }

  /** One link with everything that it refers to, or the reason why it cannot be used. */
  async read(client: Client, projectId: string, seq: number): Promise<GoodLink> {
    const [link] = await loadLinks(client, projectId, seq);
    if (!link) throw new UserError('CHECKPOINT_NOT_FOUND', `there is no checkpoint ${String(seq)}`);
    const contents = await loadContents(client, Object.values(link.manifest));
    const reason = linkFault(link, projectId, (hash) => contents.get(hash), this.sealingKey);
    const body = readBody(link);
    if (reason !== null || !body) throw corrupt(seq, reason ?? 'unreadable');
    return { link, body, snapshot: snapshotOf(body, contextOf(link.manifest, contents)) };
  }

  /** One link that is sound by itself and stands where the whole chain says that it does. */
  async trusted(client: Client, projectId: string, seq: number): Promise<GoodLink> {
    const good = await this.read(client, projectId, seq);
    const isLocked = client !== this.pool;
    const { verification } = isLocked ? await this.inspectWithin(client, projectId) : await this.inspect(projectId);
    const fault = verification.faults.find((one) => one.seq === seq);
    if (fault) throw corrupt(seq, fault.reason);
    return good;
  }

  /** Where the project stands by its newest link. */
  async head(client: Client, { id, version, head_checksum }: AnchoredProject): Promise<Snapshot> {
    const [link] = await loadLinks(client, id, version);
    if (!link) throw corrupt(version, 'the link is missing');
    if (link.checksum !== head_checksum) throw corrupt(version, 'it is not the one the project was left with');
    return (await this.read(client, id, version)).snapshot;
  }

  async anchored(client: Client, projectId: string, lock = ''): Promise<AnchoredProject> {
    const { rows } = await client.query<AnchoredProject>(
      `SELECT ${PROJECT_COLUMNS}, p.mode, p.state, p.status, p.waiting, p.version, p.head_checksum, p.lease_worker, p.options, p.labels
       FROM project p WHERE p.id = $1 ${lock}`,
      [projectId],
    );
    const row = rows[0];
    if (!row)
      throw new UserError('PROJECT_NOT_FOUND', `There is no project ${projectId}. GET /v1/projects lists them.`);
    return row;
  }

  factsOf(project: AnchoredProject): ReturnType<typeof factsOf> {
    return factsOf(project);
  }

  private async quarantine(
    links: readonly StoredLink[],
    projectId: string,
    faults: readonly LinkFault[],
  ): Promise<void> {
    for (const { seq, reason } of faults) {
      const link = links.find((one) => one.seq === seq);
      if (link?.quarantined) continue;
      const { rowCount } = await this.pool.query(
        `UPDATE checkpoint SET quarantined_at = now(), quarantine_reason = $3
         WHERE project_id = $1 AND seq = $2 AND quarantined_at IS NULL`,
        [projectId, seq, reason],
      );
      // A link that is gone has no row to mark: it is told each time it is found missing.
      if (rowCount === 1 || !link) {
        await appendEvents(this.pool, projectId, [{ type: 'checkpoint.quarantined', data: { seq, reason } }]);
      }
    }
  }
}

function corrupt(seq: number, reason: string): UserError {
  const advice = 'POST checkpoints/verify names all bad ones; restore an earlier one';
  return new UserError('CHECKPOINT_CORRUPT', `checkpoint ${String(seq)} cannot be used: ${reason}. ${advice}.`, {
    seq,
    reason,
  });
}
