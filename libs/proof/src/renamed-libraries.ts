const LIBRARY = String.raw`['"](?:node:)?(?:assert|test|chai|expect|vitest|@jest/globals)(?:/[\w-]{1,40})?['"]`;
/** The names stand before the `=` or the `from`. */
const BINDINGS: readonly RegExp[] = [
  new RegExp(
    String.raw`\b(?:const|let|var)\s([^=;]{1,200})=[^;]{0,60}\b(?:require|import|getBuiltinModule)\(\s*${LIBRARY}`,
  ),
  new RegExp(String.raw`^\s*import\s([^;'"]{1,200})\bfrom\s*${LIBRARY}`),
  /^\s*import\s+(?:unittest|pytest)(?:\.\w{1,40})?\s+as\s+(\w{1,60})/,
  /^\s*from\s+(?:unittest|pytest)(?:\.\w{1,40})?\s+import\s+([^#]{1,200})/,
];
const NAME = /[A-Za-z_]\w{0,59}/g;
const NO_NAMES = new Set(['as', 'default', 'type']);
const LONGEST_LINE = 1_000;
const MOST_NAMES = 20;

/**
 * A pattern for lines that replace a function of an assertion library or test runner which the given lines bind to a
 * name. Null if they bind none.
 */
export function patternOfReplacement(lines: readonly string[]): RegExp | null {
  const names = [...new Set(lines.flatMap(boundNames))].slice(0, MOST_NAMES);
  if (names.length === 0) return null;
  const name = `(?:${names.join('|')})`;
  const member = String.raw`(?:\.\w{1,40}|\[[^\]]{1,60}\])`;
  return new RegExp(
    String.raw`(?<![\w.])${name}${member}{1,3}\s*=(?![=>])` +
      String.raw`|\b(?:Object\.(?:assign|definePropert(?:y|ies))|Reflect\.(?:set|defineProperty)|setattr)\(\s*${name}\b`,
  );
}

function boundNames(line: string): readonly string[] {
  const text = line.slice(0, LONGEST_LINE);
  const bound = BINDINGS.flatMap((binding) => binding.exec(text)?.[1] ?? []).join(' ');
  return (bound.match(NAME) ?? []).filter((name) => !NO_NAMES.has(name));
}
