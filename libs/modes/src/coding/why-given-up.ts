/** What a person reads of a problem that no attempt fixed: each thing once. */
export interface GivenUp {
  /** What fails, how often it was tried, and what is special about the last attempt. */
  readonly message: string;
  readonly why: string;
}

const LONGEST_OUTPUT = 4_000;
const STILL = 'still failing: ';
const UNCHANGED = 'nothing was changed';

export function whyGivenUp(
  title: string,
  attempts: number,
  why: string | null,
  output: string,
  isCheck = false,
): GivenUp {
  const { what, last } = splitReason(title, why ?? UNCHANGED);
  const message = [describeProblem(what, attempts, isCheck), ...(last === null ? [] : [last])].join(' ');
  const rest = unsaid(output, message).slice(-LONGEST_OUTPUT);
  return { message, why: rest === '' ? message : `${message}\n\n${rest}` };
}

/** What comparing two verifications says about a whole command. */
const ABOUT_COMMAND = /: (?:ended by|fails with|no longer says|\d+ tests fail)/;

/** A sentence stays as it is; the name of a test or check becomes one. */
function describeProblem(what: string, attempts: number, isCheck: boolean): string {
  const count = attempts === 1 ? '1 attempt' : `${String(attempts)} attempts`;
  const [, name = what, more] = /^(.*?)(?: \(and (\d+) more\))?$/s.exec(what) ?? [];
  if (/[.!?…]$/.test(name) || ABOUT_COMMAND.test(name)) {
    const others = more === undefined ? '' : ` (And ${more} more.)`;
    return `${name.replace(/(?<![.!?…])$/, '.')}${others} ${count} did not fix it.`;
  }
  const kind = isCheck ? 'check' : 'test';
  return more === undefined
    ? `The ${kind} "${name}" still fails after ${count}.`
    : `The ${kind} "${name}" and ${more} more still fail after ${count}.`;
}

interface Reason {
  readonly what: string;
  /** A sentence about the last attempt; null if it only failed in the same way. */
  readonly last: string | null;
}

/** A title may be cut short: the attempt says the whole of it then. */
function splitReason(title: string, why: string): Reason {
  if (why === UNCHANGED) return { what: title, last: 'The last attempt changed nothing.' };
  const [before = '', failing] = why.split(STILL, 2);
  if (failing === undefined) return { what: title, last: `The last attempt failed: ${toEnd(why)}` };
  const changed = before.startsWith(UNCHANGED) ? 'The last attempt changed nothing.' : null;
  const known = title.replace(/ \(and \d+ more\)$/, '').replace(/…$/, '');
  if (!failing.startsWith(known)) return { what: title, last: changed ?? `This fails now: ${toEnd(failing)}` };
  return { what: title.endsWith('…') ? failing : title, last: changed };
}

const toEnd = (text: string): string => `${text.replace(/[.\s]+$/, '')}.`;

/** An output begins with its reason if the check itself gave one, and that is in the title. */
function unsaid(output: string, message: string): string {
  const lines = output.split('\n');
  const from = lines.findIndex((line) => !message.includes(line.trim()));
  return from < 0 ? '' : lines.slice(from).join('\n');
}
