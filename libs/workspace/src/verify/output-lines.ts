/** No summary of a test runner is longer; longer lines are dumps of data, and not worth a look. */
const LONGEST_LINE = 500;

/** Escape sequences of terminals: colours and the like, and titles and links. */
const ESCAPES = new RegExp(
  String.raw`[\u001b\u009b](?:\[[0-9;?]{0,32}[ -/]{0,4}[@-~]|\][^\u0007\u001b]{0,200}(?:\u0007|\u001b\\)|[@-Z\\-_])`,
  'g',
);

export const withoutEscapes = (text: string): string => text.replace(ESCAPES, '');

/** The lines of an output without colours. One pass, whatever the output is: it may be ten megabytes without an end of line. */
export function* linesOf(output: string): Generator<string> {
  let start = 0;
  while (start <= output.length) {
    const newline = output.indexOf('\n', start);
    const end = newline < 0 ? output.length : newline;
    // Colours are no part of the length, but a bound holds for what is looked at.
    if (end - start <= 4 * LONGEST_LINE) {
      const line = withoutEscapes(output.slice(start, end)).trimEnd();
      if (line.length <= LONGEST_LINE) yield line;
    }
    start = end + 1;
  }
}
