import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DiskReads, DiskWatch } from './disk-watch.js';

const GIB = 1024 ** 3;
const MIB = 1024 ** 2;
const LIMIT = { folders: ['/data/worktree', '/data/worktree/deps', '/data/home'], bytes: 8 * GIB };

/** One file system of which the run, and others, take something. */
class FakeDisk implements DiskReads {
  own: number | null = 0;
  others = 0;
  counts = 0;
  answers = true;
  readonly asked = new Set<string>();

  constructor(
    readonly totalBytes = 100 * GIB,
    private readonly freeAtStart = 50 * GIB,
  ) {}

  deviceOf = async (): Promise<number> => 1;
  spaceAt = async () =>
    this.answers ? { freeBytes: this.freeAtStart - (this.own ?? 0) - this.others, totalBytes: this.totalBytes } : null;
  writtenIn = async (folder: string): Promise<number | null> => {
    this.counts += 1;
    this.asked.add(folder);
    return folder === '/data/worktree' ? this.own : 0;
  };
}

const opened = async (disk: FakeDisk): Promise<DiskWatch> => DiskWatch.open(LIMIT, disk);

describe('a run that writes', () => {
  it('within its limit is left alone, and nobody counts its files', async () => {
    const disk = new FakeDisk();
    const watch = await opened(disk);
    disk.own = 8 * GIB;
    expect([await watch.isPastLimit(), await watch.hasTakenTooMuch(), disk.counts]).toEqual([false, false, 0]);
  });

  it('more than it may is ended, or told of when it was faster', async () => {
    for (const asked of ['isPastLimit', 'hasTakenTooMuch'] as const) {
      const disk = new FakeDisk();
      const watch = await opened(disk);
      disk.own = 9 * GIB;
      expect(await watch[asked]()).toBe(true);
      expect([...disk.asked]).toEqual(['/data/worktree', '/data/home']);
    }
  });

  it('little is not ended for what others write, and its files are counted seldom', async () => {
    const disk = new FakeDisk();
    const watch = await opened(disk);
    disk.own = GIB;
    disk.others = 20 * GIB;
    for (let time = 0; time < 50; time += 1) expect(await watch.isPastLimit()).toBe(false);
    expect(disk.counts).toBe(2);
    disk.own = 9 * GIB;
    expect(await watch.isPastLimit()).toBe(true);
  });

  it('more than can be counted answers for all that has gone', async () => {
    const disk = new FakeDisk();
    const watch = await opened(disk);
    disk.writtenIn = async () => null;
    disk.others = 9 * GIB;
    expect(await watch.isPastLimit()).toBe(true);
  });
});

describe('a disk that fills', () => {
  it('ends whoever writes before it is full, and not who does not', async () => {
    const [hog, bystander] = [new FakeDisk(100 * GIB, 3 * GIB), new FakeDisk(100 * GIB, 3 * GIB)];
    const [watch, other] = [await opened(hog), await opened(bystander)];
    hog.own = bystander.others = 2.2 * GIB;
    expect([await watch.isPastLimit(), await other.isPastLimit()]).toEqual([true, false]);
    expect(await watch.hasTakenTooMuch()).toBe(false);
  });

  it('ends everybody where next to nothing is left', async () => {
    const disk = new FakeDisk(100 * GIB, 3 * GIB);
    const watch = await opened(disk);
    disk.others = 2.7 * GIB;
    expect(await watch.isPastLimit()).toBe(true);
  });

  it('that was nearly full before ends nobody who takes little of it', async () => {
    const disk = new FakeDisk(1_000 * GIB, 300 * MIB);
    const watch = await opened(disk);
    disk.own = 50 * MIB;
    expect(await watch.isPastLimit()).toBe(false);
    disk.own = 200 * MIB;
    expect(await watch.isPastLimit()).toBe(true);
  });

  it('that does not answer ends nobody', async () => {
    const disk = new FakeDisk();
    const watch = await opened(disk);
    disk.answers = false;
    expect([await watch.isPastLimit(), await watch.hasTakenTooMuch()]).toEqual([false, false]);
    const silent = await DiskWatch.open(LIMIT, { ...disk, deviceOf: async () => null });
    expect(await silent.isPastLimit()).toBe(false);
  });
});

it('whatever is written when, a run is past its limit exactly when its own files are, as long as there is room', async () => {
  const steps = fc.array(fc.record({ own: fc.nat(GIB), others: fc.integer({ min: 0, max: GIB }) }), { maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(steps, async (taken) => {
      const disk = new FakeDisk(1_000 * GIB, 900 * GIB);
      const watch = await opened(disk);
      for (const { own, others } of taken) {
        disk.own = (disk.own ?? 0) + own;
        disk.others += others;
        expect(await watch.isPastLimit()).toBe(disk.own > LIMIT.bytes);
        if (disk.own > LIMIT.bytes) return;
      }
    }),
  );
});
