import { appendFileSync, mkdirSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Lease, Write } from '#engine';
import { PgProjectStore } from '#persistence';

/** A transition that a process was told is done. */
export interface Acknowledged {
  readonly projectId: string;
  readonly version: number;
  readonly checksum: string;
}

const folderIn = (dataDir: string): string => join(dataDir, 'acknowledged');

/**
 * From now on this process writes down every transition that its store acknowledges, before the engine hears of it.
 * Nothing is synced: what a process has handed to the kernel outlives its kill -9.
 */
export function noteAcknowledged(dataDir: string): void {
  mkdirSync(folderIn(dataDir), { recursive: true });
  const file = join(folderIn(dataDir), String(process.pid));
  const note = (store: PgProjectStore, lease: Lease, write: Write | undefined): void => {
    if (!write?.next) return;
    appendFileSync(file, `${lease.projectId} ${String(write.next.version)} ${store.headChecksum(lease)}\n`);
  };
  const inDoubt = new WeakMap<Lease, Write>();
  const { prototype } = PgProjectStore;
  const write = Object.getOwnPropertyDescriptor(prototype, 'write')?.value as PgProjectStore['write'];
  prototype.write = async function (this: PgProjectStore, lease, one) {
    inDoubt.set(lease, one);
    const result = await write.call(this, lease, one);
    if (result.kind === 'written') note(this, lease, one);
    return result;
  };
  const fateOf = Object.getOwnPropertyDescriptor(prototype, 'fateOf')?.value as PgProjectStore['fateOf'];
  prototype.fateOf = async function (this: PgProjectStore, lease, number) {
    const fate = await fateOf.call(this, lease, number);
    // A write whose answer was lost is acknowledged by the answer to this question.
    if (fate === 'applied') note(this, lease, inDoubt.get(lease));
    return fate;
  };
}

/** What all processes of this data folder were told, the killed ones among them. */
export async function readAcknowledged(dataDir: string): Promise<Acknowledged[]> {
  const files = await readdir(folderIn(dataDir)).catch(() => []);
  const texts = await Promise.all(files.map((name) => readFile(join(folderIn(dataDir), name), 'utf8')));
  return texts
    .flatMap((text) => text.split('\n').filter(Boolean))
    .map((line) => {
      const [projectId = '', version, checksum = ''] = line.split(' ');
      return { projectId, version: Number(version), checksum };
    });
}
