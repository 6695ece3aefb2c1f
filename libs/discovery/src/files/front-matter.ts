import { isMap, parseDocument } from 'yaml';
import { errorMessage } from '#kernel';
import type { Fields } from './fields.js';

/** Several times what people write: reading YAML takes long for each odd character. */
const MOST_CHARS = 8_192;
/** Nobody repeats himself so often in a few lines; a bomb needs thousands. */
const MOST_ALIASES = 20;

export interface FrontMatter {
  readonly fields: Fields;
  readonly body: string;
  readonly warnings: readonly string[];
}

const NONE: Fields = new Map();

/** The YAML between the first two lines of `---`, and what follows. Never throws: what is odd is a warning. */
export function frontMatterOf(file: string): FrontMatter {
  const text = file.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
  const parts = split(text);
  if (parts === null) return { fields: NONE, body: text, warnings: ['has no front matter'] };
  const { yaml, body } = parts;
  if (yaml.length > MOST_CHARS) {
    return { fields: NONE, body, warnings: [`has a front matter of more than ${String(MOST_CHARS)} characters`] };
  }
  const first = read(yaml);
  if (first.fault === null) return { fields: first.fields, body, warnings: first.warnings };
  const again = read(quoted(yaml));
  const warnings = again.fault === null ? again.warnings : [];
  const fault = `has a front matter that is no YAML: ${first.fault}`;
  return { fields: again.fields, body, warnings: [fault, ...warnings] };
}

function split(text: string): { yaml: string; body: string } | null {
  const begin = text.indexOf('\n') + 1;
  if (begin === 0 || text.slice(0, begin).trimEnd() !== '---') return null;
  for (let at = begin; at < text.length;) {
    const newline = text.indexOf('\n', at);
    const end = newline < 0 ? text.length : newline;
    if (text.startsWith('---', at) && text.slice(at, end).trimEnd() === '---') {
      return { yaml: text.slice(begin, at), body: text.slice(end + 1) };
    }
    at = end + 1;
  }
  return null;
}

interface Reading {
  readonly fields: Fields;
  readonly fault: string | null;
  readonly warnings: readonly string[];
}

/** Into a Map, where a key such as `__proto__` is a key like any other. */
function read(yaml: string): Reading {
  try {
    // Looking for keys that come twice takes time with the square of their number; counting them does not.
    const document = parseDocument(yaml, {
      schema: 'core',
      uniqueKeys: false,
      prettyErrors: false,
      logLevel: 'silent',
    });
    const [fault] = document.errors;
    if (fault) return { fields: NONE, fault: firstLine(fault.message), warnings: [] };
    const value: unknown = document.toJS({ maxAliasCount: MOST_ALIASES, mapAsMap: true });
    if (!(value instanceof Map)) return { fields: NONE, fault: 'it is no list of keys and values', warnings: [] };
    const hasTwice = isMap(document.contents) && document.contents.items.length > value.size;
    return { fields: value, fault: null, warnings: hasTwice ? ['has a key twice: the last one counts'] : [] };
  } catch (error) {
    return { fields: NONE, fault: firstLine(errorMessage(error)), warnings: [] };
  }
}

/**
 * `description: Use it when: …` is what people write and no YAML. Such values are put in quotes, with the indented
 * lines that go on with them.
 */
function quoted(yaml: string): string {
  const lines: string[] = [];
  let open: { key: string; value: string } | null = null;
  const close = (): void => {
    if (open) lines.push(`${open.key}: ${JSON.stringify(open.value)}`);
    open = null;
  };
  for (const line of yaml.split('\n')) {
    const [, key, value] = /^([\w-]+):[ \t]+(\S.*)$/.exec(line) ?? [];
    if (open !== null && /^[ \t]+\S/.test(line)) {
      open = { key: open.key, value: `${open.value} ${line.trim()}` };
      continue;
    }
    close();
    if (key !== undefined && value !== undefined && needsQuotes(value.trimEnd())) {
      open = { key, value: value.trimEnd() };
    } else lines.push(line);
  }
  close();
  return lines.join('\n');
}

const needsQuotes = (value: string): boolean => {
  const [first = '', last = ''] = [value[0], value.at(-1)];
  const isQuoted = value.length > 1 && first === last && (first === '"' || first === "'");
  return !isQuoted && !'|>'.includes(first) && !(first === '[' && last === ']') && /[:#@`%&*!?{}"']/.test(value);
};

const firstLine = (text: string): string => text.split('\n', 1)[0] ?? '';
