import { UserError } from '#kernel';
import { currentIn } from '#modes';
import { type Database, heldAt, inWorldlyTerms } from '#persistence';
import { readAnchor } from '#workspace';
import { isShownAsHeld, showHeld, type ShowHeldParts } from './show-held.js';

export interface ShowAgainParts extends ShowHeldParts {
  readonly signal: AbortSignal;
  readonly onFailure: (look: string, error: unknown) => void;
}

/** Newest first; more of them than this are looked at when they are next driven. */
const MOST_PROJECTS = 1_000;
const MOST_REPOSITORIES = 200;
const AT_ONCE = 4;

interface Resting {
  readonly id: string;
  readonly name: string;
  readonly repo: string;
  readonly version: number;
  readonly waiting: string | null;
}

/**
 * What nobody drives nobody shows either: after a start, projects that rest and whose readable files are gone, or older
 * than their newest checkpoint, are given to some worker, which holds each while it shows it. One that is held nobody may
 * drive: it is shown from here. So is the file that names a repository's current project written again. The number of
 * projects that were given.
 */
export async function showAgain(parts: ShowAgainParts): Promise<number> {
  const resting = await rows<Resting>(
    parts.pool,
    `SELECT id, name, repo_path AS repo, version, waiting FROM project
     WHERE parent_id IS NULL AND repo_path IS NOT NULL AND NOT runnable AND lease_worker IS NULL
       AND status NOT IN ('completed', 'aborted', 'failed')
     ORDER BY updated_at DESC LIMIT ${String(MOST_PROJECTS)}`,
  );
  let given = 0;
  await each(parts, 'pages', resting, async (project) => {
    if (heldAt(project.waiting) !== null) {
      if (!(await isShownAsHeld(parts.artefacts, project))) await showHeld(parts, project.id);
      return;
    }
    if (await isShown(parts.artefacts, project)) return;
    given += (await give(parts.pool, project)) ? 1 : 0;
  });
  const repositories = await rows<{ repo: string }>(
    parts.pool,
    `SELECT repo_path AS repo FROM project WHERE parent_id IS NULL AND repo_path IS NOT NULL
     GROUP BY repo_path ORDER BY max(updated_at) DESC LIMIT ${String(MOST_REPOSITORIES)}`,
  );
  await each(parts, 'current', repositories, ({ repo }) =>
    parts.artefacts.keepCurrent(repo, () => currentIn(parts.history, repo)),
  );
  return given;
}

/** Something else in the place of the page, such as a link, shows nobody anything: the page is put there instead. */
async function isShown(artefacts: ShowAgainParts['artefacts'], { id, name, repo, version }: Resting): Promise<boolean> {
  const place = { repo, name };
  const page = await artefacts.read(place, 'STATE.md').catch(nullIfUnusable);
  const anchor = await readAnchor(artefacts, place, id);
  return page !== null && anchor !== null && anchor.seq >= version;
}

function nullIfUnusable(error: unknown): null {
  if (error instanceof UserError) return null;
  throw error;
}

/** Nobody's by now, and as it was found: whoever claims it shows it, and gives it back. */
async function give(pool: Database, { id, version }: Resting): Promise<boolean> {
  const given = await rows(
    pool,
    `WITH given AS (
       UPDATE project SET runnable = true WHERE id = $1 AND version = $2 AND NOT runnable AND lease_worker IS NULL
       RETURNING id, traceparent
     )
     INSERT INTO outbox (project_id, traceparent) SELECT id, traceparent FROM given RETURNING id`,
    [id, version],
  );
  return given.length > 0;
}

const rows = <T extends object>(pool: Database, sql: string, values: readonly unknown[] = []): Promise<T[]> =>
  inWorldlyTerms(async () => (await pool.query<T & Record<string, unknown>>(sql, [...values])).rows);

/** A few at a time: a start has better things to do. One that fails holds up no other. */
async function each<T>(
  { signal, onFailure }: ShowAgainParts,
  look: string,
  items: readonly T[],
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  const left = [...items];
  const lane = async (): Promise<void> => {
    for (let item = left.shift(); item !== undefined && !signal.aborted; item = left.shift()) {
      await work(item).catch((error: unknown) => onFailure(look, error));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
}
