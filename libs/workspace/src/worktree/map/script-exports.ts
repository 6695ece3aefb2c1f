const DECLARATION =
  /^export\s+(?:default\s+)?(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(?:function(?:\s*\*\s*|\s+)|(?:const\s+enum|class|const|let|var|enum|interface|type|namespace|module)\s+)(?!extends\b)([\w$]+)/;
const DEFAULT_NAME = /^export\s+default\s+(?!async\b|class\b|function\b)([A-Za-z_$][\w$]*)\s*;?\s*$/;
const DEFAULT = /^export\s+default\b/;
const DESTRUCTURED = /^export\s+(?:const|let|var)\s*\{([^}]*)\}/;
const LIST = /^export\s+(?:type\s+)?\{([^}]*)(\}?)/;
const WHOLE_MODULE = /^export\s+(?:type\s+)?\*\s*(?:as\s+([\w$]+)\s+)?from\s*['"]([^'"]+)/;

const COMMONJS_LINE = /^\s*(?:(?:var|let|const)\s+)?(?:[\w$]+\s*=\s*)?(?:module\.)?exports\b/;
const COMMONJS_MEMBER = /\bexports\.([\w$]+)\s*=(?!=)/g;
const DEFINED_MEMBER = /^\s*Object\.defineProperty\((?:module\.)?exports,\s*['"]([\w$]+)['"]/;
const COMMONJS_VALUE =
  /^\s*(?:(?:var|let|const)\s+)?(?:[\w$]+\s*=\s*){0,4}module\.exports\s*=(?!=)\s*(?:exports\s*=\s*)?(.*)$/;
const NAMED_VALUE = /^(?:async\s+)?(?:function(?:\s*\*\s*|\s+)|class\s+)(?!extends\b)([\w$]+)/;
const PLAIN_NAME = /^([A-Za-z_$][\w$.]*)\s*;?\s*(?:\/\/.*)?$/;
const REQUIRED = /^require\(\s*['"]([^'"]+)['"]\s*\)\s*;?\s*$/;
const METHOD = /^(?!module\b|exports\b)([\w$]+)\.(?:prototype\.)?([\w$]+)\s*=\s*(?:async\s+)?function\b/;

const ENTRY = /^(\s*)(?:async\s+)?(?:[gs]et\s+)?\*?\s*['"]?([\w$-]+)['"]?\s*(?:[,:(]|$)/;
const INDENT = /^\s*/;

/** Reads the next lines of a list or object that began on an earlier line. Returns false after its last line. */
type Continuation = (line: string, names: string[]) => boolean;

/** Names that a JavaScript or TypeScript module exports, and methods that it puts on objects by name. */
export function scriptExports(lines: readonly string[]): string[] {
  const names: string[] = [];
  let continuation: Continuation | null = null;
  for (const line of lines) {
    if (continuation === null) continuation = readLine(line, names);
    else if (!continuation(line, names)) continuation = null;
  }
  return names.filter((name) => name !== '__esModule');
}

function readLine(line: string, names: string[]): Continuation | null {
  if (line.startsWith('export')) return readModuleExport(line, names);
  const method = METHOD.exec(line);
  if (method) names.push(`${method[1] ?? ''}.${method[2] ?? ''}`);
  const defined = DEFINED_MEMBER.exec(line)?.[1];
  if (defined !== undefined) names.push(defined);
  return COMMONJS_LINE.test(line) ? readCommonJs(line, names) : null;
}

function readModuleExport(line: string, names: string[]): Continuation | null {
  if (/^exports\b/.test(line)) return readCommonJs(line, names);
  const name = (DECLARATION.exec(line) ?? DEFAULT_NAME.exec(line))?.[1];
  const destructured = DESTRUCTURED.exec(line)?.[1];
  const list = LIST.exec(line);
  const whole = WHOLE_MODULE.exec(line);
  if (name !== undefined) names.push(name);
  else if (DEFAULT.test(line)) names.push('default');
  else if (destructured !== undefined) names.push(...splitList(destructured, ':'));
  else if (whole) names.push(whole[1] ?? `* from ${whole[2] ?? ''}`);
  else if (list) {
    names.push(...splitList(list[1] ?? '', ' as '));
    if (list[2] === '') return readList;
  }
  return null;
}

const readList: Continuation = (line, names) => {
  const [items = '', rest] = line.split('}', 2);
  names.push(...splitList(items, ' as '));
  return rest === undefined;
};

function readCommonJs(line: string, names: string[]): Continuation | null {
  names.push(...[...line.matchAll(COMMONJS_MEMBER)].map(([, name = '']) => name));
  const value = COMMONJS_VALUE.exec(line)?.[1];
  if (value === undefined) return null;
  if (value.startsWith('{')) return readObject(value, names);
  const required = REQUIRED.exec(value)?.[1];
  const name = (NAMED_VALUE.exec(value) ?? PLAIN_NAME.exec(value))?.[1];
  names.push(required === undefined ? (name ?? 'module.exports') : `* from ${required}`);
  return null;
}

/** The keys of an object literal: all on its first line, or one on each line that has the same indentation. */
function readObject(text: string, names: string[]): Continuation | null {
  const { items, isClosed } = splitObject(text);
  names.push(...items.flatMap((item) => ENTRY.exec(item.trim())?.[2] ?? []));
  if (isClosed) return null;
  let indent: number | null = null;
  return (line) => {
    const own = INDENT.exec(line)?.[0].length ?? 0;
    if (line.slice(own).startsWith('}') && own < (indent ?? own + 1)) return false;
    const entry = ENTRY.exec(line)?.[2];
    if (entry !== undefined && own === (indent ??= own)) names.push(entry);
    return true;
  };
}

/** Splits `{ a, b: [c, d] }` at the commas of its own level. */
function splitObject(text: string): { readonly items: readonly string[]; readonly isClosed: boolean } {
  const items = [''];
  let depth = 0;
  for (const char of text) {
    if ('}])'.includes(char)) depth -= 1;
    else if ('{[('.includes(char)) depth += 1;
    if (depth === 0) return { items, isClosed: true };
    if (char === ',' && depth === 1) items.push('');
    else if (char !== '{' || depth > 1) items[items.length - 1] += char;
  }
  return { items, isClosed: false };
}

/** `a, b as c, type D, ...rest, e = 1`: the names that others see. */
function splitList(text: string, renamedBy: string): string[] {
  const [code = ''] = text.split('//', 1);
  return code.split(',').flatMap((item) => {
    const renamed = item.split(renamedBy).at(-1) ?? '';
    return /^\s*(?:\.\.\.|type\s+)?([\w$]+)/.exec(renamed)?.[1] ?? [];
  });
}
