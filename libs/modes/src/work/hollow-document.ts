/** Lines that stand for something that is still to be written. */
const PLACEHOLDER =
  /^[\W_]*(?:to\s?do|tbd|tba|fixme|xxx|placeholder|lorem ipsum\b.*|coming soon|to be (?:written|done|added|filled(?: in)?|defined|continued)|content goes here|insert .{0,60} here|write .{0,60} here|add .{0,60} here|n\/?a|…|\.{3})(?:[\W_].*)?$/iu;
const HEADING = /^\s{0,3}#{1,6}(?:\s|$)|^\s*[=~^"*+_.-]{3,}\s*$/u;
const LETTERS = /[\p{L}\p{N}]/gu;
/** A sentence. What is shorter says nothing that the name of its file did not say. */
const LEAST_LETTERS = 20;
/** Whoever has said nothing by then does not either. */
const READ = 100_000;

/** Why a document says nothing; null where it may. It finds carelessness, not malice: whether it is good others judge. */
export function hollowDocument(whole: string): string | null {
  const text = whole.slice(0, READ);
  if (text.trim() === '') return 'it is empty';
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  const body = lines.filter((line) => !HEADING.test(line));
  if (body.length === 0) return 'it has headings and nothing below them';
  const said = body.filter((line) => !PLACEHOLDER.test(line));
  if (said.length === 0) return 'it holds placeholders and nothing else';
  const letters = said.join(' ').match(LETTERS)?.length ?? 0;
  return letters < LEAST_LETTERS ? `it says next to nothing: ${String(letters)} letters` : null;
}
