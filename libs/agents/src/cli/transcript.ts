import { createHash } from 'node:crypto';
import { createWriteStream, type WriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { finished } from 'node:stream/promises';
import type { SecretBook } from '#kernel';
import type { RunReport } from '../agent.port.js';

const MOST_BYTES = 16 * 1024 * 1024;

/** All that a CLI printed, line by line, without secrets, up to a limit. */
export class Transcript {
  private readonly hash = createHash('sha256');
  private readonly written: Promise<void>;
  private bytes = 0;
  private isCut = false;

  private constructor(
    private readonly file: string,
    private readonly out: WriteStream,
    private readonly secrets: SecretBook,
  ) {
    this.written = finished(out);
    // Heard of when it is closed.
    this.written.catch(() => undefined);
  }

  static async open(file: string, secrets: SecretBook): Promise<Transcript> {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    return new Transcript(file, createWriteStream(file, { mode: 0o600 }), secrets);
  }

  add(line: string): void {
    if (this.isCut) return;
    const text = Buffer.from(`${this.secrets.redactJsonText(line)}\n`);
    if (this.bytes + text.length > MOST_BYTES) {
      this.isCut = true;
      return;
    }
    this.bytes += text.length;
    this.hash.update(text);
    this.out.write(text);
  }

  /** Gives the file free, however the run ended; whether all of it was written, `close` says. */
  async end(): Promise<void> {
    this.out.end();
    await this.written.catch(() => undefined);
  }

  async close(): Promise<RunReport['transcript']> {
    await this.end();
    await this.written;
    return { file: this.file, sha256: this.hash.digest('hex'), bytes: this.bytes, isCut: this.isCut };
  }
}
