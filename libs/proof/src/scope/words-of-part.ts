/** What a part is about if it is not about behaviour. Then no command can tell whether it is done. */
export type SpecialKind = 'document' | 'tests';

const DOCUMENTS =
  /\b(?:readme|docs?|document(?:s|ed|ation)?|change-?log|release notes|guide|tutorial|manual|code comments?|comments?|doc-?strings?|js-?doc|(?:help|man(?:ual)?) (?:pages?|texts?)|license|contributing)\b|\.(?:md|mdx|markdown|rst|adoc|txt)\b/i;
const TEXTS_IN_CODE = /\b(?:comments?|doc-?strings?|js-?doc|help (?:pages?|texts?))\b/i;
const TESTS =
  /\b(?:(?:unit|regression|integration)?tests?|test (?:cases?|files?)|specs?|regression)\b|\.(?:test|spec)\./i;
const REGRESSION = /\bregression\b/i;
const STAYS =
  /\b(?:stays?|staying|remains?|remaining|unchanged|untouched|unaffected|still|keeps?|kept|preserved?|as before|as (?:it|they) (?:is|are|was|were)|as now|(?:nothing|no|every|everything|anything|all|any|each) others?|(?:nothing|everything|anything) else|the rest|(?:does|do|must|may|should) not change)\b/i;

export interface PartWords {
  readonly title: string;
  readonly interface: string;
}

const wordsOf = (part: PartWords): string => `${part.title}\n${part.interface}`;

/** Whether a part speaks of what somebody says that it is about. Behaviour could pass for a text otherwise. */
export const speaksOf = (kind: SpecialKind, part: PartWords): boolean => PATTERNS[kind].test(wordsOf(part));

const PATTERNS: Readonly<Record<SpecialKind, RegExp>> = { document: DOCUMENTS, tests: TESTS };

/** What a part is about by its title alone: what it names first. Null if it names neither documents nor tests. */
export function kindByTitle(title: string): SpecialKind | null {
  const [document, tests] = [title.search(DOCUMENTS), title.search(TESTS)];
  if (document < 0 && tests < 0) return null;
  return tests < 0 || (document >= 0 && document < tests) ? 'document' : 'tests';
}

/** Whether the text that a part asks for may stand in code: comments and help are in no file of their own. */
export const isTextInCode = (part: PartWords): boolean => TEXTS_IN_CODE.test(wordsOf(part));

/** Whether the tests of a part must fail without the rest of the change. Other tests may be about what works already. */
export const asksForRegressionTest = (part: PartWords): boolean => REGRESSION.test(wordsOf(part));

/** Whether a part says that something stays as it is. Then no check of it can fail before the change. */
export const saysThatSomethingStays = ({ title }: PartWords): boolean => STAYS.test(title);
