import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

export const root = fileURLToPath(new URL('../..', import.meta.url));
const NOT_OURS = new Set(['node_modules', 'dist', '.git', '.data', 'generated']);

/** Paths of all files below a folder of the repository, relative to its root. */
export function filesBelow(folder: string): string[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (NOT_OURS.has(entry.name)) return [];
    if (entry.isDirectory()) return filesBelow(path);
    return entry.isFile() ? [path] : [];
  });
}

export const textOf = (path: string): string => readFileSync(join(root, path), 'utf8');
export const sourcesBelow = (folder: string): string[] => filesBelow(folder).filter((path) => path.endsWith('.ts'));

/** Specs, and what only specs use: these may also import what tests are made of. */
export const isTestCode = (path: string): boolean =>
  /\.(spec|fixture)\.ts$/.test(path) || path.includes('/fixtures/') || path.startsWith('test/');

/** `libs/engine`, `apps/worker`, or `test`. */
export function roomOf(path: string): string {
  const [first = '', second = ''] = path.split('/');
  return first === 'test' ? first : `${first}/${second}`;
}

export interface Import {
  readonly from: string;
  /** As written. */
  readonly specifier: string;
  /** The file it leads to, for imports inside the repository. */
  readonly file: string | null;
}

/** Type imports count: what a file knows by type it knows. */
export function importsOf(path: string): Import[] {
  const { importedFiles } = ts.preProcessFile(textOf(path), true, true);
  const specifiers = new Set(importedFiles.map(({ fileName }) => fileName));
  return [...specifiers].map((specifier) => ({ from: path, specifier, file: fileOf(path, specifier) }));
}

function fileOf(from: string, specifier: string): string | null {
  if (specifier.startsWith('#')) return `libs/${specifier.slice(1)}/src/index.ts`;
  if (!specifier.startsWith('.')) return null;
  return normalize(join(dirname(from), specifier)).replace(/\.js$/, '.ts');
}
