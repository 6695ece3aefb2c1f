import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { eventually } from '#testing';

export const root = fileURLToPath(new URL('../../../', import.meta.url));
const MAINS = {
  orchestrator: 'dist/apps/orchestrator/src/main.js',
  worker: 'dist/apps/worker/src/main.js',
} as const;

export type Settings = Readonly<Record<string, string>>;

/** A process of the service as a user starts it, with only these settings in its environment. */
export class ServiceProcess {
  private readonly log: string[] = [];

  private constructor(
    private readonly child: ChildProcess,
    readonly ended: Promise<unknown>,
  ) {
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => this.log.push(String(text)));
  }

  static spawn(app: keyof typeof MAINS, settings: Settings): ServiceProcess {
    return ServiceProcess.run(process.execPath, [MAINS[app]], settings);
  }

  static run(command: string, args: readonly string[], settings: Settings): ServiceProcess {
    const { PATH, HOME } = process.env;
    const child = spawn(command, args, {
      cwd: root,
      env: { PATH, HOME, ...settings },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return new ServiceProcess(child, once(child, 'exit'));
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** Resolves to the moment at which the service said that it is ready. */
  async ready(url: string, deadlineMs = 60_000): Promise<number> {
    const isReady = async (): Promise<boolean> => {
      if (this.child.exitCode !== null) throw new Error(`it ended before it was ready:\n${this.log.join('')}`);
      const answer = await fetch(`${url}/health/ready`).catch(() => null);
      await answer?.body?.cancel();
      return answer?.ok === true;
    };
    await eventually('the service is ready', isReady, { deadlineMs, everyMs: 10 });
    return performance.now();
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    this.child.kill(signal);
    await this.ended;
  }
}

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

export function residentMegabytes(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${String(pid)}/status`, 'utf8'))?.[1];
  return Number(kilobytes) / 1_024;
}
