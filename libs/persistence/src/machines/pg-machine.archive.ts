import type pg from 'pg';
import type { Machine } from '#engine';
import { inWorldlyTerms } from '../projects/pg-errors.js';
import { type MachineRow, type StoredMachine, storedMachine } from './stored-machine.js';

/** Every table a project ever began with, so that a newer version of the service can still drive it. */
export class PgMachineArchive {
  constructor(private readonly pool: pg.Pool) {}

  /**
   * Mends a table that was damaged in the store: under the same hash there can be only one, but for the order of its
   * members, which is kept: people are shown the options of a gate as its table has them.
   */
  async keep(machine: Machine, hash: string): Promise<string> {
    const { rows } = await this.pool.query<{ hash: string }>(
      `INSERT INTO machine AS m (name, version, hash, definition) VALUES ($1, $2, $3, $4)
       ON CONFLICT (name, version) DO UPDATE
         SET definition = CASE WHEN m.hash = excluded.hash THEN excluded.definition ELSE m.definition END
       RETURNING hash`,
      [machine.name, machine.version, hash, JSON.stringify(machine)],
    );
    return rows[0]?.hash ?? hash;
  }

  find(name: string, version: number): Promise<StoredMachine | { readonly kind: 'unknown' }> {
    return inWorldlyTerms(async () => {
      const { rows } = await this.pool.query<MachineRow>(
        'SELECT name, version, hash, definition FROM machine WHERE name = $1 AND version = $2',
        [name, version],
      );
      return rows[0] ? storedMachine(rows[0]) : { kind: 'unknown' };
    });
  }
}
