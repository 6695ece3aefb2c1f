import { cleanLine, cleanText } from '../clean-text.js';

/** One line of somebody else's words: nothing in it is markdown, neither in a list nor in a cell of a table. */
export const inline = (text: string, most = 200): string =>
  cleanLine(text, most)
    .replaceAll(/[\\`*[\]<>|#~]/g, '\\$&')
    // What would begin a list or underline a heading.
    .replace(/^(?:[-+=]|\d{1,9}(?=[.)]))/, (mark) => (/\d/.test(mark) ? `${mark}\\` : `\\${mark}`));

/** Many lines of somebody else's words, set as they are: indented, so that nothing in them is a part of the page. */
export const block = (text: string, most: number, within: 'page' | 'bullet' = 'page'): readonly string[] => {
  const indent = within === 'page' ? '    ' : '      ';
  const clean = cleanText(text, most);
  return clean === '' ? [] : clean.split('\n').map((line) => (line.trim() === '' ? '' : `${indent}${line}`));
};

/** About one review. */
export const MOST_NOTES = 20;

export const simulatedNote = (isSimulated: boolean): readonly string[] =>
  isSimulated ? ['**Done by a simulated model.**', ''] : [];

export const pageOf = (lines: readonly string[]): string => `${lines.join('\n')}\n`;

/** As a person would say it: `0.9`, not `0.9000000000000001`. */
export const shortNumber = (value: number): string => String(Math.round(value * 100) / 100);
