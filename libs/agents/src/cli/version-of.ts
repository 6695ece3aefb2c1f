import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeTree } from '#workspace';

type Command = readonly [string, ...string[]];

const VERSION_MS = 20_000;
const MOST_CHARS = 4_096;

/** What a program says to `--version`. In a home of its own: some write there whatever they are asked. */
export async function versionOf(command: Command, path: string, ms = VERSION_MS): Promise<string> {
  const home = mkdtempSync(join(tmpdir(), 'qralph-cli-version-'));
  try {
    return await said(command, { PATH: path, HOME: home }, ms);
  } finally {
    await removeTree(home);
  }
}

/** In a group of its own: many are wrappers, and what they started has to end with them. */
function said([file, ...args]: Command, env: Record<string, string>, ms: number): Promise<string> {
  const child = spawn(file, [...args, '--version'], { env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
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
