import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { type Change, planActions } from './targets/change.js';
import type { Files, Oracle } from './targets/target.js';

const run = promisify(execFile);
const AUTHOR = ['-c', 'user.name=Outcomes', '-c', 'user.email=outcomes@example.com'];
const ORACLE_MS = 60_000;

export async function writeFiles(folder: string, files: Files): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
}

/** A git repository with one commit. */
export async function makeRepository(folder: string, files: Files): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFiles(folder, files);
  await git(folder, 'init', '-q', '-b', 'main');
  await git(folder, 'add', '-A');
  await git(folder, ...AUTHOR, 'commit', '-q', '-m', 'Begin');
}

export async function git(folder: string, ...args: readonly string[]): Promise<string> {
  return (await run('git', ['-C', folder, ...args])).stdout.trimEnd();
}

/** Makes a change by hand, as the scripted model makes it with its tools. */
export async function applyChange(folder: string, change: Change): Promise<void> {
  const contents = new Map<string, string | null>();
  const paths = [
    ...(change.edits ?? []).map(({ path }) => path),
    ...Object.keys(change.files ?? {}),
    ...(change.removes ?? []),
  ];
  for (const path of paths) contents.set(path, await readFile(join(folder, path), 'utf8').catch(() => null));
  for (const action of planActions(change, (path) => contents.get(path) ?? null)) {
    switch (action.kind) {
      case 'write':
        await writeFiles(folder, { [action.path]: action.content });
        break;
      case 'edit': {
        const before = await readFile(join(folder, action.path), 'utf8');
        await writeFile(
          join(folder, action.path),
          before.replace(action.old, () => action.new),
        );
        break;
      }
      case 'run':
        await run('sh', ['-c', action.command], { cwd: folder });
        break;
    }
  }
}

export interface OracleResult {
  readonly isPassed: boolean;
  readonly output: string;
}

/**
 * Runs the hidden tests on a fresh clone of a branch. The home folder is empty: what an agent left outside the branch
 * has no effect.
 */
export async function runOracle(
  repository: string,
  branch: string,
  oracle: Oracle,
  scratch: string,
): Promise<OracleResult> {
  const clone = join(scratch, 'clone');
  const home = join(scratch, 'home');
  await mkdir(home, { recursive: true });
  try {
    await run('git', ['clone', '-q', '--branch', branch, '--single-branch', repository, clone]);
    await writeFiles(clone, oracle.files);
    const env = { PATH: process.env['PATH'] ?? '', HOME: home };
    const { stdout, stderr } = await run('sh', ['-c', oracle.command], { cwd: clone, env, timeout: ORACLE_MS });
    return { isPassed: true, output: `${stdout}${stderr}` };
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    return { isPassed: false, output: `${String(error)}\n${stdout}${stderr}` };
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
