import { errorMessage } from '#kernel';
import { currentIn, heldLine, heldPage, LOGGED_EVENTS, type ProjectHistory, type Unseen, unknownItems } from '#modes';
import { type Database, heldAt, inTransaction, inWorldlyTerms } from '#persistence';
import type { Logger } from '#telemetry';
import type { Artefacts, GitWorktrees, Pending } from '#workspace';

export interface ShowHeldParts {
  readonly pool: Database;
  readonly artefacts: Pick<Artefacts, 'read' | 'write' | 'keepCurrent'>;
  readonly history: Pick<ProjectHistory, 'told' | 'unsettled' | 'liveIn'>;
  readonly worktrees: Pick<GitWorktrees, 'pending'>;
}

interface HeldRow {
  readonly id: string;
  readonly name: string;
  readonly request: string;
  readonly mode: string;
  readonly state: string;
  readonly repo: string;
  readonly waiting: string | null;
  readonly good: number | null;
}

const MOST_ROWS = 200;

const HELD = `SELECT id, name, request, mode, state, repo_path AS repo, waiting,
    (SELECT max(seq) FROM checkpoint c WHERE c.project_id = project.id AND quarantined_at IS NULL) AS good
  FROM project WHERE id = $1 AND parent_id IS NULL AND repo_path IS NOT NULL`;

/**
 * STATE.md of a project that nobody may drive, as its newest checkpoint cannot be used. It is written while its row is
 * locked, so that a restore, and whoever shows the project after it, come later.
 */
export async function showHeld(parts: ShowHeldParts, projectId: string): Promise<void> {
  const { pool, artefacts, history } = parts;
  const found = await inWorldlyTerms(() => pool.query<HeldRow>(HELD, [projectId]));
  const row = found.rows[0];
  const seq = heldAt(row?.waiting ?? null);
  if (row === undefined || seq === null) return;
  const place = { repo: row.repo, name: row.name };
  const { reason = '' } = JSON.parse(row.waiting ?? '{}') as { readonly reason?: string };
  const [told, unsettled, pending] = await Promise.all([
    history.told(projectId, LOGGED_EVENTS, MOST_ROWS),
    history.unsettled(projectId).catch(() => null),
    pendingIn(parts, row),
  ]);
  const unknown = unknownItems({ status: 'blocked', unsettled, pending });
  const page = heldPage({ project: row, seq, reason, good: row.good, told, pending, unknown });
  await inWorldlyTerms(() =>
    inTransaction(pool, async (client) => {
      const { rows } = await client.query<HeldRow>(`${HELD} FOR UPDATE`, [projectId]);
      if (heldAt(rows[0]?.waiting ?? null) === seq) await artefacts.write(place, 'STATE.md', page);
    }),
  );
  await artefacts.keepCurrent(row.repo, () => currentIn(history, row.repo));
}

/** What cannot be shown is no reason not to hold it. */
export const showingHeld =
  (parts: ShowHeldParts, logger: Pick<Logger, 'warn'>) =>
  (projectId: string): Promise<void> =>
    showHeld(parts, projectId).catch((error: unknown) =>
      logger.warn({ projectId, error }, 'a project that is held could not be shown'),
    );

/** Whether STATE.md says so already; whatever else is in its place says nothing. */
export async function isShownAsHeld(
  artefacts: Pick<Artefacts, 'read'>,
  { name, repo, waiting }: Pick<HeldRow, 'name' | 'repo' | 'waiting'>,
): Promise<boolean> {
  const seq = heldAt(waiting);
  const page = await artefacts.read({ repo, name }, 'STATE.md').catch(() => null);
  return seq !== null && page !== null && page.text.includes(`\n${heldLine(seq)}\n`);
}

/** Compared with no checkpoint: there is none that could be trusted to be where it stood. */
const pendingIn = ({ worktrees }: ShowHeldParts, { id, repo }: HeldRow): Promise<Pending | Unseen | null> =>
  worktrees
    .pending({ projectId: id, repo }, null)
    .catch((error: unknown) => ({ reason: `git could not say: ${errorMessage(error)}` }));
