/**
 * How programs say that a thing is missing. The first group is its name. Outputs are hostile: each pattern takes time in
 * proportion to the line, so every repetition has a greatest length.
 */
interface AbsenceSign {
  readonly pattern: RegExp;
  readonly read?: (name: string) => string | null;
}

const QUOTE = `['"\`‘’]`;
const IDENTIFIER = String.raw`[\p{L}_$][\p{L}\p{N}_$]{0,99}`;
const sign = (pattern: string, read?: AbsenceSign['read']): AbsenceSign => ({
  pattern: new RegExp(pattern, 'u'),
  ...(read && { read }),
});

/** `(0 , _sum.sub)` and `s.sub` name `sub`; a value such as `undefined` names nothing. */
function lastIdentifier(expression: string): string | null {
  const name = new RegExp(`(${IDENTIFIER})\\)?$`, 'u').exec(expression.replace(/\(\.\.\.\)$/, ''))?.[1] ?? null;
  return name === null || ['undefined', 'null', 'value', 'object'].includes(name) ? null : name;
}

const pythonFile = (module: string): string => `${module.replaceAll('.', '/')}.py`;
const rustName = (path: string): string | null => path.split('::').at(-1) ?? null;

/** Modules and files: what a diff adds as a file. */
const FILES: readonly AbsenceSign[] = [
  sign(String.raw`\bCannot find module ${QUOTE}((?:\.|/|file:|[A-Za-z]:\\)[^'"]{0,300})${QUOTE}`),
  sign(String.raw`\bFailed to load url ((?:\.|/)\S{1,300}) \(`),
  sign(String.raw`\bFailed to resolve import ${QUOTE}((?:\.|/)[^'"]{1,300})${QUOTE}`),
  sign(String.raw`\bCould not resolve ${QUOTE}((?:\.|/)[^'"]{1,300})${QUOTE}`),
  sign(String.raw`\bPackage subpath ${QUOTE}(\./[^'"]{1,300})${QUOTE} is not defined`),
  sign(String.raw`\bNo module named ${QUOTE}([\w.]{1,200})${QUOTE}`, pythonFile),
  sign(String.raw`\bENOENT: no such file or directory, \w{1,20} ${QUOTE}([^'"]{1,300})${QUOTE}`),
  sign(String.raw`\bNo such file or directory: ${QUOTE}([^'"]{1,300})${QUOTE}`),
  sign(String.raw`\bcan't open file ${QUOTE}([^'"]{1,300})${QUOTE}`),
  sign(String.raw`^Could not find ${QUOTE}([^'"]{1,300})${QUOTE}$`),
  sign(String.raw`\bfile or directory not found: (\S{1,300})$`),
  sign(
    String.raw`^(?:[\w./-]{1,100}: ){1,3}(?:line \d{1,6}: )?(?:cannot (?:open|access|stat) )?${QUOTE}?([^\s:'"]{1,300})${QUOTE}?: (?:No such file or directory|No such file)$`,
  ),
  sign(
    String.raw`^(?:[\w./-]{1,100}: )(?:line )?(?:\d{1,6}: )?(\.{1,2}/[^\s:]{1,300}): (?:not found|No such file or directory)$`,
  ),
];

