import { cleanLine } from './plain-text.js';

const MANIFEST = /(?:^|\/)(?:package\.json|pyproject\.toml|setup\.cfg|go\.mod|Cargo\.toml|pom\.xml)$/;
const LONGEST_LINE = 240;
const LONGEST_NAME = 80;
const MOST_SCRIPTS = 30;
const MOST_ENTRY_POINTS = 20;
const MOST_TARGETS = 4;
const DEEPEST_TARGET = 6;

type Fields = Readonly<Record<string, unknown>>;

export const isManifest = (path: string): boolean => MANIFEST.test(path);

/** Name and description of a package in one line; only the path if it has neither. */
export function summarizeManifest(path: string, text: string): string {
  const shown = cleanLine(path, LONGEST_LINE / 2);
  const fields = isPackageJson(path) ? parseFields(text) : null;
  const name = fields ? readText(fields, 'name') : findName(path, text);
  const description = fields ? readText(fields, 'description') : '';
  const about = [name, description].filter((part) => part !== '').join(' - ');
  return about === '' ? shown : cleanLine(`${shown}: ${about}`, LONGEST_LINE);
}

/** What a manifest in the root says: of package.json also its entry points and scripts. */
export function describeManifest(path: string, text: string): readonly string[] {
  if (!isPackageJson(path)) return [summarizeManifest(path, text)];
  const fields = parseFields(text);
  if (fields === null) return [`${path}: not a JSON object`];
  return [summarizeManifest(path, text), ...describeFields(fields)].map((line) => cleanLine(line, LONGEST_LINE));
}

const isPackageJson = (path: string): boolean => path === 'package.json' || path.endsWith('/package.json');

function describeFields(fields: Fields): readonly string[] {
  const plain = ['type', 'main', 'module', 'types'].flatMap((key) => labelled(key, [readText(fields, key)]));
  const scripts = entriesOf(fields['scripts']).flatMap(([name, command]) =>
    labelled(`script ${name}`, targetsOf(command)),
  );
  scripts.sort((one, other) => Number(isTestScript(other)) - Number(isTestScript(one)));
  const workspaces = entriesOf(fields['workspaces']).find(([key]) => key === 'packages')?.[1] ?? fields['workspaces'];
  return [
    ...plain,
    ...describeEntryPoints('bin', fields['bin']),
    ...describeEntryPoints('exports', fields['exports']),
    ...labelled('workspaces', targetsOf(workspaces)),
    ...scripts.slice(0, MOST_SCRIPTS),
  ];
}

const isTestScript = (line: string): boolean => line.startsWith('script test:');

function describeEntryPoints(field: string, value: unknown): readonly string[] {
  if (typeof value === 'string' || Array.isArray(value)) return labelled(field, targetsOf(value));
  const entries = entriesOf(value).slice(0, MOST_ENTRY_POINTS);
  return entries.flatMap(([name, target]) => labelled(`${field} ${name}`, targetsOf(target)));
}

function labelled(label: string, values: readonly string[]): readonly string[] {
  const given = values.filter((value) => value !== '');
  return given.length === 0 ? [] : [`${cleanLine(label, LONGEST_NAME)}: ${given.join(', ')}`];
}

/** The files that an entry point leads to under its conditions (import, require, types…). */
function targetsOf(value: unknown, depth = 0): readonly string[] {
  if (typeof value === 'string') return [cleanLine(value, LONGEST_LINE)];
  if (depth > DEEPEST_TARGET) return [];
  const targets = entriesOf(value).flatMap(([, inner]) => targetsOf(inner, depth + 1));
  return [...new Set(targets)].slice(0, MOST_TARGETS);
}

const entriesOf = (value: unknown): readonly (readonly [string, unknown])[] =>
  typeof value === 'object' && value !== null ? Object.entries(value) : [];

function parseFields(text: string): Fields | null {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}

function readText(fields: Fields, key: string): string {
  const value = fields[key];
  return typeof value === 'string' ? cleanLine(value, LONGEST_LINE) : '';
}

function findName(path: string, text: string): string {
  if (path.endsWith('pom.xml')) return findArtifact(text);
  if (path.endsWith('go.mod')) return findInSections(text, [''], /^module\s+(\S+)/);
  return findInSections(text, ['project', 'tool.poetry', 'package', 'metadata'], /^name\s*=\s*["']?([^"'\s]+)/);
}

/** The first match in one of these sections of an INI or TOML file; '' is the section before the first heading. */
function findInSections(text: string, sections: readonly string[], pattern: RegExp): string {
  let section = '';
  for (const line of text.split('\n')) {
    section = /^\[([^[\]]+)\]/.exec(line)?.[1]?.trim() ?? section;
    const name = sections.includes(section) ? pattern.exec(line)?.[1] : undefined;
    if (name !== undefined) return cleanLine(name, LONGEST_NAME);
  }
  return '';
}

/** The project's own artifact comes after that of its parent. */
function findArtifact(text: string): string {
  const hasParent = text.includes('<parent>');
  const own = hasParent ? (text.split('</parent>', 2)[1] ?? '') : text;
  const artifact = own.split('<artifactId>', 2)[1]?.split('</artifactId>', 1)[0] ?? '';
  return cleanLine(artifact, LONGEST_NAME);
}
