import { spawn } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { newMarkedFolder, removeTree, sweepLeftFolders } from '#workspace';

type Command = readonly [string, ...string[]];

const VERSION_MS = 20_000;
const MOST_CHARS = 4_096;
const PREFIX = 'qralph-cli-version-';

/**
 * What a program says to `--version`. In a home of its own: some write there whatever they are asked. Those of processes
 * that were killed are taken away.
 */
export async function versionOf(command: Command, path: string, ms = VERSION_MS): Promise<string> {
  await access(command[0], constants.X_OK);
  await sweepVersionHomes();
  const home = await newMarkedFolder(tmpdir(), PREFIX);
  try {
    return await said(command, { PATH: path, HOME: home }, ms);
  } finally {
    await removeTree(home);
  }
}

export const sweepVersionHomes = (parent: string = tmpdir()): Promise<void> => sweepLeftFolders(parent, PREFIX);

/**
 * Ends the whole group when this process is gone: the pipe on which nothing is ever said is closed then. A signal at the
 * death of the parent would reach the program alone, and many are wrappers.
 */
const KEEPER = `exec 3<&0 </dev/null
{ read -r nothing <&3; kill -KILL 0; } >/dev/null 2>&1 &
"$@" --version 3<&-
ended=$?
kill "$!" 2>/dev/null
exit "$ended"`;

/** In a group of its own: what it started has to end with it. */
function said(command: Command, env: Record<string, string>, ms: number): Promise<string> {
  const child = spawn('/bin/sh', ['-c', KEEPER, 'keeper', ...command], { env, detached: true });
  let [text, complaint] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (text = `${text}${chunk.toString('utf8')}`.slice(0, MOST_CHARS)));
  child.stderr.on(
    'data',
    (chunk: Buffer) => (complaint = `${complaint}${chunk.toString('utf8')}`.slice(0, MOST_CHARS)),
  );
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => {
      reject(new Error(`no answer within ${String(ms)} ms`));
      endGroup(child.pid);
      // A grandchild that left the group may hold the pipes open.
      child.stdout.destroy();
      child.stderr.destroy();
    }, ms);
    child.once('error', (error) => {
      clearTimeout(late);
      reject(error);
    });
    child.once('close', (code) => {
      clearTimeout(late);
      if (code === 0) resolve(text);
      else reject(new Error(`it ended with ${String(code)}. ${complaint}`.trim()));
    });
  });
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // All of it has ended by itself, or is another user's now: there is nothing left to end.
  }
}
