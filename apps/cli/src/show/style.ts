/**
 * Styles are marked in a text with characters that no text of somebody else can hold once it is cleaned; what they come
 * out as is decided where the text is printed.
 */
const CODES = { plain: 0, bold: 1, dim: 2, red: 31, green: 32, yellow: 33 } as const;
type Style = keyof typeof CODES;

const FIRST_MARK = 0xfdd0;
const STYLES = Object.keys(CODES) as Style[];
const markOf = (style: Style): string => String.fromCharCode(FIRST_MARK + STYLES.indexOf(style));
const MARKS = /[\ufdd0-\ufdef]/g;

const styled =
  (style: Style) =>
  (text: string): string =>
    text === '' ? '' : `${markOf(style)}${text}${markOf('plain')}`;

export const bold = styled('bold');
export const dim = styled('dim');
export const red = styled('red');
export const green = styled('green');
export const yellow = styled('yellow');

/** The text as a terminal with colours takes it, or without any. */
export const rendered = (text: string, hasColor: boolean): string =>
  text.replaceAll(MARKS, (mark) => {
    const style = STYLES[mark.charCodeAt(0) - FIRST_MARK];
    return hasColor && style !== undefined ? `\u001b[${String(CODES[style])}m` : '';
  });

/** How many columns it takes, near enough: marks take none. */
export const widthOf = (text: string): number => text.replaceAll(MARKS, '').length;
