import type { TestProject } from 'vitest/node';
import {
  describeParts,
  ensureTemplate,
  partsLeftOut,
  refuseIfRequiredPartIsMissing,
  startTestPostgres,
} from './servers/index.js';

declare module 'vitest' {
  export interface ProvidedContext {
    postgresUrl: string;
  }
}

/** One real Postgres for the whole run; each test makes its own database on it with freshDatabase(). */
export default async function startServers(project: TestProject): Promise<() => Promise<void>> {
  refuseIfRequiredPartIsMissing();
  const postgres = await startTestPostgres();
  await ensureTemplate(postgres.url);
  project.provide('postgresUrl', postgres.url);
  return async () => {
    await postgres.stop();
    const missing = partsLeftOut();
    if (missing.length > 0) console.log(`Tests are left out where this machine lacks:\n${describeParts(missing)}`);
  };
}
