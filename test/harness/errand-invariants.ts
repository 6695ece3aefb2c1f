import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
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
const WORKS = ['errand', 'qralph-coding', 'qralph-work', 'qralph-classic'];

/** What a project leaves that is complete; the document of a small team's first step, unless the full one took over. */
const LEAVES: Readonly<Record<string, readonly string[]>> = { 'qralph-work': ['note.md', 'theme.mjs'] };

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
  const left = LEAVES[machine] ?? ['theme.mjs'];
  if (status === 'completed' && !left.some((file) => files.includes(file)))
    broken.push(`I7: ${name} is complete without its file`);
  if (machine !== 'errand') broken.push(...(await brokenTeamwork(repo, project)));
  const dirty = await gitIn(repo, ['status', '--porcelain']);
  return dirty === '' ? broken : [...broken, `I4: the user's own checkout of ${name} has changed: ${dirty}`];
}

/** What a team says of itself, in the files that it left, against what is on its branch. */
async function brokenTeamwork(repo: string, { name, machine, status }: ErrandRow): Promise<string[]> {
  const page = (file: string): Promise<string> =>
    readFile(join(repo, '.qralph/projects', name, file), 'utf8').catch(() => '');
  const [summary, acceptance, state] = await Promise.all(['SUMMARY.md', 'UAT.md', 'STATE.md'].map(page));
  const subjects = (await gitIn(repo, ['log', '--format=%s', `qralph/${name}`])).split('\n');
  const twice = subjects.filter((one, nth) => MILESTONE.test(one) && subjects.indexOf(one) !== nth);
  const broken = twice.map((one) => `I4: ${name} has two commits of its milestone ${one}`);
  if (!summary?.includes(`TEAM_SHUTDOWN, ${status}`)) broken.push(`I7: ${name} does not say that it is ${status}`);
  if (!state?.includes(`| state | TEAM_SHUTDOWN |\n| status | ${status} |`))
    broken.push(`I7: STATE.md of ${name} says that it goes on`);
  if (status !== 'completed') return broken;
  if (machine === 'qralph-classic' && subjects.filter((one) => MILESTONE.test(one)).length !== 3) {
    broken.push(`I7: ${name} is complete without its milestones: ${subjects.join(', ')}`);
  }
  // Whatever passed was tried on the very files that the branch ends with.
  const trees = [...(acceptance?.matchAll(/^- verdict: passed\n(?:- .*\n)*?- tree: (\w+)$/gm) ?? [])].map(
    ([, tree]) => tree,
  );
  const last = await entriesOf(repo, `qralph/${name}`);
  for (const tree of new Set(trees)) {
    if ((await entriesOf(repo, tree ?? '')) !== last)
      broken.push(`I7: ${name} was accepted with another tree, ${String(tree)}`);
  }
  // A small team's steps are checked one by one, and nobody else accepts them.
  const isTried = trees.length > 0 || acceptance?.includes('- verdict: not decided');
  const isAccepted = isTried || !summary?.includes('- proven: yes') || summary.includes(': held, by ');
  return isAccepted ? broken : [...broken, `I7: ${name} says that it is proven, and nothing was tried`];
}

const MILESTONE = /^QRALPH: /;

/** The root of a tree without the readable files. */
const entriesOf = async (repo: string, tree: string): Promise<string> =>
  (await gitIn(repo, ['ls-tree', tree]))
    .split('\n')
    .filter((entry) => !entry.endsWith('\t.qralph'))
    .join('\n');

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
