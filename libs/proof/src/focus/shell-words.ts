export interface ShellWord {
  /** As the program receives it. */
  readonly text: string;
  /** As it stands in the command, with its quotes. */
  readonly raw: string;
}

/** Characters by which a shell does more than call one program with words. */
const MORE_THAN_WORDS = /[|&;<>()$`\\\n\r#!]/;
const WORD = /(?:'[^']*'|"[^"$`\\]*"|[^\s'"])+/g;
const PLAIN = /^[\w@%+=:,./-]+$/;

/** The words of a command that is one plain call; null for any other command. */
export function splitWords(command: string): readonly ShellWord[] | null {
  const outside = command.replaceAll(/'[^']*'|"[^"$`\\]*"/g, '');
  if (MORE_THAN_WORDS.test(outside) || /['"]/.test(outside)) return null;
  const words = command.match(WORD) ?? [];
  return words.map((raw) => ({ raw, text: raw.replaceAll(/'([^']*)'|"([^"]*)"/g, '$1$2') }));
}

/** One word for a POSIX shell, whatever is in it. */
export const quoteWord = (text: string): string =>
  PLAIN.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
