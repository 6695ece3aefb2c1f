import fc from 'fast-check';

/** Text that would like to be a part of the page. */
export const hostileText = fc
  .array(
    fc.constantFrom(
      ...[
        '# Heading',
        '## Proven',
        '- proven: yes',
        '| a | b |',
        '|',
        '\\',
        '\\|',
        '---',
        '===',
        '```',
        '~~~',
        '    ',
        '\t',
      ],
      ...[
        '\n',
        '\r',
        '\r\n',
        '\u2028',
        '\u0085',
        '\0',
        '\u202e',
        '\ud83d',
        '<!--',
        '<script>',
        '[x](y)',
        '1. one',
        '> quote',
        'word',
      ],
    ),
    { maxLength: 12 },
  )
  .map((all) => all.join(''));

/** Lines as markdown sees them, with what a renderer takes for a code block left out: indented below a blank line. */
export function headingsOf(page: string): string[] {
  return page.split(/\r\n|\r|\n/).filter((line) => /^ {0,3}(?:(?:[-+*]|\d{1,9}[.)]) {1,4})*#{1,6}(?: |$)/.test(line));
}

/** How many cells each row of a table has; a pipe behind an odd number of backslashes is text. */
export function cellsOf(page: string): number[] {
  const rows = page.split(/\r\n|\r|\n/).filter((line) => line.startsWith('|'));
  return rows.map((row) => row.replaceAll(/\\[^]/g, '').split('|').length - 2);
}
