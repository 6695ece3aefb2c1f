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
