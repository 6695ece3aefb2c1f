import { isTestFile } from './dialects.js';
import { patchedPath, type PatchFile, type PatchLine } from '#kernel';

/** What verify commands call by its name: whoever changes that changes what they prove. */
export interface VerifiedBy {
  /** Of package.json. */
  readonly scripts: ReadonlySet<string>;
  readonly files: ReadonlySet<string>;
}

const BETWEEN_WORDS = /[\s;&|()<>"'`]+/;
const SCRIPT_RUNNERS = ['npm', 'pnpm', 'yarn', 'bun', 'npm-run-all', 'run-s', 'run-p'];
const NOT_A_SCRIPT = ['run', 'run-script', 'exec', 'workspace', 'workspaces'];
/** `yarn workspace one build`: so far behind its runner a script's name stands. */
const SCRIPT_REACH = 4;
const MAKE_FILES = ['GNUmakefile', 'makefile', 'Makefile'];
const PACKAGE = /(?:^|\/)package\.json$/;
const SCRIPT = /^\s*"((?:[^"\\]|\\.){1,200})"\s*:\s*"/;

export function verifiedBy(commands: readonly string[]): VerifiedBy {
  const [scripts, files] = [new Set<string>(), new Set<string>()];
  for (const command of commands) {
    const words = command.split(BETWEEN_WORDS).filter((word) => word !== '' && !word.startsWith('-'));
    for (const [at, word] of words.entries()) {
      if (SCRIPT_RUNNERS.includes(word)) {
        const names = words.slice(at + 1, at + 1 + SCRIPT_REACH).filter((name) => !NOT_A_SCRIPT.includes(name));
        for (const name of names) for (const when of ['', 'pre', 'post']) scripts.add(`${when}${name}`);
      } else if (word === 'make') for (const name of MAKE_FILES) files.add(name);
      else if (/[./]/.test(word)) files.add(word.replace(/^(?:\.\/)+/, ''));
    }
  }
  return { scripts, files };
}

/** Files that verify commands call, and that are others now. A test is meant to change, and is looked at by itself. */
export function changedVerification(files: readonly PatchFile[], by: VerifiedBy): readonly string[] {
  return files.flatMap((file) => {
    const name = patchedPath(file);
    if (PACKAGE.test(name)) return changedScripts(file).filter((one) => by.scripts.has(one)).map((one) => `${name}: ${one}`); // prettier-ignore
    const isCalled = [file.from, file.to].some((path) => path !== null && by.files.has(path) && !isTestFile(path));
    return isCalled && file.from !== null ? [file.from] : [];
  });
}

/** A line that only moved, or has a comma now, says the same. */
function changedScripts({ hunks, from }: PatchFile): readonly string[] {
  if (from === null) return [];
  const lines = hunks.flat();
  const plain = ({ text }: PatchLine): string => text.trim().replace(/,$/, '');
  const of = (kind: PatchLine['kind']): Set<string> => new Set(lines.filter((line) => line.kind === kind).map(plain));
  const [gone, come] = [of('-'), of('+')];
  const changed = [...gone, ...come].filter((line) => gone.has(line) !== come.has(line));
  return [...new Set(changed.flatMap((line) => SCRIPT.exec(line)?.[1] ?? []))];
}
