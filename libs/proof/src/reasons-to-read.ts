import { patchedPath, readPatch } from '#kernel';

const CODE = /\.(?:[cm]?[jt]sx?|vue|svelte|py|go|rs|java|kts?|scala|groovy|rb|php|cs|swift|c|h|cc|cpp|hpp|sh)$/i;
const COMMENT = /^\s*(?:\/\/|\/?\*|#(?!\[))/;
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
  /^\s*(?:import|from)\s+(?:os|sys|inspect|atexit|builtins|ctypes|gc|time|datetime|random|socket|subprocess|signal|threading|traceback|unittest|pytest|pathlib)\b/,
  /\b(?:os|sys|runtime|syscall|unsafe|reflect|flag|testing|atexit|signal)\.\w|\btime\.(?:Now|time)\b|^func init\(/,
  /\bstd::(?:env|process|fs|time|panic)\b|\bcfg!|#!?\[cfg|\bSystem\.\w|\bRuntime\b|\bat_exit\b|\bENV\b|\bKernel\b|\bexit!?\s*\(/,
];

export interface ReadingFacts {
  /** What changed in code, as text. */
  readonly patch: string;
  /** Whether a part of the patch is missing. */
  readonly isCut: boolean;
  readonly files: readonly { readonly path: string; readonly status: string }[];
  readonly isTest: (path: string) => boolean;
  readonly isDocument: (path: string) => boolean;
}

/**
 * Why an independent agent should read a change although checks and tests pass: it has more ways to pass them than to
 * do the work. Each is a file with a line of it. Honest changes have such lines too: this is no verdict.
 */
export function findReasonsToRead({ patch, isCut, files, isTest, isDocument }: ReadingFacts): readonly string[] {
  const others = files.filter(({ path, status }) => {
    if (isTest(path) || isDocument(path)) return false;
    return status === 'deleted' || !CODE.test(path);
  });
  const reasons = [
    ...(isCut ? ['The change is too long for the service to read.'] : []),
    ...others.map(({ path, status }) => `${path} is ${status}`),
    ...readPatch(patch).flatMap((file) => {
      const path = patchedPath(file);
      if (!CODE.test(path) || isTest(path)) return [];
      const removed = new Set(file.hunks.flat().flatMap(({ kind, text }) => (kind === '-' ? [text.trim()] : [])));
      return file.hunks
        .flat()
        .filter(({ kind, text }) => kind === '+' && !removed.has(text.trim()) && needsReader(text))
        .map(({ text }) => `${path}: ${text.trim().slice(0, LONGEST_SHOWN)}`);
    }),
  ];
  return [...new Set(reasons)].slice(0, MOST_REASONS);
}

function needsReader(text: string): boolean {
  if (text.length > LONGEST_LINE) return true;
  return !COMMENT.test(text) && [...DECIDES, ...REACHES_OUT].some((sign) => sign.test(text));
}
