// Which files the build is made from, and whether it still matches them.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './run.mjs';

/** Its time is when the newest good build began: a file saved during a build counts as newer. */
export const stamp = join(root, 'dist', '.built');

const TREES = ['apps', 'libs', 'test'];
const FILES = ['tsconfig.json', 'nest-cli.json', 'prisma/schema.prisma'];
const isSource = (name) => name.endsWith('.ts') && !name.endsWith('.spec.ts');

/** The first source found that is newer than the build, or null when the build is fresh. */
export function newerThanBuild() {
  const builtAt = timeOf(stamp);
  if (builtAt === null) return 'dist';
  const changed = FILES.find((file) => (timeOf(join(root, file)) ?? 0) > builtAt);
  return changed ?? TREES.map((tree) => newerBelow(tree, builtAt)).find((file) => file !== null) ?? null;
}

function newerBelow(folder, builtAt) {
  const path = join(root, folder);
  if (!existsSync(path)) return null;
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const inside = join(folder, entry.name);
    if (entry.isDirectory()) {
      // The Prisma client is written by the build itself.
      const found = entry.name === 'generated' ? null : newerBelow(inside, builtAt);
      if (found !== null) return found;
    } else if (isSource(entry.name) && (timeOf(join(root, inside)) ?? 0) > builtAt) return inside;
  }
  return null;
}

export const timeOf = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? null;
