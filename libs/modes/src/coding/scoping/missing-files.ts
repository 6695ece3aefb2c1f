import { CHECKS_FOLDER } from '#workspace';
import type { Check } from './request-plan.js';

interface Given {
  readonly check: Pick<Check, 'command' | 'files'>;
  /** What the runs on the base say is missing. */
  readonly missing: readonly string[];
  /** Files that its author names, and that neither the check nor the base has. */
  readonly unkept: readonly string[];
}

/** A path in the folder of checks, unless the command writes to it. */
const IN_FOLDER = new RegExp(
  String.raw`(?<!>[ \t]{0,4}|\bmkdir [^|&;]{0,200})(?<![\w.-])${CHECKS_FOLDER.replace('.', String.raw`\.`)}(?:/[\w@.+-]+(?![\w@.+*?[{$-]))*`,
  'g',
);

/** Files of its own that a check lacks. No change of the repository adds them, so it could never pass. */
export function findMissingFiles({ check: { command, files }, missing, unkept }: Given): readonly string[] {
  const isKept = (path: string): boolean =>
    files.some((file) => file.path === path || file.path.startsWith(`${path}/`));
  const named = [...command.matchAll(IN_FOLDER)].map(([path]) => path).filter((path) => !isKept(path));
  const inFolder = missing.flatMap((name) => name.match(IN_FOLDER) ?? []);
  const isNeeded = (path: string): boolean => [command, ...missing].some((text) => namesPath(text, path));
  return [...new Set([...named, ...inFolder, ...unkept.filter(isNeeded)])];
}

/** As a whole word. The missing name of a module may lack the end of its file. */
function namesPath(text: string, path: string): boolean {
  const bare = path.replace(/\.\w+$/, '');
  return [path, bare].some((one) => {
    const escaped = one.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
    return new RegExp(String.raw`(?<![\w.-])${escaped}(?![\w-])`).test(text);
  });
}

/** A module that a program loads by its path: seen from the file that loads it, not from the folder of the command. */
const LOADED =
  /(?:\b(?:require(?:\.resolve)?|import)\s{0,9}\(\s{0,9}|\b(?:from|import)\s{1,9})['"`](\.{1,2}\/[^'"`\n]{1,300})['"`]/g;

/**
 * What to tell the author of a check that loads a file by a wrong path; null if it loads none so. No change adds a file
 * to the folder of checks, or one beside the repository.
 */
export function findWrongImport({ check: { files }, missing, unkept }: Given): string | null {
  const isMissing = (loaded: string, path: string): boolean =>
    missing.some((name) => name === loaded || bareOf(name).endsWith(`/${bareOf(path)}`));
  const isKept = (path: string): boolean =>
    files.some((file) => [path, `${path}/index`].includes(bareOf(file.path)) || file.path === path) ||
    unkept.some((one) => bareOf(one) === bareOf(path));
  const wrong = files.flatMap((file) =>
    [...file.content.matchAll(LOADED)].flatMap(([, loaded = '']) => {
      const path = pathFrom(file.path, loaded);
      const isForChange = !path.startsWith('../') && !path.startsWith(`${CHECKS_FOLDER}/`);
      return isForChange || isKept(path) || !isMissing(loaded, path) ? [] : [describeImport(file.path, loaded, path)];
    }),
  );
  return wrong[0] ?? null;
}

const bareOf = (path: string): string => path.replace(/\.\w+$/, '');

/** The path that a file loads. It begins with `../` if it leads out of the repository. */
function pathFrom(file: string, loaded: string): string {
  const path: string[] = [];
  for (const name of [...file.split('/').slice(0, -1), ...loaded.split('/')]) {
    if (name === '..' && path.length > 0 && path.at(-1) !== '..') path.pop();
    else if (name !== '.' && name !== '') path.push(name);
  }
  return path.join('/');
}

function describeImport(file: string, loaded: string, path: string): string {
  const inRepository = loaded.replace(/^(?:\.{1,2}\/)+/, '');
  const right = `${'../'.repeat(file.split('/').length - 1) || './'}${inRepository}`;
  return `${file} loads "${loaded}", which means ${path} there, and that file does not exist. "${inRepository}" at the root of the repository is "${right}" there. If it is a file of the check, write it as a new file.`;
}