/** Names: what a diff adds in a line. */
const NAMES: readonly AbsenceSign[] = [
  sign(String.raw`\bdoes not provide an export named ${QUOTE}(${IDENTIFIER})`),
  sign(String.raw`\bNamed export ${QUOTE}(${IDENTIFIER})${QUOTE} not found`),
  sign(String.raw`\bNo matching export in .{1,300} for import ${QUOTE}(${IDENTIFIER})`),
  sign(String.raw`\bhas no exported member(?: named)? ${QUOTE}(${IDENTIFIER})`),
  sign(String.raw`\bProperty ${QUOTE}(${IDENTIFIER})${QUOTE} does not exist on type\b`),
  sign(String.raw`\bCannot find name ${QUOTE}(${IDENTIFIER})`),
  sign(
    String.raw`(?:^|[:'"] ?)([^\s'":](?:[^'":]{0,150}[^\s'":])?) is not a (?:function|constructor)\b`,
    lastIdentifier,
  ),
  sign(String.raw`\bReferenceError: (${IDENTIFIER}) is not defined\b`),
  sign(
    String.raw`\bCannot (?:read|set) propert(?:y|ies) of (?:undefined|null) \((?:reading|setting) '(${IDENTIFIER})'\)`,
  ),
  sign(String.raw`\bCannot destructure property '(${IDENTIFIER})'`),
  sign(String.raw`\bcannot import name ${QUOTE}(${IDENTIFIER})`),
  sign(String.raw`\bAttributeError: .{1,200} has no attribute ${QUOTE}(${IDENTIFIER})`),
  sign(String.raw`\bNameError: name ${QUOTE}(${IDENTIFIER})${QUOTE} is not defined`),
  sign(String.raw`\bgot an unexpected keyword argument ${QUOTE}(${IDENTIFIER})`),
  sign(String.raw`:\d{1,7}:\d{1,7}: undefined: ([\w.]{1,200})$`, lastIdentifier),
  sign(String.raw`:\d{1,7}:\d{1,7}: ([\w.]{1,200}) undefined \(type `, lastIdentifier),
  sign(
    '^error(?:\\[E\\d{4}\\])?: cannot find \\w{1,30}(?:, \\w{1,20} or \\w{1,20}|/\\w{1,20})* `([\\w:]{1,200})`',
    rustName,
  ),
  sign('^error(?:\\[E\\d{4}\\])?: unresolved import `([\\w:]{1,200})`', rustName),
  sign('^error(?:\\[E\\d{4}\\])?: no .{1,60}? (?:named )?`(\\w{1,200})`'),
  sign(String.raw`\bsymbol: {1,5}(?:method|class|variable|interface|enum) (\w{1,200})`),
  sign(String.raw`\bMissing script: ${QUOTE}?([\w:.-]{1,100})`),
  sign(String.raw`^error: script ${QUOTE}([\w:.-]{1,100})${QUOTE} not found`),
  sign('^error(?:\\[E\\d{4}\\])?: failed to resolve: .{1,60}? `([\\w:]{1,200})`', rustName),
  sign(String.raw`\bNo rule to make target ${QUOTE}([\w./-]{1,200})`),
  sign(String.raw`\bNo such command ${QUOTE}([\w:.-]{1,100})`),
  sign(String.raw`\b[Uu]nknown command:? ${QUOTE}?([\w:.-]{1,100})`),
  sign(String.raw`\binvalid choice: ${QUOTE}([\w:.-]{1,100})`),
  sign(
    String.raw`\b(?:[Uu]nknown|[Uu]nrecognized|[Ii]nvalid|[Ii]llegal|[Nn]o such|bad) (?:option|argument|arguments|flag):? ${QUOTE}?(--?[\w-]{1,100})`,
  ),
  sign(String.raw`\bunexpected argument ${QUOTE}(--?[\w-]{1,100})`),
  sign(String.raw`\bflag provided but not defined: (--?[\w-]{1,100})`),
  sign(String.raw`\bCannot (?:GET|POST|PUT|PATCH|DELETE|HEAD) (/[\w./:-]{0,200})`),
  sign(String.raw`\b404\b.{0,40}\b(?:GET|POST|PUT|PATCH|DELETE|HEAD) (/[\w./:-]{1,200})`),
];

const SIGNS: readonly AbsenceSign[] = [...FILES, ...NAMES];
const MOST_NAMES = 50;

/** What the lines say is missing, each name once. Paths of installed packages are left out: no diff adds those. */
export function findMissingNames(lines: readonly string[]): readonly string[] {
  const names = new Set<string>();
  for (const line of lines) {
    const name = missingNameIn(line);
    if (name !== null && !isInstalled(name)) names.add(name);
    if (names.size === MOST_NAMES) break;
  }
  return [...names];
}

function missingNameIn(line: string): string | null {
  for (const { pattern, read } of SIGNS) {
    const found = pattern.exec(line)?.[1];
    if (found === undefined) continue;
    const name = read ? read(found) : found;
    if (name !== null && name !== '') return name;
  }
  return null;
}

export const isInstalled = (path: string): boolean =>
  /(?:^|\/)(?:node_modules|site-packages|\.venv|vendor)\//.test(path);
