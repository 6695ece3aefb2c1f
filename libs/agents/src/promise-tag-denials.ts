const DENIES = new RegExp(
  [
    String.raw`\b(?:not|never|nor|neither|cannot|unless|until|hardly|false|untrue|incorrect|incomplete|unfinished)\b`,
    String.raw`\b(?:unable|unwilling|refus\w*|declin\w*|deny|denies|denied|retract\w*|withdraw\w*|premature|pretend\w*)\b`,
    String.raw`n['’]t\b|\b(?:ca|wo|do|does|did|is|are|was|were|has|have|had|could|should|would)nt\b`,
    // As an answer; "no failures are left" denies nothing.
    String.raw`\bno\b(?=\s*(?:[.,;:!?…)]|$))`,
  ].join('|'),
  'i',
);
/** Words that make a claim depend on something, where its sentence goes on into the tag or comes out of it. */
const DEPENDS =
  /\b(?:if|when|once|whether|before|without|instead|would|should|must|example|quot(?:e|ed|ing)|hypothetical\w*|placeholder|template)\b|\be\.g\./i;
const ENDS_SENTENCE = /[.!?…)\]*_"”]$/;
const NEXT_SENTENCE = /[.!?…]["”')\]*_]*\s+(?=[^\p{Ll}\s])/gu;
/** How a line begins that goes on about the tag before it: in the same sentence, or in one about it. */
const SAME_SENTENCE = /^[\p{Ll},;–—(-]/u;
const ABOUT_IT =
  /^(?:i|we|not|never|no|nor|neither|cannot|is|was|would|should|unless|until|if|when|once|but|however|only|except|actually|sorry|wait|this|that|which|it|the (?:above|tag|promise|claim))\b/i;
/** What a claim may be followed by: a list, or a section that says more. That something is not there belongs to it. */
const ITEM = /^(?:[-*+•]|\d{1,3}[.)]|#{1,6})\s+/;
const SECTION =
  /^[*_]{0,2}(?:summary|explanation|reasons?|details|stories|block(?:ed|ers?)|remaining|commits?)\b[^:]{0,60}:/i;
/** The longest sentence that is looked back for. */
const MOST_LINES = 20;

/** Whether what stands around a tag denies it, or makes it depend on something. Lines that are quoted are to be empty. */
export function isDenied(lines: readonly string[], at: number): boolean {
  const before = sentenceBefore(lines, at);
  if (DENIES.test(before)) return true;
  if (before !== '' && !ENDS_SENTENCE.test(before) && DEPENDS.test(before)) return true;
  return isTakenBack(lines.slice(at + 1));
}

/** The last sentence before a line, over as many lines of its paragraph as it takes. */
function sentenceBefore(lines: readonly string[], at: number): string {
  let last = at - 1;
  while (last >= 0 && lines[last]?.trim() === '') last -= 1;
  let first = last;
  while (first > 0 && last - first < MOST_LINES && lines[first - 1]?.trim() !== '') first -= 1;
  const paragraph = lines
    .slice(Math.max(0, first), last + 1)
    .map((line) => line.trim())
    .join(' ');
  return paragraph.split(NEXT_SENTENCE).at(-1) ?? '';
}

function isTakenBack(after: readonly string[]): boolean {
  const said = after.map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('<promise>'));
  const [next = ''] = said;
  if ((SAME_SENTENCE.test(next) || ABOUT_IT.test(next)) && DEPENDS.test(next) && !ITEM.test(next)) return true;
  let isReport = false;
  for (const line of said) {
    isReport ||= ITEM.test(line) || SECTION.test(line);
    if (DENIES.test(line) && (!isReport || ABOUT_IT.test(line.replace(ITEM, '')))) return true;
  }
  return false;
}
