/** Folders that nobody means when asking for the files of a project; a path that leads into one still works. */
const SKIPPED: ReadonlySet<string> = new Set([
  'node_modules', '.venv', 'venv', '__pycache__', '.mypy_cache', '.pytest_cache', '.tox', '.gradle', '.yarn', '.pnpm-store',
]); // prettier-ignore

export const isSkipped = (name: string): boolean => SKIPPED.has(name);

/** A name with line breaks or other control characters is shown as JSON would write it. */
export function shownName(path: string): string {
  const isPlain = [...path].every((char) => char >= ' ' && char !== '\u007f');
  return isPlain ? path : JSON.stringify(path);
}
