import { patchedPath, type PatchLine, readPatch } from '#kernel';
import { codeOfLines } from './code-of-lines.js';
import { isGeneratedFile } from './generated-file.js';

const CODE = /\.(?:[cm]?[jt]sx?|vue|svelte|py|go|rs|java|kts?|scala|groovy|rb|php|cs|swift|c|h|cc|cpp|hpp|sh)$/i;
const MOST_REASONS = 20;
const LONGEST_SHOWN = 200;
const LONGEST_LINE = 2_000;

/**
 * Code that decides something may decide it only for the inputs of its tests, by their values, their length or their
 * shape. Code without a decision treats all inputs alike.
 */
const DECIDES: readonly RegExp[] = [
  /(?<![\w$.])(?:if|elif|unless|switch|case|when|match|cond)\b(?!\s*[:=,])/,
  /[=!]==?(?!>)|&&|\|\||\?\?|<=|>=|(?<!\?)\?(?![?.:])|\s%\s/,
  /\.(?:test|exec|match|includes|indexOf|startsWith|endsWith|has|get)\(|\bre\.(?:match|fullmatch|search)\(/,
  /\s(?:in|is|and|or|not)\s/,
  /\s[<>]\s|\.(?:replace|replaceAll|split|find|filter|at|charAt|compare|localeCompare)\(|(?<![\w$.])(?:while|try|catch|except)\b/,
];

/** Code that sees or changes where it runs may tell a test from a user, or change what the test sees. */
const REACHES_OUT: readonly RegExp[] = [
  /(?<![\w.-])(?:process|globalThis|global|window|self\.constructor|arguments\.callee)\b|\.constructor\b/,
  /\b(?:eval|exec|execfile|Function|compile|__import__|importlib|getBuiltinModule|createRequire)\s*\(/,
  /\b(?:require|import)\((?!\s*(?:'[^']*'|"[^"]*")\s*[,)])/,
  /\b(?:require\(|import\b.{0,200}\bfrom|import)\s*\(?\s*['"](?:node:)?(?:fs|os|vm|module|child_process|worker_threads|cluster|inspector|v8|async_hooks|perf_hooks|timers|test|assert)\b/,
  // A loader takes a file for code, whatever its name ends with.
  /\b(?:require\(|import\b.{0,200}\bfrom|import)\s*\(?\s*['"]\.[^'"]{0,200}\.(?![cm]?[jt]sx?['"]|json['"]|vue['"]|svelte['"]|css['"])\w{1,10}['"]/,
  /\b(?:Date|performance|Math\.random|setTimeout|setInterval|setImmediate|nextTick|queueMicrotask)\b/,
  /\.stack\b|StackTrace\b|\b__(?:dirname|filename|file|name|main|builtins|class|dict)(?:__)?\b|\bimport\.meta\b/,
  /\bprototype\b|\b__proto__\b|\b(?:setPrototypeOf|definePropert(?:y|ies)|Reflect|Proxy|Symbol|setattr|getattr|globals|locals|vars)\b/,
  /\bdef __(?:eq|ne|hash|bool|new|getattr|getattribute|instancecheck)__\b|\b__(?:eq|ne)__\b|\bvalueOf\b|\btoPrimitive\b/,
  /^\s*#.{0,200}coding[:=]/,
  /^\s*(?:import|from)\s+(?:os|sys|inspect|atexit|builtins|ctypes|gc|time|datetime|random|socket|subprocess|signal|threading|traceback|unittest|pytest|pathlib)\b/,
  /\b(?:os|sys|runtime|syscall|unsafe|reflect|flag|testing|atexit|signal)\.\w|\btime\.(?:Now|time)\b|^func init\(/,
  /\bstd::(?:env|process|fs|time|panic)\b|\bcfg!|#!?\[cfg|\bSystem\.\w|\bRuntime\b|\bat_exit\b|\bENV\b|\bKernel\b|\bexit!?\s*\(/,
];

/** Code that lies among tests or documents is easily overlooked. */
const LOADS_FROM_ASIDE =
  /\b(?:require|import|from|load|open|readFile(?:Sync)?)\b.{0,200}['"](?:[^'"]{0,200}\/)?(?:tests?|specs?|e2e|__tests__|fixtures?|docs?|documentation)\/[^'"]{1,200}['"]|^\s*(?:from|import)\s+\.{0,3}(?:\w{1,60}\.)?(?:tests?|docs?|fixtures?)\b/;

const SIGNS: readonly RegExp[] = [...DECIDES, ...REACHES_OUT, LOADS_FROM_ASIDE];

export interface ReadingFacts {
  /** What changed in code, as text. */
  readonly patch: string;
  /** Whether a part of the patch is missing. */
  readonly isCut: boolean;
  readonly files: readonly { readonly path: string; readonly status: string }[];
  readonly isTest: (path: string) => boolean;
  readonly isDocument: (path: string) => boolean;
  readonly isManifest: (path: string) => boolean;
}

/**
 * What the reader of a change is shown: with such lines and files a change has more ways to pass its checks and tests
 * than to do the work. Each is a file with a line of it. Honest changes have them too: this is no verdict. A change
 * without any is read as well, unless it is a small substitution.
 */
export function findReasonsToRead(facts: ReadingFacts): readonly string[] {
  const { patch, isCut, files, isTest, isDocument, isManifest } = facts;
  const others = files.filter(({ path, status }) => {
    if (isTest(path) || isDocument(path)) return false;
    return status === 'deleted' || !CODE.test(path) || isManifest(path);
  });
  const reasons = [
    ...(isCut ? ['The change is too long for the service to read.'] : []),
    ...others.map(({ path, status }) => `${path} is ${status}`),
    ...files.flatMap(({ path }) => (isGeneratedFile(path) && !isTest(path) ? [`${path} is a generated file`] : [])),
    ...readPatch(patch).flatMap((file) => {
      const path = patchedPath(file);
      if (!CODE.test(path) || isTest(path)) return [];
      const removed = new Set(file.hunks.flat().flatMap(({ kind, text }) => (kind === '-' ? [text.trim()] : [])));
      return file.hunks
        .flatMap((hunk) => linesToRead(path, hunk))
        .filter((text) => !removed.has(text))
        .map((text) => `${path}: ${text.slice(0, LONGEST_SHOWN)}`);
    }),
  ];
  return [...new Set(reasons)].slice(0, MOST_REASONS);
}

function linesToRead(path: string, hunk: readonly PatchLine[]): readonly string[] {
  const result = hunk.filter(({ kind }) => kind !== '-');
  const code = codeOfLines(
    path,
    result.map(({ text }) => text),
  );
  return result.flatMap(({ kind, text }, at) => {
    const isToRead =
      text.length > LONGEST_LINE || (code[at] ?? []).some((piece) => SIGNS.some((sign) => sign.test(piece)));
    return kind === '+' && isToRead ? [text.trim()] : [];
  });
}
