import { ToolRefusal } from '../tools/refusal.js';

const LONGEST_GLOB = 200;
const MOST_ALTERNATIVES = 64;

/**
 * Whether a path fits a glob with `*`, `?`, `**` and `{a,b}`. A glob without a slash is about the file's name.
 * Not made into a regular expression: with a few stars that could take for ever on a long name.
 */
export function globTest(glob: string): (path: string) => boolean {
  if (glob.length > LONGEST_GLOB) throw new ToolRefusal(`the glob is longer than ${String(LONGEST_GLOB)} characters`);
  const globs = alternativesOf(glob.replace(/^(?:\.?\/)+/, '')).map((one) => one.split('/'));
  return (path) => {
    const names = path.split('/');
    return globs.some((parts) =>
      parts.length === 1 ? fitsName(names.at(-1) ?? '', parts[0] ?? '') : fits(names, parts),
    );
  };
}

function alternativesOf(glob: string): string[] {
  let open = [glob];
  for (;;) {
    const next = open.flatMap(withFirstBraceOpened);
    if (next.length > MOST_ALTERNATIVES) {
      throw new ToolRefusal(`the glob has more than ${String(MOST_ALTERNATIVES)} alternatives`);
    }
    if (next.length === open.length) return next;
    open = next;
  }
}

function withFirstBraceOpened(glob: string): string[] {
  const brace = /\{([^{}]*,[^{}]*)\}/.exec(glob);
  if (!brace) return [glob];
  const [whole, inside = ''] = brace;
  return inside.split(',').map((one) => glob.slice(0, brace.index) + one + glob.slice(brace.index + whole.length));
}

/** `**` stands for any number of folders. Where a later part fails, only the last `**` has to take in one more. */
function fits(names: readonly string[], parts: readonly string[]): boolean {
  return walk(
    names.length,
    parts.length,
    (part) => parts[part] === '**',
    (name, part) => fitsName(names[name] ?? '', parts[part] ?? ''),
  );
}

function fitsName(name: string, pattern: string): boolean {
  const chars = [...name];
  const parts = [...pattern];
  return walk(
    chars.length,
    parts.length,
    (part) => parts[part] === '*',
    (char, part) => parts[part] === '?' || parts[part] === chars[char],
  );
}

/** Items against parts, some of which are stars that stand for any number of items. */
function walk(
  items: number,
  parts: number,
  isStar: (part: number) => boolean,
  fitsPart: (item: number, part: number) => boolean,
): boolean {
  let item = 0;
  let part = 0;
  let star = -1;
  let starItem = 0;
  while (item < items) {
    if (part < parts && isStar(part)) {
      star = part;
      starItem = item;
      part += 1;
    } else if (part < parts && fitsPart(item, part)) {
      item += 1;
      part += 1;
    } else if (star >= 0) {
      starItem += 1;
      item = starItem;
      part = star + 1;
    } else return false;
  }
  while (part < parts && isStar(part)) part += 1;
  return part === parts;
}
