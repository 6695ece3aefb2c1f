const WHY = 'This code makes an object equal to everything.';

/** What a function body holds that always says true: alone in its line, and behind a head in the same line. */
const TRUE_LINE = /^\s*(?:\{\s*)?(?:return\s+)?true(?:\s*[;}])*(?:\s*end)?\s*$/i;
const TRUE_BODY = String.raw`(?:=>?|[{;)])\s*(?:return\s+)?true\b\s*(?:;|\}|end\b|$)`;

interface Operator {
  readonly files: RegExp;
  /** The head of the function that compares. */
  readonly head: string;
}

const OPERATORS: readonly Operator[] = [
  { files: /\.(?:java|groovy)$/, head: String.raw`\bboolean\s+equals\s*\(` },
  { files: /\.kts?$/, head: String.raw`\bfun\s+equals\s*\(` },
  { files: /\.scala$/, head: String.raw`\bdef\s+(?:equals|==)\s*\(` },
  { files: /\.cs$/, head: String.raw`\bbool\s+(?:Equals\s*\(|operator\s*==)` },
  { files: /\.rs$/, head: String.raw`\bfn\s+eq\s*\(` },
  { files: /\.swift$/, head: String.raw`\bfunc\s*==` },
  { files: /\.(?:c|h|cc|cpp|hpp)$/, head: String.raw`\boperator\s*==` },
  { files: /\.rb$/, head: String.raw`\bdef\s+(?:===?|eql\?|equal\?)` },
];

/** Values that every comparison of a test finds equal, whatever the test expects. */
export const ALWAYS_EQUAL = [
  {
    files: /\.[cm]?[jt]sx?$|\.(?:vue|svelte)$/,
    pattern: /\basymmetricMatch\b|\bjest\.asymmetricMatcher\b/,
    why: WHY,
  },
  { files: /\.py$/, pattern: /\b__(?:eq|contains)__\b.{0,80}(?:return|:) True\b/, why: WHY },
  {
    files: /\.py$/,
    pattern: /^\s*return True\s*$/,
    after: /\bdef __(?:eq|contains)__\(/,
    reach: 1,
    why: WHY,
  },
  ...OPERATORS.flatMap(({ files, head }) => [
    { files, pattern: TRUE_LINE, after: new RegExp(head), reach: 2, why: WHY },
    { files, pattern: new RegExp(`${head}.{0,200}${TRUE_BODY}`), why: WHY },
  ]),
];
