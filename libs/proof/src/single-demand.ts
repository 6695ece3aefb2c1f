import { asksOnlyForFailures } from './scope/speaks-of-failures.js';

export interface Demand {
  readonly request: string;
  /** What was replaced, and by what: a number or a name; empty for an operator. */
  readonly replaced: readonly string[];
  /** Titles of the failing tests that cover the request. */
  readonly tests: readonly string[];
}

const LONGEST_REQUEST = 400;
const LIST = /^\s*(?:[-*•+]|\d{1,3}[.)])\s/m;
/** Words that may join two demands, or make one of them a demand for several things. */
const JOINS =
  /\b(?:and|also|as well|plus|both|but|or|nor|then|while|besides|moreover|furthermore|additionally|likewise|similarly|together|along|with|including|respectively|each|every|everywhere|all|any|others?|another|same)\b|\btoo\b(?!\s+\w)|[&+]/i;
/** The words above are English. In another language nobody can tell how many demands there are. */
const ENGLISH =
  /\b(?:the|to|it|is|are|has|have|should|must|instead|not|fix|set|add|raise|lower|change|make|let|use|please|fails?|returns?)\b/i;
const FOREIGN = /\b(?:und|sowie|auch|oder|et|aussi|ou|og|och|ook)\b|(?![\u2010-\u2026])[^\t\n\r\x20-\x7E]/i;
/** Something that no code fulfils. */
const BESIDE_CODE =
  /\b(?:readme|docs?|document\w*|docstrings?|change ?log|comments?|tests?|tested|specs?|coverage|examples?|notes?|guides?|manual|pages?|help|usage|describe\w*|explain\w*|mention\w*|typings?|versions?|release|package\.json|manifest)\b/i;
const CALL = /[\w.$]{1,100}\([^()\n]{0,200}\)/g;
const CLAUSE_END = /[.!?;:,](?=\s|$)|[\n()–—]|\s-\s/;
const FIX_IT =
  /^(?:(?:so|please|kindly|just) )*(?:fix|repair|correct|solve)(?: (?:it|this|that|the bug|the error|the problem))?(?: please)?$/i;
const SYMPTOM = /\b(?:fails?|failed|is (?:wrong|broken))\b/i;
const DEMAND =
  /\b(?:must|should|shall|needs?|ha(?:s|ve) to|wants?|ensure|let|make|set|change|raise|lower|increase|decrease|reduce|use|add|remove|delete|drop|rename|replace|move|keep|return|give|show|print|support|allow|accept|refuse|reject|handle|write|update|list|export|round|fix|repair|correct|solve)\b/i;

/**
 * Whether a request plausibly makes one demand that one token of code fulfils. Each of its clauses names what was
 * replaced; one more may say what it is about, if it stands alone, or what fails. If in doubt, it makes several.
 */
export function isSingleDemand({ request, replaced, tests }: Demand): boolean {
  if (request.length > LONGEST_REQUEST || LIST.test(request)) return false;
  if (!ENGLISH.test(request) || FOREIGN.test(request)) return false;
  const clauses = withoutTests(request, tests)
    .split(CLAUSE_END)
    .map((clause) => clause.replaceAll(/\s+/g, ' ').trim())
    .filter((clause) => /\w/.test(clause) && !FIX_IT.test(clause) && !asksOnlyForFailures(clause));
  const values = replaced.map(valueOf);
  if (clauses.some((clause) => JOINS.test(clause) || BESIDE_CODE.test(clause))) return false;
  if (clauses.flatMap((clause) => numbersIn(clause)).some((number) => !values.includes(number))) return false;
  const others = clauses.filter((clause) => !replaced.some((token) => namesToken(clause, token)));
  const isSymptom = others.length === 1 && SYMPTOM.test(others[0] ?? '') && !DEMAND.test(others[0] ?? '');
  if (clauses.filter((clause) => DEMAND.test(clause)).length > 1) return false;
  return others.length === 0 || clauses.length === 1 || isSymptom;
}

/** Calls are examples of what fails; their arguments are no demands. A failing test that is named is no new one. */
function withoutTests(request: string, tests: readonly string[]): string {
  const named = tests.reduce(
    (text, title) =>
      ['"', "'", '`'].reduce((rest, quote) => rest.replaceAll(`test ${quote}${title}${quote}`, ' '), text),
    request,
  );
  return named.replaceAll(CALL, ' it ');
}

/** Whether a text has a token of code: a number by its value, also in words; a name as a whole word. */
export const namesToken = (text: string, token: string): boolean => {
  if (token === '') return false;
  if (/^\d/.test(token)) return numbersIn(text, true).includes(valueOf(token));
  return new RegExp(String.raw`(?<![\w$])${token.replaceAll('$', String.raw`\$`)}(?![\w$])`).test(text);
};

const valueOf = (token: string): number | string => (/^\d/.test(token) ? Number(token.replaceAll('_', '')) : token);

const NUMBER = /(?<![\w.])(?:0[xX][\dA-Fa-f]+|\d[\d_]*(?:\.\d+)?)/g;
const WHOLE_NUMBER = new RegExp(String.raw`${NUMBER.source}(?![\w]|\.\d)`, 'g');
const WORDS =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const LARGE = { twenty: 20, thirty: 30, forty: 40, fifty: 50, sixty: 60, ninety: 90, hundred: 100, thousand: 1_000 };
const BY_WORD = new Map<string, number>([
  ...WORDS.map((word, value) => [word, value] as const),
  ...Object.entries(LARGE),
]);

/** `one` is no number in most texts. A number with a unit, such as `30s`, is one that a request may demand. */
function numbersIn(text: string, isWhole = false): readonly (number | string)[] {
  const digits = (text.match(isWhole ? WHOLE_NUMBER : NUMBER) ?? []).map(valueOf);
  const words = text.toLowerCase().match(/[a-z]+/g) ?? [];
  return [...digits, ...words.flatMap((word) => (word === 'one' && !isWhole ? [] : (BY_WORD.get(word) ?? [])))];
}
