import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesBelow, isTestCode, root, sourcesBelow, textOf } from './source-files.js';

const folders = readdirSync(root, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? entry.name : []));

/** The service walks up from its own files to what comes with it; there it names the folder. */
const isLookingUp = (path: string): boolean => /\bdirname\(fileURLToPath\(import\.meta\.url\)\)/.test(textOf(path));
const read = [...sourcesBelow('libs'), ...sourcesBelow('apps')]
  .filter((path) => !isTestCode(path) && !path.startsWith('libs/testing/') && isLookingUp(path))
  .flatMap((path) => folders.filter((folder) => textOf(path).includes(`'${folder}'`)));

const lastStage =
  textOf('docker/Dockerfile')
    .split(/^FROM /m)
    .at(-1) ?? '';
const copied = [...lastStage.matchAll(/^COPY --from=build \/app\/(\S+) \.\/(\S+)$/gm)].flatMap(([, from, to]) =>
  from === to ? [to] : [],
);
const leftOut = textOf('docker/Dockerfile.dockerignore').split('\n');

describe('the image', () => {
  it('has every folder that the service reads while it runs', () => {
    expect(read).toEqual(expect.arrayContaining(['playbooks', 'prices', 'prisma', 'team']));
    expect(read.filter((folder) => !copied.includes(folder))).toEqual([]);
  });

  it('has what it runs, and what asks for its health', () => {
    expect(copied).toEqual(expect.arrayContaining(['bin', 'dist', 'node_modules']));
    const asked = textOf('docker-compose.yml').match(/docker\/health\/[\w.-]+/g) ?? [];
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.filter((file) => !filesBelow('docker/health').includes(file))).toEqual([]);
    expect(lastStage).toContain('COPY docker/health ./docker/health');
  });

  it('is not built without files of those folders', () => {
    const missing = read.filter((folder) => leftOut.includes(folder));
    // Pages are left out, but not those that are read, however deep they lie: a star alone ends at a folder.
    const pages = read.filter((folder) => filesBelow(folder).some((path) => path.endsWith('.md')));
    expect([...missing, ...pages.filter((folder) => !leftOut.includes(`!${join(folder, '**/*.md')}`))]).toEqual([]);
  });
});
