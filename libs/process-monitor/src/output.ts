import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises';

/** After its end a command's output is read until it is silent for so long: somebody unknown may hold the pipe open. */
const SILENCE_MS = 200;
const MAX_DRAIN_ROUNDS = 10;

type Stream = 'stdout' | 'stderr';

export interface Listener {
  /** Of each of the two. */
  readonly maxBytes: number;
  /** Told once; nothing more is read then, so that whoever writes on has to wait. */
  readonly tooMuch: () => void;
  readonly onOutput?: ((stream: Stream, chunk: Buffer) => void) | undefined;
}

/** What a command writes, up to a limit. */
export class Output {
  private readonly chunks: Record<Stream, Buffer[]> = { stdout: [], stderr: [] };
  private received = 0;
  private isTooMuch = false;

  constructor(
    private readonly child: ChildProcessWithoutNullStreams,
    private readonly closed: Promise<unknown>,
    { maxBytes, tooMuch, onOutput }: Listener,
  ) {
    for (const name of ['stdout', 'stderr'] as const) {
      let room = maxBytes;
      child[name].on('data', (chunk: Buffer) => {
        this.received += chunk.length;
        const kept = chunk.length > room ? chunk.subarray(0, room) : chunk;
        room -= kept.length;
        if (kept.length > 0) {
          this.chunks[name].push(kept);
          onOutput?.(name, kept);
        }
        if (kept.length === chunk.length || this.isTooMuch) return;
        this.isTooMuch = true;
        child.stdout.pause();
        child.stderr.pause();
        tooMuch();
      });
    }
  }

  /** All that the command wrote before its end; cut short when it was too much. */
  async drained(): Promise<Record<Stream, string> & { isTooMuch: boolean }> {
    let isClosed = false;
    for (let round = 1; round <= MAX_DRAIN_ROUNDS && !isClosed && !this.isTooMuch; round += 1) {
      const before = this.received;
      isClosed = await Promise.race([this.closed.then(() => true), delay(SILENCE_MS, false, { ref: false })]);
      // A busy process may find the time over before it has read what waits in the pipe: one turn reads it.
      await turn();
      if (this.received === before) break;
    }
    this.child.stdout.destroy();
    this.child.stderr.destroy();
    const text = (name: Stream): string => Buffer.concat(this.chunks[name]).toString('utf8');
    return { stdout: text('stdout'), stderr: text('stderr'), isTooMuch: this.isTooMuch };
  }
}
