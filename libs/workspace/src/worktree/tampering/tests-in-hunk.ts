import type { Dialect } from './dialects.js';
import type { PatchLine } from '#kernel';

/** So many lines may stand between a mark and its function: further annotations, comments. */
const MARK_REACH = 12;

/** Names of the tests that one side of a hunk begins, where a line of their beginning differs from the other side. */
export function testsIn(hunk: readonly PatchLine[], side: '-' | '+', dialect: Dialect): readonly string[] {
  const lines = hunk.filter(({ kind }) => kind === side || kind === ' ');
  return lines.flatMap((line, at) => {
    if (dialect.comment.test(line.text)) return [];
    const header = line.kind === side ? dialect.header.exec(line.text) : null;
    if (header) return [nameOf(header)];
    if (!dialect.mark.test(line.text)) return [];
    return markedBy(lines.slice(at, at + MARK_REACH), side, dialect);
  });
}

/** The function after the first of these lines, which is a mark: on the same line, or on one of the next. */
function markedBy(lines: readonly PatchLine[], side: '-' | '+', dialect: Dialect): readonly string[] {
  for (const [nth, { text, kind }] of lines.entries()) {
    if (nth > 0 && dialect.mark.test(text)) return [];
    const found = dialect.marked.exec(text);
    if (found) return kind === side || lines[0]?.kind === side ? [nameOf(found)] : [];
  }
  return lines[0]?.kind === side ? [UNNAMED] : [];
}

const UNNAMED = '(a test whose name is not in the diff)';

const nameOf = (found: RegExpExecArray): string => found.slice(1).find((group) => group !== undefined) ?? UNNAMED;

/**
 * Where lines that only begin tests were replaced by as many such lines, tests were renamed: their bodies are still
 * there. Answers with the old names.
 */
export function renamedIn(hunk: readonly PatchLine[], dialect: Dialect): readonly string[] {
  const renamed: string[] = [];
  let [old, now]: [PatchLine[], PatchLine[]] = [[], []];
  const close = (): void => {
    const [before, after] = [old, now].map((lines) => lines.map(({ text }) => beginning(text, dialect)));
    if (before && after && before.length === after.length && ![...before, ...after].includes(null)) {
      renamed.push(...before.filter((name) => name !== null));
    }
    [old, now] = [[], []];
  };
  for (const line of hunk) {
    if (line.kind === '-') {
      if (now.length > 0) close();
      old.push(line);
    } else if (line.kind === '+') now.push(line);
    else close();
  }
  close();
  return renamed;
}

function beginning(text: string, dialect: Dialect): string | null {
  const found = dialect.header.exec(text) ?? dialect.marked.exec(text);
  return found && !holdsBody(text) ? nameOf(found) : null;
}

/** A whole test on one line has its body there too: it ends as `}`, `})` or a statement does. */
function holdsBody(text: string): boolean {
  const end = text.trimEnd();
  const last = end.endsWith(')') ? end.slice(0, -1).trimEnd() : end;
  return last.endsWith(';') || last.endsWith('}');
}
