import type pg from 'pg';
import { afterAll, beforeAll } from 'vitest';
import type { NewEvent } from '#engine';
import { type FreshDatabase, freshDatabase, sampleSeed } from '#testing';
import { insertProject } from './new-project.js';
import { inTransaction, openPool } from './pool.js';

interface Opened {
  readonly database: FreshDatabase;
  readonly pool: pg.Pool;
}

/** A migrated database that a spec has for itself, from its first test to its last. */
class SpecDatabase {
  private opened: Opened | null = null;

  get pool(): pg.Pool {
    if (!this.opened) throw new Error('the database is there while tests run');
    return this.opened.pool;
  }

  async open(name: string): Promise<void> {
    const database = await freshDatabase();
    this.opened = { database, pool: openPool({ url: database.url, max: 8, name, onError: () => undefined }) };
  }

  async close(): Promise<void> {
    await this.opened?.pool.end();
    await this.opened?.database.drop();
  }

  /** A project of the sample machine; returns its id. */
  async sample(events: readonly NewEvent[] = []): Promise<string> {
    const seed = { ...sampleSeed(), number: null, mode: 'sample', options: {}, labels: {}, parentIncarnation: null };
    await inTransaction(this.pool, (client) => insertProject(client, { ...seed, events }, null));
    return seed.facts.id;
  }
}

export function useDatabase(name: string): SpecDatabase {
  const database = new SpecDatabase();
  beforeAll(() => database.open(name));
  afterAll(() => database.close());
  return database;
}
