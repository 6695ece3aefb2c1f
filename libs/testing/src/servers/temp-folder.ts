import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TempFolder {
  path: string;
  remove(): Promise<void>;
}

export function tempFolder(purpose: string): TempFolder {
  const path = mkdtempSync(join(tmpdir(), `qralph-test-${purpose}-`));
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }) };
}
