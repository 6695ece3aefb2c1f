import type pg from 'pg';
import { UserError } from '#kernel';
import type { AnchoredProject } from './pg-checkpoints.js';

const ENDED: readonly string[] = ['completed', 'aborted', 'failed'];
const AT_REST: readonly string[] = ['paused', 'waiting', 'blocked'];

/** Its newest checkpoint is bad and nothing but a person's restore can move it. */
export const isHeld = ({ waiting }: Pick<AnchoredProject, 'waiting'>): boolean => heldAt(waiting) !== null;

/** The number of the bad checkpoint that the project is held at. */
export function heldAt(waiting: string | null): number | null {
  if (waiting === null) return null;
  const { kind, seq } = JSON.parse(waiting) as { kind?: unknown; seq?: unknown };
  return kind === 'checkpoint' && typeof seq === 'number' ? seq : null;
}

/** A child's past belongs to its parent, which waits for it as it is now. */
export function mustBeNoChild({ name, parent_id }: AnchoredProject, parentName: string | null): void {
  if (parent_id === null) return;
  throw new UserError(
    'PROJECT_IS_CHILD',
    `${name} is a part of project ${parentName ?? parent_id}: restore or fork that one`,
    { parent: { id: parent_id, name: parentName } },
  );
}

/**
 * A person brings back only what nobody works on: neither the project itself nor its children. `soon`: it rests, and
 * whoever drove it there has not given it back yet.
 */
export async function mayBeRestored(client: pg.PoolClient, project: AnchoredProject): Promise<'now' | 'soon'> {
  // A restore is the only way on for a child that is held.
  if (!isHeld(project)) mustBeNoChild(project, await nameOf(client, project.parent_id));
  if (ENDED.includes(project.status)) {
    throw new UserError(
      'PROJECT_ENDED',
      `the project has ended (${project.status}) and stays as it is; fork one of its checkpoints to go on from there`,
      { status: project.status },
    );
  }
  if (!AT_REST.includes(project.status)) {
    throw notAtRest(
      project,
      `the project is ${project.status}; it can be restored while it is paused or waits for a person. Send PAUSE first.`,
    );
  }
  if (await isDriven(client, project.lease_worker)) return 'soon';
  if (await hasDrivenChild(client, project.id)) {
    throw notAtRest(project, 'its children still work; wait a moment and send the restore again.');
  }
  return 'now';
}

export const notGivenBack = (project: AnchoredProject): UserError =>
  notAtRest(project, 'its worker has not given it back yet; wait a moment and send the restore again.');

const notAtRest = ({ status }: AnchoredProject, message: string): UserError =>
  new UserError('PROJECT_NOT_AT_REST', message, { status });

export async function nameOf(client: Pick<pg.Pool, 'query'>, id: string | null): Promise<string | null> {
  if (id === null) return null;
  const { rows } = await client.query<{ name: string }>('SELECT name FROM project WHERE id = $1', [id]);
  return rows[0]?.name ?? null;
}

async function isDriven(client: pg.PoolClient, worker: string | null): Promise<boolean> {
  const alive = await client.query('SELECT 1 FROM worker WHERE id = $1 AND alive_until > now()', [worker]);
  return alive.rowCount !== 0;
}

async function hasDrivenChild(client: pg.PoolClient, projectId: string): Promise<boolean> {
  const driven = await client.query(
    `SELECT 1 FROM project c JOIN worker w ON w.id = c.lease_worker AND w.alive_until > now()
     WHERE c.parent_id = $1 AND c.status <> ALL($2) LIMIT 1`,
    [projectId, ENDED],
  );
  return driven.rowCount !== 0;
}
