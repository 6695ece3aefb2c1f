import type pg from 'pg';
import { canonicalJson, type Json } from '#kernel';
import type { Machine } from '#engine';

/** Every table a project ever began with, so that a newer version of the service can still drive it. */
export class PgMachineArchive {
  constructor(private readonly pool: pg.Pool) {}

  async keep(machine: Machine, hash: string): Promise<string> {
    const { rows } = await this.pool.query<{ hash: string }>(
      `INSERT INTO machine (name, version, hash, definition) VALUES ($1, $2, $3, $4)
       ON CONFLICT (name, version) DO UPDATE SET name = machine.name RETURNING hash`,
      [machine.name, machine.version, hash, canonicalJson(machine as unknown as Json)],
    );
    return rows[0]?.hash ?? hash;
  }

  async find(name: string, version: number): Promise<Machine | null> {
    const { rows } = await this.pool.query<{ definition: string }>(
      'SELECT definition FROM machine WHERE name = $1 AND version = $2',
      [name, version],
    );
    return rows[0] ? (JSON.parse(rows[0].definition) as Machine) : null;
  }
}
