import { createHash } from 'node:crypto';
import { createWriteStream, type WriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { finished } from 'node:stream/promises';
import type { SecretBook } from '#kernel';
import type { RunReport } from '../agent.port.js';
import { LastLines } from './last-lines.js';

const MIB = 1024 * 1024;
/** Of the beginning and of the end, which is where a CLI says how it went: its longest line has room there. */
const ROOM = { head: 6 * MIB, tail: 10 * MIB };

/** All that a CLI printed, line by line, without secrets; where that is too much, its beginning and its end. */
export class Transcript {
  private readonly hash = createHash('sha256');
  private readonly written: Promise<void>;
  private readonly tail: LastLines;
  private bytes = 0;
  private isHeadFull = false;
  private isCut = false;
  private isEnded = false;

  private constructor(
    private readonly file: string,
    private readonly out: WriteStream,
    private readonly secrets: SecretBook,
    private readonly room: typeof ROOM,
  ) {
    this.tail = new LastLines(room.tail);
    this.written = finished(out);
    // Heard of when it is closed.
    this.written.catch(() => undefined);
  }

  static async open(file: string, secrets: SecretBook, room = ROOM): Promise<Transcript> {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    return new Transcript(file, createWriteStream(file, { mode: 0o600 }), secrets, room);
  }

  add(line: string): void {
    const text = Buffer.from(`${this.secrets.redactJsonText(line)}\n`);
    this.isHeadFull ||= this.bytes + text.length > this.room.head;
    if (this.isHeadFull) this.tail.add(text);
    else this.write(text);
  }

  /** A line of its standard error, marked as that. */
  addComplaint(line: string): void {
    this.add(JSON.stringify({ type: 'qralph.stderr', line }));
  }

  /** Gives the file free, however the run ended; whether all of it was written, `close` says. */
  async end(): Promise<void> {
    if (!this.isEnded) this.writeTail();
    this.isEnded = true;
    this.out.end();
    await this.written.catch(() => undefined);
  }

  async close(): Promise<RunReport['transcript']> {
    await this.end();
    await this.written;
    return { file: this.file, sha256: this.hash.digest('hex'), bytes: this.bytes, isCut: this.isCut };
  }

  private writeTail(): void {
    const { kept, leftOut } = this.tail.rest();
    this.isCut = leftOut > 0;
    if (this.isCut) this.write(Buffer.from(`${JSON.stringify({ type: 'qralph.left-out', bytes: leftOut })}\n`));
    if (kept.length > 0) this.write(kept);
  }

  private write(text: Buffer): void {
    this.bytes += text.length;
    this.hash.update(text);
    this.out.write(text);
  }
}
