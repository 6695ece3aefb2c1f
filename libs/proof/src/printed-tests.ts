export type Family = 'javascript' | 'python' | 'go' | 'rust' | 'java';

/** What an output says about the tests that ran. */
export interface PrintedTests {
  /** Languages whose runners are known to speak here; empty if no known runner does. */
  readonly families: ReadonlySet<Family>;
  readonly files: readonly string[];
  /** Packages of Go and classes of Java that ran. */
  readonly packages: readonly string[];
  readonly titles: readonly string[];
  /** Languages for which each file, package or class that ran is printed. */
  readonly listsFiles: ReadonlySet<Family>;
  /** Languages for which the title of each test that passed is printed. */
  readonly listsTitles: ReadonlySet<Family>;
}

interface Sign {
  readonly family: Family;
  readonly pattern: RegExp;
  /** What the first group is. */
  readonly names: 'file' | 'package' | 'title' | 'nothing';
  /** Failures alone are printed by runners that do not list what passed. */
  readonly isOfPassed: boolean;
}

/** Tools for several packages put the name of the package before each line. */
const PREFIX = String.raw`^(?:[\w@/.-]{1,100}(?: [\w:-]{1,60})?: {1,2}|\[[\w@/-]{1,100}\]: )?`;
const TIME = String.raw`(?: \(?\d[\d.]{0,20} ?m?s\)?)?`;

const sign = (family: Family, names: Sign['names'], pattern: string, isOfPassed = true): Sign => ({
  family,
  names,
  isOfPassed,
  pattern: new RegExp(PREFIX + pattern, 'u'),
});

const SIGNS: readonly Sign[] = [
  // vitest
  sign(
    'javascript',
    'file',
    String.raw`\s{0,8}[✓✔❯×↓] (?:\|?[\w-]{1,60}\|? )?(\S{1,300}\.[cm]?[jt]sx?) \(\d{1,9} tests?\b`,
  ),
  // jest
  sign(
    'javascript',
    'file',
    String.raw`\s{0,2}(?:PASS|FAIL) {1,2}(?:[\w-]{1,60} )?(\S{1,300}\.[cm]?[jt]sx?)(?: \(\d.{0,30}\))?$`,
  ),
  // node:test, mocha, jest with names
  sign('javascript', 'title', String.raw`\s{0,80}[✓✔√] (.{1,400}?)${TIME}(?: # .{0,300})?$`),
  sign('javascript', 'title', String.raw`\s{0,80}(?:[✖×✗]|\d{1,9}\)) (.{1,400}?)${TIME}:?$`, false),
  sign('javascript', 'title', String.raw`\s{0,80}▶ (.{1,400})$`, false),
  sign('javascript', 'title', String.raw`\s{0,80}ok \d{1,9}(?: -)? (.{1,400}?)(?: # .{0,300})?$`),
  sign('javascript', 'title', String.raw`\s{0,80}not ok \d{1,9}(?: -)? (.{1,400}?)(?: # .{0,300})?$`, false),
  // pytest
  sign('python', 'file', String.raw`(\S{1,300}\.py) [.FEsxXuR]{1,200}(?: {1,200}\[ {0,3}\d{1,3}%\])?$`),
  sign('python', 'file', String.raw`(\S{1,300}\.py)::\S{1,300}.{0,100} (?:PASSED|FAILED|SKIPPED|XFAIL)\b`),
  sign('python', 'nothing', String.raw`(?:=+ )?\d{1,9} (?:passed|failed|errors?|skipped)\b.{0,100} in \d`, false),
  // unittest
  sign('python', 'title', String.raw`(\w{1,200}) \([\w.<>]{1,300}\) \.\.\. ok$`),
  sign('python', 'nothing', String.raw`Ran \d{1,9} tests? in `, false),
  sign('go', 'package', String.raw`(?:ok  |FAIL)\t(\S{1,300})\t`),
  sign('go', 'nothing', String.raw`\?   \t\S{1,300}\t\[no test files\]`, false),
  sign('go', 'title', String.raw`\s{0,80}--- PASS: (\S{1,300}) \(`),
  sign('rust', 'file', String.raw`\s{1,8}Running (?:unittests )?(\S{1,300}\.rs) \(`),
  sign('rust', 'title', String.raw`test (\S{1,300}) \.\.\. ok$`),
  sign('java', 'package', String.raw`(?:\[INFO\] )?Running ([\w$.]{1,300})$`),
];

/** TAP prints tests that a filter left out as passed ones. */
const SKIPPED = /^\s{0,80}ok \d{1,9} .{0,400} # SKIP\b/i;

const LONGEST_LINE = 500;

export function readPrintedTests(lines: readonly string[]): PrintedTests {
  const found = { file: new Set<string>(), package: new Set<string>(), title: new Set<string>() };
  const [families, listsFiles, listsTitles] = [new Set<Family>(), new Set<Family>(), new Set<Family>()];
  for (const line of lines) {
    if (line === '' || line.length > LONGEST_LINE) continue;
    for (const { family, pattern, names, isOfPassed } of SIGNS) {
      const match = pattern.exec(line.trimEnd());
      if (!match) continue;
      families.add(family);
      if (names === 'nothing') break;
      const name = match[1]?.trim() ?? '';
      if (!SKIPPED.test(line)) found[names].add(name);
      if (isOfPassed) (names === 'title' ? listsTitles : listsFiles).add(family);
      break;
    }
  }
  return {
    families,
    files: [...found.file],
    packages: [...found.package],
    titles: [...found.title],
    listsFiles,
    listsTitles,
  };
}

export function familyOf(path: string): Family | null {
  if (/\.[cm]?[jt]sx?$/.test(path)) return 'javascript';
  if (path.endsWith('.py')) return 'python';
  if (path.endsWith('.go')) return 'go';
  if (path.endsWith('.rs')) return 'rust';
  return /\.(?:java|kt|kts|groovy|scala)$/.test(path) ? 'java' : null;
}
