import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { refuseStaleBuild } from '../harness/built.js';

const root = fileURLToPath(new URL('../../', import.meta.url)).replace(/dist\/$/, '');

export const projectPath = (path: string): string => join(root, path);

export const readProjectFile = (path: string): string => readFileSync(projectPath(path), 'utf8');

export interface Shipped {
  readonly child: ChildProcess;
  /** Lines of both outputs, as they come. */
  readonly lines: string[];
  /** Resolves with the signal or code that ended it. */
  readonly ended: Promise<string>;
}

/** Starts what `npm run NAME` starts once everything is built, with the flags of package.json, in a folder of its own. */
export function startShipped(name: string, cwd: string, env: Readonly<Record<string, string>> = {}): Shipped {
  refuseStaleBuild();
  const { scripts } = JSON.parse(readProjectFile('package.json')) as { scripts: Record<string, string> };
  const [, command] = /^node scripts\/ensure-built\.mjs && node (.+)$/.exec(scripts[name] ?? '') ?? [];
  if (command === undefined) throw new Error(`npm run ${name} starts nothing of dist/`);
  const args = command.split(' ').map((arg) => (arg.startsWith('dist/') ? join(root, arg) : arg));
  // Shuts down with this process, also when that is killed.
  const child = spawn('setpriv', ['--pdeathsig', 'TERM', process.execPath, ...args], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], TMPDIR: cwd, ...env },
  });
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on('line', (line) => lines.push(line));
  const ended = once(child, 'close').then(([code, signal]) => String(signal ?? code));
  return { child, lines, ended };
}

/** What still runs of everything that was ever started in a folder: the folder is in its environment or its arguments. */
export function processesOf(folder: string): string[] {
  if (!isAbsolute(folder)) throw new Error(`${folder} is no absolute path`);
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return [];
    try {
      const [command = '', environment = ''] = ['cmdline', 'environ'].map((file) =>
        readFileSync(`/proc/${pid}/${file}`, 'utf8'),
      );
      return `${command}${environment}`.includes(folder) ? [`${pid} ${command.replaceAll('\0', ' ')}`] : [];
    } catch {
      return [];
    }
  });
}
