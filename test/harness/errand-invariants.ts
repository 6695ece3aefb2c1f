import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type pg from 'pg';

interface ErrandRow {
  readonly id: string;
  readonly name: string;
  readonly machine: string;
  readonly status: string;
  readonly repo_path: string | null;
}

const run = promisify(execFile);

/** Machines whose projects leave a branch; a team's commits are at least those of a finding and of the request. */
const WORKS = ['errand', 'qralph-coding', 'qralph-classic'];

/** What does not hold about a project that works on a repository: its commits, and what it says it has done. */
export async function brokenErrand(project: ErrandRow): Promise<string[]> {
  const { name, machine, status, repo_path: repo } = project;
  if (!WORKS.includes(machine) || repo === null) return [];
  const log = await gitIn(repo, [
    'log',
    '--format=%(trailers:key=Qralph-Effect,valueonly,separator=%x20)',
    `qralph/${name}`,
  ]);
  const keys = log.split('\n').filter((line) => line !== '');
  const twice = new Set(keys.filter((key, nth) => keys.indexOf(key) !== nth));
  const broken = [...twice].map((key) => `I4: ${name} has two commits of the effect ${key}`);
  const isOdd = machine === 'errand' ? keys.length !== 1 : keys.length < 2;
  if (status === 'completed' && isOdd) broken.push(`I7: ${name} is complete with ${String(keys.length)} commits`);
  const files = await gitIn(repo, ['ls-tree', '--name-only', `qralph/${name}`]);
  if (status === 'completed' && !files.includes('theme.mjs')) broken.push(`I7: ${name} is complete without its file`);
  const dirty = await gitIn(repo, ['status', '--porcelain']);
  return dirty === '' ? broken : [...broken, `I4: the user's own checkout of ${name} has changed: ${dirty}`];
}

/** At rest nothing is reserved, and each budget has used what its calls count. */
export async function brokenLedger(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ root_id: string; used: string; counted: string; reserved: string; open: number }>(
    `SELECT b.root_id, b.used_nano::text AS used, b.reserved_nano::text AS reserved,
       coalesce(sum(c.counted_nano), 0)::text AS counted, count(*) FILTER (WHERE c.status = 'open')::int AS open
     FROM budget b LEFT JOIN model_call c ON c.root_id = b.root_id GROUP BY b.root_id, b.used_nano, b.reserved_nano`,
  );
  return rows
    .filter(({ used, counted, reserved, open }) => used !== counted || reserved !== '0' || open > 0)
    .map((row) => `I4: the ledger does not add up: ${JSON.stringify(row)}`);
}

async function gitIn(repo: string, args: readonly string[]): Promise<string> {
  const env = { PATH: process.env['PATH'], GIT_CONFIG_GLOBAL: '/dev/null' };
  const { stdout } = await run('git', ['-C', repo, ...args], { env }).catch(() => ({ stdout: '' }));
  return stdout.trim();
}
