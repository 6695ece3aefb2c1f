import { readPatch } from '#kernel';

const BLANK_OR_COMMENT = /^\s*(?:$|\/\/|#|\/?\*|<!--)/;

interface ChangedLines {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/**
 * Whether an attempt only takes lines of its task back, with or without a comment in their place. To undo a change is no
 * fix of an error that another project could repeat.
 */
export function takesBack(patchOfTask: string, patchOfAttempt: string): boolean {
  const task = readLines(patchOfTask);
  const attempt = readLines(patchOfAttempt);
  if (attempt.added.length + attempt.removed.length === 0) return false;
  return (
    attempt.removed.every((line) => task.added.includes(line)) &&
    attempt.added.every((line) => task.removed.includes(line))
  );
}

function readLines(patch: string): ChangedLines {
  const lines = readPatch(patch)
    .flatMap(({ hunks }) => hunks.flat())
    .filter(({ text }) => !BLANK_OR_COMMENT.test(text));
  const of = (sign: string): readonly string[] =>
    lines.filter(({ kind }) => kind === sign).map(({ text }) => text.trim());
  return { added: of('+'), removed: of('-') };
}
