import type pg from 'pg';
import type { LiveProject, Unsettled } from '#contracts';
import { presentStep } from './present-step.js';

type Client = Pick<pg.Pool, 'query'>;

const MOST = 50;

const FAMILY = `SELECT p.id, p.parent_key, p.version, p.lease_epoch,
    EXISTS (SELECT 1 FROM worker w WHERE w.id = p.lease_worker AND w.alive_until > now()) AS is_driven
  FROM project p
  WHERE (p.id = $1 OR p.parent_id = $1) AND p.status NOT IN ('completed', 'aborted', 'failed')`;

interface EffectRow {
  readonly key: string;
  readonly started_at: Date;
  readonly parent_key: string | null;
  readonly body: Buffer;
}

/** As rows say it; nobody is asked. */
export async function unsettledOf(client: Client, projectId: string): Promise<Unsettled> {
  const [driven, effects, calls, processes] = await Promise.all([
    client.query<{ is_driven: boolean }>(`SELECT is_driven FROM (${FAMILY}) f WHERE id = $1`, [projectId]),
    client.query<EffectRow>(
      `SELECT e.key, e.started_at, f.parent_key, c.body FROM (${FAMILY}) f
       JOIN effect e ON e.project_id = f.id AND e.status = 'started' AND (NOT f.is_driven OR e.epoch < f.lease_epoch)
       JOIN checkpoint c ON c.project_id = f.id AND c.seq = f.version
       ORDER BY e.started_at LIMIT ${String(MOST * 4)}`,
      [projectId],
    ),
    client.query<{ lost: number; open: number }>(
      `SELECT count(*) FILTER (WHERE status = 'lost')::int AS lost,
         count(*) FILTER (WHERE status = 'open' AND NOT EXISTS (
           SELECT 1 FROM worker w WHERE w.id = model_call.worker_id AND w.alive_until > now()))::int AS open
       FROM model_call WHERE root_id = $1 AND status IN ('lost', 'open')`,
      [projectId],
    ),
    client.query<Unsettled['processes'][number]>(
      `SELECT r.host, r.pid, r.purpose FROM process r JOIN project p ON p.id = r.project_id
       WHERE (p.id = $1 OR p.parent_id = $1) AND NOT EXISTS (
         SELECT 1 FROM worker w WHERE w.id = r.worker_id AND w.id = p.lease_worker AND w.alive_until > now())
       ORDER BY r.started_at LIMIT ${String(MOST)}`,
      [projectId],
    ),
  ]);
  const present = effects.rows.flatMap(({ key, started_at: since, parent_key: child, body }) => {
    const step = presentStep(key, { body });
    return step === null ? [] : [{ child, step, since }];
  });
  return {
    isDriven: driven.rows[0]?.is_driven ?? false,
    effects: present.slice(0, MOST),
    lostCalls: calls.rows[0]?.lost ?? 0,
    openCalls: calls.rows[0]?.open ?? 0,
    processes: processes.rows,
  };
}

/** By an index that has no others. */
export const LIVE_IN = `
SELECT id, name, request, mode, state, status, updated_at AS "updatedAt", version AS seq, head_checksum AS checksum
FROM project WHERE repo_path = $1 AND parent_id IS NULL AND status NOT IN ('completed', 'aborted', 'failed')
ORDER BY created_at DESC, id DESC LIMIT ${String(MOST)}`;

/** Newest first. */
export async function liveProjectsIn(client: Client, repo: string): Promise<readonly LiveProject[]> {
  const { rows } = await client.query<LiveProject>(LIVE_IN, [repo]);
  return rows;
}
