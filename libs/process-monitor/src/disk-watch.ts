import { stat, statfs } from 'node:fs/promises';
import { sep } from 'node:path';
import type { DiskLimit } from './command.js';
import { writtenSince } from './written-since.js';

const MIB = 1024 ** 2;

/** So much of a file system is left to the service and its database, the greater of both; of a full one, half of the rest. */
const SPARED_BYTES = 512 * MIB;
const SPARED_SHARE = 0.01;
/** Whoever has written less than this is not what fills a disk. */
const HARMLESS_BYTES = 64 * MIB;
/** The times of files come from a clock that is a tick behind. */
const TICK_MS = 50;

export interface Space {
  readonly freeBytes: number;
  readonly totalBytes: number;
}

/** What is asked of the machine; null where it does not tell. */
export interface DiskReads {
  /** The file system that a folder lies on. */
  deviceOf(folder: string): Promise<number | null>;
  spaceAt(folder: string): Promise<Space | null>;
  /** What was written there since the run began. May stop counting at `enough`. */
  writtenIn(folder: string, enough: number): Promise<number | null>;
}

/** One file system that a run may write to. */
interface Place {
  readonly folders: readonly [string, ...string[]];
  readonly freeAtStart: number;
  readonly sparedBytes: number;
  /** When so much has gone, or so little is left, the run's own files are counted. */
  askAtGone: number;
  askBelowFree: number;
}

/**
 * Watches the disk space that a run takes. How much is free costs next to nothing to ask, but others write at the same
 * time: where too much has gone, or too little is left, the run's own files are counted, and it is ended for these alone.
 * Where next to nothing is left every run is ended, whoever it was: the database may stand on the same disk.
 */
export class DiskWatch {
  private constructor(
    private readonly places: readonly Place[],
    private readonly limit: DiskLimit,
    private readonly reads: DiskReads,
  ) {}

  /** To be opened before the run begins. */
  static async open(limit: DiskLimit, reads = readsSince(Date.now() - TICK_MS)): Promise<DiskWatch> {
    const byDevice = new Map<number, [string, ...string[]]>();
    for (const folder of outermost(limit.folders)) {
      const device = await reads.deviceOf(folder);
      if (device === null) continue;
      const others = byDevice.get(device);
      if (others) others.push(folder);
      else byDevice.set(device, [folder]);
    }
    const places: Place[] = [];
    for (const folders of byDevice.values()) {
      const space = await reads.spaceAt(folders[0]);
      if (space) places.push(placeOf(folders, space, limit));
    }
    return new DiskWatch(places, limit, reads);
  }

  /** Whether the run is to be ended. */
  async isPastLimit(): Promise<boolean> {
    for (const place of this.places) {
      const space = await this.reads.spaceAt(place.folders[0]);
      if (!space) continue;
      const { freeBytes } = space;
      if (freeBytes < place.sparedBytes / 2) return true;
      const own = await this.ownIfSuspect(place, freeBytes);
      if (own > this.limit.bytes || (own > HARMLESS_BYTES && freeBytes < place.sparedBytes)) return true;
    }
    return false;
  }

  /** Whether a run that is over took more than it may: it may have been faster than any watch. */
  async hasTakenTooMuch(): Promise<boolean> {
    for (const place of this.places) {
      const space = await this.reads.spaceAt(place.folders[0]);
      if (space && (await this.ownIfSuspect(place, space.freeBytes)) > this.limit.bytes) return true;
    }
    return false;
  }

  /** What the run has written, where that may be too much; else 0, without a look at its files. */
  private async ownIfSuspect(place: Place, freeBytes: number): Promise<number> {
    const gone = place.freeAtStart - freeBytes;
    if (gone <= place.askAtGone && freeBytes >= place.askBelowFree) return 0;
    const own = (await this.ownBytes(place)) ?? gone;
    // So much more has to go before the answer can be another one.
    place.askAtGone = gone + Math.max(0, this.limit.bytes - own);
    place.askBelowFree = freeBytes - HARMLESS_BYTES;
    return own;
  }

  private async ownBytes({ folders }: Place): Promise<number | null> {
    let own = 0;
    for (const folder of folders) {
      const written = await this.reads.writtenIn(folder, this.limit.bytes);
      if (written === null) return null;
      own += written;
    }
    return own;
  }
}

function placeOf(folders: Place['folders'], { freeBytes, totalBytes }: Space, { bytes }: DiskLimit): Place {
  const sparedBytes = Math.min(Math.max(SPARED_BYTES, totalBytes * SPARED_SHARE), freeBytes / 2);
  return { folders, freeAtStart: freeBytes, sparedBytes, askAtGone: bytes, askBelowFree: sparedBytes };
}

const outermost = (folders: readonly string[]): string[] =>
  [...new Set(folders)].filter((one) => !folders.some((other) => one.startsWith(`${other}${sep}`)));

const readsSince = (sinceMs: number): DiskReads => ({
  deviceOf: (folder) => stat(folder).then(({ dev }) => dev, unknown),
  spaceAt: (folder) =>
    statfs(folder).then(
      ({ bsize, bavail, blocks }) => ({ freeBytes: bavail * bsize, totalBytes: blocks * bsize }),
      unknown,
    ),
  writtenIn: (folder, enough) => writtenSince(folder, sinceMs, enough),
});

/** A folder that is gone, or a file system that does not answer, says nothing about the run. */
const unknown = (): null => null;
