import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { existsSync } from 'node:fs';
import { createHash, randomUUID } from 'node:crypto';

/** Small files that are shown inside in place of the host's own. Named by their content: written once, never changed. */
export class StagedFiles {
  constructor(private readonly folder: string) {}

  put(text: string): string {
    const file = join(this.folder, createHash('sha256').update(text).digest('hex').slice(0, 32));
    if (existsSync(file)) return file;
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    const draft = `${file}.${randomUUID()}`;
    writeFileSync(draft, text, { mode: 0o444 });
    renameSync(draft, file);
    return file;
  }
}
