import { setTimeout as delay } from 'node:timers/promises';
import { errorMessage } from '#kernel';
import { stopPostmaster, type Postmaster } from './postmaster.js';
import { isAlive } from './process-table.js';

const LOOK_MS = 250;
const LONGEST_PAUSE_MS = 30_000;

/**
 * Watching: the server lives. Restarting: it ended unasked and is brought back on the same port, for ever,
 * with growing pauses. Stopped: by stop() only, from either, and for good.
 */
export class Supervisor {
  private readonly stopping = new AbortController();
  private readonly rounds: Promise<void>;

  constructor(
    private postmaster: Postmaster,
    private readonly restart: (port: number) => Promise<Postmaster>,
    private readonly log: (message: string) => void,
  ) {
    this.rounds = this.watch();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.rounds;
    await stopPostmaster(this.postmaster);
  }

  private async watch(): Promise<void> {
    let pauseMs = LOOK_MS;
    while (await this.pause(pauseMs)) {
      if (isAlive(this.postmaster)) continue;
      try {
        this.log(`Postgres (pid ${this.postmaster.pid}) ended unasked and is started again`);
        this.postmaster = await this.restart(this.postmaster.port);
        pauseMs = LOOK_MS;
      } catch (error) {
        pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
        this.log(`Postgres could not be started again, next attempt in ${pauseMs} ms: ${errorMessage(error)}`);
      }
    }
  }

  /** False when asked to stop. Never keeps the process alive by itself. */
  private async pause(pauseMs: number): Promise<boolean> {
    return delay(pauseMs, true, { ref: false, signal: this.stopping.signal }).catch(() => false);
  }
}
