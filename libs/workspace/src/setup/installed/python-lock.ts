import { jsonObject, recordOf, textIn } from '../plain-file.js';

export interface PythonLock {
  /** By normalised name. Not needed: only on other machines, or only with extras. */
  readonly packages: ReadonlyMap<string, { readonly versions: readonly string[]; readonly isNeeded: boolean }>;
  /** The repository's own packages, which are installed beside them. */
  readonly own: readonly string[];
  /** Whether all that may be installed is named, the repository itself included. */
  readonly isComplete: boolean;
}

/** `Foo_Bar` and `foo.bar` are the same distribution. */
export const pythonName = (name: string): string => name.toLowerCase().replace(/[-_.]+/g, '-');

/** What a lock file asks for; a sentence where it cannot be compared with an environment. */
export function pythonLock(tool: 'uv' | 'poetry' | 'pipenv' | 'pip', text: string): PythonLock | string {
  switch (tool) {
    case 'uv':
      return ofToml(text, needsWithoutCondition(text));
    case 'poetry':
      // The repository itself is installed too, and its name is not in the lock file.
      return ofToml(text, null);
    case 'pipenv':
      return ofPipfile(text);
    case 'pip':
      return ofRequirements(text);
  }
}

type Packages = Map<string, { versions: string[]; isNeeded: boolean }>;

function add(packages: Packages, name: string, version: string, isNeeded: boolean): void {
  const key = pythonName(name);
  const known = packages.get(key);
  // Several versions of one name: which of them is for this machine is said by conditions.
  packages.set(key, { versions: [...(known?.versions ?? []), version], isNeeded: known ? false : isNeeded });
}

/** uv and poetry: one `[[package]]` each. No parser for TOML: both are written by their tools, one value per line. */
function ofToml(text: string, always: ReadonlySet<string> | null): PythonLock {
  const packages: Packages = new Map();
  const own: string[] = [];
  for (const part of text.split(/^\[\[package\]\]$/m).slice(1)) {
    const name = /^name = "([^"]+)"/m.exec(part)?.[1];
    const version = /^version = "([^"]+)"/m.exec(part)?.[1];
    if (name === undefined) continue;
    if (/^source = \{ (?:virtual|editable|directory|path) = /m.test(part)) own.push(pythonName(name));
    else if (version !== undefined) {
      const isConditional = /^(?:optional = true|markers? = )/m.test(part) || (always !== null && !always.has(name));
      add(packages, name, version, !isConditional);
    }
  }
  return { packages, own, isComplete: always !== null };
}

/** In uv's lock files conditions are on the side of who needs a package: the names that somebody needs without one. */
function needsWithoutCondition(text: string): ReadonlySet<string> {
  const needs = [...text.matchAll(/^ {4}\{ name = "([^"]+)"(.{0,500})\},?$/gm)];
  return new Set(needs.filter(([, , rest = '']) => !rest.includes('marker =')).map(([, name = '']) => name));
}

function ofPipfile(text: string): PythonLock | string {
  const packages: Packages = new Map();
  const lock = jsonObject(text);
  for (const part of ['default', 'develop']) {
    for (const [name, value] of Object.entries(recordOf(lock[part]))) {
      const { version, markers } = recordOf(value);
      const pinned = /^==(\S+)$/.exec(textIn(version) ?? '')?.[1];
      if (pinned === undefined) return `Pipfile.lock names no version of ${name}`;
      const known = packages.get(pythonName(name));
      if (!known?.versions.includes(pinned)) add(packages, name, pinned, !isAboutMachine(textIn(markers)));
    }
  }
  return { packages, own: [], isComplete: true };
}

/** Conditions on the version of Python hold where the environment was made; others may not. */
const isAboutMachine = (markers: string | null): boolean =>
  markers !== null && /platform|os_name|implementation/.test(markers);

const COMMENT = /(?:^|\s)#.*$/;
const PIN = /^([A-Za-z0-9][\w.-]{0,200})(?:\[[^\]]{0,200}\])? ?== ?([\w.!+-]{1,100})( ?;.*)?$/;

/** A requirements file is a lock file only where every line names one version. */
function ofRequirements(text: string): PythonLock | string {
  const packages: Packages = new Map();
  const lines = text.replace(/\\\r?\n/g, ' ').split(/\r?\n/);
  for (const line of lines) {
    const plain = line.replace(COMMENT, '').split('--hash=')[0]?.trim() ?? '';
    if (plain === '') continue;
    const [, name, version, condition] = PIN.exec(plain) ?? [];
    if (name === undefined || version === undefined) return `requirements.txt pins no version: ${plain.slice(0, 100)}`;
    add(packages, name, version, condition === undefined);
  }
  return { packages, own: [], isComplete: false };
}
