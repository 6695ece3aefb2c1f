/** What people read, and no program runs. */
const DOCUMENT =
  /\.(?:md|mdx|markdown|txt|text|rst|adoc|asciidoc|org|tex|csv|tsv|html?|pdf|docx?|odt|pptx?|xlsx?|svg|png|jpe?g)$/i;

export const isDocument = (path: string): boolean => DOCUMENT.test(path);

/** What is longer could not be asked for by its name. */
export const LONGEST_PATH = 500;

/** A path within the repository that a document may have; null where it leads elsewhere, or into what is git's or ours. */
export function documentPath(path: string | null): string | null {
  const clean = path?.trim().replace(/^(?:\.\/)+/, '') ?? '';
  if (clean === '' || clean.length > LONGEST_PATH || /[\p{Cc}\\]/u.test(clean)) return null;
  const parts = clean.split('/');
  const isOdd = parts.some((part) => part === '' || part === '.' || part === '..');
  const [first = ''] = parts;
  return isOdd || ['.git', '.qralph'].includes(first.toLowerCase()) ? null : clean;
}
