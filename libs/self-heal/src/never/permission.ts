/**
 * Errors by which the environment refuses, in the shapes in which systems and tools print them; each has a part that a
 * sentence about permissions has not: an error's number, a system call, the name of the tool that begins the line. The
 * bare words are not looked for: tests are called after them, and programs answer them to their users.
 */
const REFUSALS: readonly RegExp[] = [
  // Node: the code, the words and the system call.
  /\b(?:EACCES: permission denied|EPERM: operation not permitted), [a-z_]{2,20}\b/,
  /\b(?:listen|connect|spawn|bind) (?:EACCES|EPERM)\b/,
  // Python and Rust: the number of the error.
  /\bPermissionError: \[(?:Errno (?:1|13)|WinError 5)\]/,
  /\b(?:Permission denied|Operation not permitted) \(os error (?:1|13)\)/,
  // Go: a system call and what it was about.
  /\b(?:open|mkdir|fork\/exec|stat|unlinkat|remove|rename|chmod|bind|listen tcp) [^\s:]{1,300}: permission denied$/,
  // Shells and their tools begin with their name and end with the words.
  /^(?:\/bin\/|\/usr\/bin\/)?(?:sh|bash|zsh|dash|mkdir|cp|mv|rm|touch|cat|ls|ln|chmod|chown|tee|install|make|env|find|tar)(?:\[\d{1,3}\])?: .{0,300}: (?:Permission denied|Operation not permitted)$/,
  /^npm (?:ERR!|error) code (?:EACCES|EPERM)$/,
  /\bPermission denied \(publickey/,
  /permission denied while trying to connect to the docker/i,
  // Postgres, where the message begins: rights of a role are given by a person.
  /^(?:\w{0,30}error|ERROR|FATAL|psql:.{0,200}): {1,2}(?:permission denied (?:for|to)|must be owner of) \w/i,
];

/** Names of tests, and what an assertion compares: there the words are quoted, and nothing was refused. */
const QUOTED =
  /^(?:[✖✗×✓✔√●▶✘]|not ok|ok \d|FAIL|PASS|--- |=== |test |\d{1,9}\) |[-+] ?['"`\w]|E {3,}(?:assert|AssertionError))|\b(?:AssertionError|[Ee]xpected|[Rr]eceived|[Aa]ctual|toThrow|toBe|toEqual|to (?:equal|throw|include|match))\b/;

export const isRefusal = (line: string): boolean =>
  !QUOTED.test(line) && REFUSALS.some((refusal) => refusal.test(line));
