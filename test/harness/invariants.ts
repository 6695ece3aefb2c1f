import { execFile } from 'node:child_process';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type pg from 'pg';
import { PgCheckpoints } from '#persistence';
import { isAlive } from '#process-monitor';
import { readAcknowledged } from './acknowledged.js';
import { brokenErrand, brokenLedger } from './errand-invariants.js';

interface ProjectRow {
  readonly id: string;
  readonly name: string;
  readonly machine: string;
  readonly status: string;
  readonly state: string;
  readonly version: number;
  readonly event_seq: number;
  readonly repo_path: string | null;
}

/**
 * What does not hold in the database, the scratch repositories and /proc after a fault; empty when all is well. With
 * `only`, other projects are not looked at one by one; what was acknowledged, the ledger and the processes still are,
 * whoever's they are.
 */
export async function brokenInvariants(
  pool: pg.Pool,
  dataDir: string,
  only: readonly string[] | null = null,
): Promise<string[]> {
  const { rows: projects } = await pool.query<ProjectRow>(
    `SELECT id, name, machine, status, state, version, event_seq, repo_path FROM project
     WHERE $1::uuid[] IS NULL OR id = ANY($1)`,
    [only],
  );
  const broken = await lostTransitions(pool, projects, dataDir);
  for (const project of projects) {
    broken.push(...(await gaps(pool, project)), ...(await toldTwice(pool, project)), ...stranded(project));
    broken.push(...(await badChain(pool, project)));
    broken.push(...(await duplicates(pool, project, dataDir)), ...(await hollow(pool, project)));
    broken.push(...(await brokenErrand(project)));
  }
  broken.push(...(await brokenLedger(pool)));
  return [...broken, ...(await looseProcesses(pool)), ...(await unknownProcesses(pool, dataDir))];
}

/** I1: whatever some process was told is done is there, with that very content. */
async function lostTransitions(pool: pg.Pool, projects: readonly ProjectRow[], dataDir: string): Promise<string[]> {
  const told = await readAcknowledged(dataDir);
  if (told.length === 0 && projects.some(({ version }) => version > 1)) {
    return ['I1: projects have moved, and nobody noted what was acknowledged'];
  }
  const { rows } = await pool.query<{ id: string; seq: number; checksum: string }>(
    'SELECT project_id AS id, seq, checksum FROM checkpoint',
  );
  const kept = new Set(rows.map(({ id, seq, checksum }) => `${id} ${String(seq)} ${checksum}`));
  const names = new Map(projects.map(({ id, name }) => [id, name]));
  return told
    .filter(({ projectId, version, checksum }) => !kept.has(`${projectId} ${String(version)} ${checksum}`))
    .map(({ projectId, version }) => {
      return `I1: ${names.get(projectId) ?? projectId} lost its acknowledged version ${String(version)}`;
    });
}

/** I2: every version and every event is there once. */
async function gaps(pool: pg.Pool, project: ProjectRow): Promise<string[]> {
  const { rows } = await pool.query<{ links: number; last: number; events: number; last_event: number }>(
    `SELECT (SELECT count(*)::int FROM checkpoint WHERE project_id = $1) AS links,
            (SELECT max(seq) FROM checkpoint WHERE project_id = $1) AS last,
            (SELECT count(*)::int FROM event WHERE project_id = $1) AS events,
            (SELECT max(seq) FROM event WHERE project_id = $1) AS last_event`,
    [project.id],
  );
  const { links, last, events, last_event } = rows[0] ?? { links: 0, last: 0, events: 0, last_event: 0 };
  const isWhole =
    links === project.version && last === project.version && events === project.event_seq && last_event === events;
  return isWhole ? [] : [`I2: ${project.name} has gaps: ${JSON.stringify({ ...rows[0], ...project })}`];
}

/** I2: each attempt of an effect begins once and ends once; a write that was applied twice would say so twice. */
async function toldTwice(pool: pg.Pool, project: ProjectRow): Promise<string[]> {
  const { rows } = await pool.query<{ type: string; key: string }>(
    `SELECT type, data::json->>'key' AS key FROM event WHERE project_id = $1 AND type LIKE 'effect.%'
     GROUP BY type, data::json->>'key', data::json->>'attempt' HAVING count(*) > 1`,
    [project.id],
  );
  return rows.map(({ type, key }) => `I2: ${project.name} tells twice: ${type} ${key}`);
}

/** I3 */
function stranded({ name, status, state }: ProjectRow): string[] {
  const isFine = ['completed', 'aborted', 'waiting', 'blocked', 'paused'].includes(status);
  return isFine ? [] : [`I3: ${name} neither ended nor waits for a person: ${status} in ${state}`];
}

