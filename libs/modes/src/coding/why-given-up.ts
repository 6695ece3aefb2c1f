/** What a person reads of a problem that attempts have not mended: each thing once, however many places say it. */
export interface GivenUp {
  readonly message: string;
  readonly why: string;
}

const LONGEST_OUTPUT = 4_000;
const STILL = 'still failing: ';

export function whyGivenUp(title: string, attempts: number, why: string | null, output: string): GivenUp {
  const { what, because } = saidApart(title, why ?? 'it changed nothing');
  const count = attempts === 1 ? '1 attempt' : `${String(attempts)} attempts`;
  // A title may be a sentence of its own.
  const message = `${what.replace(/\.$/, '')}: ${count} failed, the last one because ${because}`;
  const rest = unsaid(output, message).slice(-LONGEST_OUTPUT);
  return { message, why: rest === '' ? message : `${message}\n\n${rest}` };
}

/** A title may be cut short: the attempt says the whole of it then. */
function saidApart(title: string, why: string): { readonly what: string; readonly because: string } {
  const [before, failing] = why.split(STILL, 2);
  if (before === undefined || !failing?.startsWith(title.replace(/…$/, ''))) return { what: title, because: why };
  return { what: failing, because: `${before}it still fails` };
}

/** An output begins with its reason where the check itself gave one, and that is in the title. */
function unsaid(output: string, message: string): string {
  const lines = output.split('\n');
  const from = lines.findIndex((line) => !message.includes(line.trim()));
  return from < 0 ? '' : lines.slice(from).join('\n');
}
