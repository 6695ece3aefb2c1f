import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Fire } from './under-fire.main.js';

const root = fileURLToPath(new URL('../../', import.meta.url)).replace(/dist\/$/, '');

export interface ServiceProcess {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly url: string | null;
  readonly log: string[];
  /** Resolves with the signal or code that ended it. */
  readonly ended: Promise<string>;
  kill(signal?: NodeJS.Signals): Promise<string>;
}

export interface Settings {
  readonly dataDir: string;
  readonly databaseUrl?: string;
  readonly redisUrl?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly readyWithinMs?: number;
}

/** Starts a built service process and waits until it says that it is ready. */
export async function startProcess(fire: Fire, settings: Settings): Promise<ServiceProcess> {
  const child = spawn(
    process.execPath,
    // Without source maps: reading them takes an eighth of the start, and dist/ is readable as it is. With a large young
    // generation from the beginning, the start collects less garbage.
    ['--min-semi-space-size=16', `${root}dist/test/harness/under-fire.main.js`, JSON.stringify(fire)],
    {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env['PATH'],
        HOME: process.env['HOME'],
        // Hundreds of processes load the same modules: compiled once, they are read from there by all others.
        NODE_COMPILE_CACHE: `${root}dist/.compile-cache`,
        QRALPH_DATA_DIR: settings.dataDir,
        QRALPH_PORT: '0',
        QRALPH_LEASE_MS: '2000',
        ...(settings.databaseUrl && { DATABASE_URL: settings.databaseUrl }),
        ...(settings.redisUrl && { REDIS_URL: settings.redisUrl }),
        ...settings.env,
      },
    },
  );
  const log: string[] = [];
  const ended = once(child, 'exit').then(([code, signal]) => String(signal ?? code));
  let announce: (url: string | null) => void = () => undefined;
  const ready = new Promise<string | null>((resolve) => (announce = resolve));
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      log.push(line);
      if (line.includes('"msg":"ready"')) announce((JSON.parse(line) as { url?: string }).url ?? null);
    });
  }
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`not ready in time:\n${log.join('\n')}`)),
      settings.readyWithinMs ?? 30_000,
    );
  });
  const died = ended.then((how) => Promise.reject(new Error(`ended (${how}) before it was ready:\n${log.join('\n')}`)));
  try {
    const url = await Promise.race([ready, died, late]);
    const kill = (signal: NodeJS.Signals = 'SIGKILL'): Promise<string> => {
      child.kill(signal);
      return ended;
    };
    return { child, pid: child.pid ?? 0, url, log, ended, kill };
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  } finally {
    clearTimeout(timer);
    died.catch(() => undefined);
  }
}