/** I4: no commit or announcement twice, and nothing ran more often than the journal knows. */
async function duplicates(pool: pg.Pool, project: ProjectRow, dataDir: string): Promise<string[]> {
  if (project.machine !== 'drill') return [];
  const folder = join(dataDir, 'scratch', project.id, '.git');
  const ran = (await readFile(join(folder, 'effects.log'), 'utf8').catch(() => '')).split('\n').filter(Boolean);
  const announced = (await readFile(join(folder, 'announcements'), 'utf8').catch(() => '')).split('\n').filter(Boolean);
  const { rows } = await pool.query<{ key: string; starts: number }>(
    `SELECT data::json->>'key' AS key, count(*)::int AS starts FROM event e JOIN project p ON p.id = e.project_id
     WHERE (p.id = $1 OR p.parent_id = $1) AND type IN ('effect.started', 'effect.repeated') GROUP BY 1`,
    [project.id],
  );
  const broken: string[] = [];
  for (const { key, starts } of rows) {
    const times = ran.filter((line) => line === key).length;
    if (times > starts)
      broken.push(`I4: ${project.name} ran ${key} ${String(times)} times for ${String(starts)} starts`);
  }
  const { rows: announcements } = await pool.query<{ n: number }>(
    `SELECT count(DISTINCT data::json->>'key')::int AS n FROM event WHERE project_id = $1 AND data::json->>'key' LIKE '%/announce'
     AND type = 'effect.started'`,
    [project.id],
  );
  if (announced.length > (announcements[0]?.n ?? 0))
    broken.push(`I4: ${project.name} announced ${String(announced.length)} times`);
  const committed = await keysOfCommits(join(dataDir, 'scratch', project.id));
  const twice = new Set(committed.filter((key, nth) => committed.indexOf(key) !== nth));
  return [...broken, ...[...twice].map((key) => `I4: ${project.name} has two commits of the effect ${key}`)];
}

/** The effects that the repository's commits name as their cause, one per commit. */
async function keysOfCommits(folder: string): Promise<string[]> {
  const format = '--format=%(trailers:key=Drill-Effect,valueonly,separator=%x20)';
  const env = { PATH: process.env['PATH'], GIT_CONFIG_GLOBAL: '/dev/null', GIT_CEILING_DIRECTORIES: folder };
  const git = promisify(execFile)('git', [`--git-dir=${join(folder, '.git')}`, 'log', format], { env });
  const { stdout } = await git.catch(() => ({ stdout: '' }));
  return stdout.split('\n').filter((line) => line !== '');
}

/** I5 */
async function badChain(pool: pg.Pool, project: ProjectRow): Promise<string[]> {
  const { faults } = await new PgCheckpoints(pool, null).verify(project.id);
  return faults.map(({ seq, reason }) => `I5: ${project.name} link ${String(seq)}: ${reason}`);
}

/** I6 */
async function looseProcesses(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ host: string; pid: number; start_time: string; purpose: string }>(
    'SELECT * FROM process',
  );
  return rows.map((row) => {
    const state =
      row.host === hostname() && isAlive(row.pid, row.start_time) ? 'still runs' : 'has a row and no process';
    return `I6: ${row.purpose} (pid ${String(row.pid)}) ${state}`;
  });
}

/** I6, seen from the other side: whatever works in a scratch repository or a worktree has a row. */
async function unknownProcesses(pool: pg.Pool, dataDir: string): Promise<string[]> {
  const { rows } = await pool.query<{ group: number }>('SELECT process_group AS group FROM process');
  const known = new Set(rows.map((row) => row.group));
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    pids.map(async (pid) => {
      const folder = await readlink(`/proc/${pid}/cwd`).catch(() => '');
      if (!['scratch', 'worktrees'].some((place) => folder.startsWith(join(dataDir, place)))) return [];
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
      const group = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2]);
      return stat === '' || known.has(group) ? [] : [`I6: the process ${pid} works in ${folder} and has no row`];
    }),
  );
  return found.flat();
}

/** I7: what says it is complete left real files in a real commit. */
async function hollow(pool: pg.Pool, project: ProjectRow): Promise<string[]> {
  if (project.status === 'failed') return [`I7: ${project.name} failed by a fault of the engine`];
  if (project.machine !== 'drill' || project.status !== 'completed') return [];
  const { rows } = await pool.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM event WHERE project_id = $1 AND type = 'activity.reported' AND data::json->>'event' = 'round:passed'`,
    [project.id],
  );
  return (rows[0]?.n ?? 0) > 0 ? [] : [`I7: ${project.name} is complete and passed no round`];
}
