const TESTS = String.raw`(?:(?:unit|integration|e2e|existing|test) )*(?:tests|test suites?|suite|specs|CI|builds?|pipelines?)\b`;
const ALL = String.raw`(?:(?:all|the|our|my|these|those|any|every|of) )*`;
const RED = '(?:failing|broken|red|failed)';
/** A noun behind the word would make it another thing: a build script, a tests folder. */
const END = String.raw`(?=\s*$|\s+(?:again|now|please|so|first|back)\b)`;

const GENERAL: readonly RegExp[] = [
  String.raw`\b(?:fix|repair|resolve|heal|correct) ${ALL}${RED} ${TESTS}`,
  String.raw`\b(?:fix|repair) ${ALL}${TESTS}${END}`,
  String.raw`\b(?:make|get|turn|bring|have) ${ALL}(?:${RED} )?${TESTS} (?:to )?(?:pass|green|succeed|work|run green)\b`,
  String.raw`\b${TESTS} (?:is|are|was|were|keeps?|has been|have been|went|turned|stays?) (?:(?:still|now|all|currently|always) )*${RED}\b`,
  String.raw`\b(?:npm test|pytest|go test|cargo test|${TESTS}) (?:fail|fails|failed|keep failing|keeps failing)\b`,
].map((pattern) => new RegExp(pattern, 'i'));

const NOT_MEANT =
  /\b(?:not|never|n't|don't|dont|without|ignore|ignoring|leave|skip|except|avoid|if|when|whenever|that|until|unless|once|while|whether|which|where|in case|rather than|instead of)\b/i;
/** Words about how a failure is reported. Such a request does not ask to fix the failure. */
const TOLD =
  /\b(?:how|whose|who|number of|count|print|show|display|list|log|report|record|track|store|render|export|mark|highlight|colou?r|notify|warn|alert|send|e?-?mail|retry|rerun)(?:s|ing)?\b/i;
const LONGEST_LINE = 2_000;

/**
 * Whether a request speaks of failing tests in general. Each clause speaks for itself: a clause that is added never
 * takes back what another one says.
 */
export const speaksOfFailures = (request: string): boolean => clausesOf(request).some(saysSo);

const clausesOf = (request: string): readonly string[] =>
  request
    .split('\n')
    .flatMap((line) => line.slice(0, LONGEST_LINE).split(/[.!?;:,](?=\s|$)/))
    .map((clause) => clause.replaceAll(/\s+/g, ' ').trim())
    .filter((clause) => clause !== '');

const saysSo = (clause: string): boolean =>
  GENERAL.some((pattern) => {
    const found = pattern.exec(clause);
    if (found === null) return false;
    const before = clause.slice(0, found.index).replaceAll('’', "'");
    return !NOT_MEANT.test(before) && !TOLD.test(before);
  });

/** `The failing tests pass`, with nothing before or behind that. */
const PASSING = new RegExp(
  String.raw`^${ALL}(?:${RED} )?(?:npm test|pytest|go test|cargo test|${TESTS})(?: (?:in|of|for) \S+(?: \S+)?)?(?: (?:all|now|again))* (?:pass|passes|succeeds?|(?:is|are) (?:green|fixed))(?: (?:again|now))?\.?$`,
  'i',
);

/** Whether the title of a part or step is about failing tests in general: it asks for them, or says that they pass. */
export const isAboutFailures = (title: string): boolean => speaksOfFailures(title) || PASSING.test(title.trim());

const FIX_THEM = /^(?:please )?(?:fix|repair) (?:it|them|this|that)(?: please)?$/i;
/** Words that may begin another demand. */
const ANOTHER = /\b(?:and|also|plus|then|or|but|while|by|to|so|after|before|with)\b|[/`"']/i;
const MOST_OTHER_WORDS = 5;

/** Whether a request asks for failing tests in general, and for nothing else: `Please fix all failing tests in this repo`. */
export function asksOnlyForFailures(request: string): boolean {
  const clauses = clausesOf(request);
  return clauses.some(saysSo) && clauses.every((clause) => FIX_THEM.test(clause) || (saysSo(clause) && isBare(clause)));
}

function isBare(clause: string): boolean {
  const rest = GENERAL.reduce((text, pattern) => text.replace(pattern, ' '), clause);
  return !ANOTHER.test(rest) && rest.split(' ').filter((word) => word !== '').length <= MOST_OTHER_WORDS;
}
