import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url)).replace(/dist\/$/, '');
const SOURCES = ['apps', 'libs', 'test/harness'];

let verdict: string | null | undefined;

/** These tests run the built service: an old build would be tested in the name of today's sources. */
export function refuseStaleBuild(): void {
  if (verdict === undefined) verdict = staleness();
  if (verdict !== null) throw new Error(`${verdict}; these tests run dist/: npm run build`);
}

function staleness(): string | null {
  const builtAt = Math.max(timeOf('dist/.built'), timeOf('dist/.tsbuildinfo'));
  if (timeOf('dist/test/harness/under-fire.main.js') === 0) return 'the service is not built';
  for (const folder of SOURCES) {
    const newer = newerBelow(folder, builtAt);
    if (newer !== null) return `${newer} is newer than the build`;
  }
  return null;
}

function newerBelow(folder: string, builtAt: number): string | null {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      const found = entry.name === 'generated' ? null : newerBelow(path, builtAt);
      if (found !== null) return found;
    } else if (/(?<!\.spec)\.ts$/.test(entry.name) && timeOf(path) > builtAt) return path;
  }
  return null;
}

const timeOf = (path: string): number => statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;
