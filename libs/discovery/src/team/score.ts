import { type Domain, domainsIn } from '../domains/detect-domains.js';
import { says, type Words, wordsOf } from '../domains/words.js';

/** What is scored: any capability. */
export interface Scorable {
  readonly name: string;
  readonly description: string;
  readonly category: string | null;
  readonly keywords?: readonly string[];
}

export interface Score {
  readonly score: number;
  readonly reasons: readonly string[];
}

/** A request, prepared once for all that is scored against it. */
export interface Asked {
  readonly words: Words;
  /** Its words without those that every text has. */
  readonly content: ReadonlySet<string>;
  readonly domains: ReadonlySet<string>;
}

/** Caps per kind of evidence: a file that lists every word there is must not win by that. */
const MOST = { keywords: 12, name: 6, domains: 6, description: 5 } as const;
const COMMON = new Set(
  wordsOf(
    `a about add after agent all also an and any are as at be been before but by can change code could create do does
    each every file fix for from get has have how i if implement in into is it its make may me more most must my need
    new no not of on one only or other our out please project repository review reviewer should so some such task team
    than that the their them then there these they this those to too update us use used user using via want was we well
    what when where which while who will with work would you your`,
  ).list,
);

export function asked(request: string, domains: readonly Domain[]): Asked {
  const words = wordsOf(request);
  const content = new Set(words.list.filter((word) => word.length > 1 && !COMMON.has(word)));
  return { words, content, domains: new Set(domains.map(({ domain }) => domain)) };
}

/** How much speaks for a capability, in points, and what. */
export function scoreOf(one: Scorable, request: Asked): Score {
  const keywords = (one.keywords ?? []).filter((keyword) => says(request.words, wordsOf(keyword)));
  const name = shared(wordsOf(one.name), request);
  const description = shared(wordsOf(one.description), request).filter((word) => !name.includes(word));
  const domains = domainsOf(one).filter((domain) => request.domains.has(domain));
  const isOfCategory = one.category !== null && request.domains.has(one.category);
  const parts = [
    part(3, MOST.keywords, keywords, (list) => `its keywords ${list} are in the request`),
    part(3, MOST.name, name, (list) => `its name has ${list} of the request`),
    part(2, MOST.domains, domains, (list) => `it is about ${list}, as the request is`),
    part(2, 2, isOfCategory ? [one.category ?? ''] : [], (list) => `${list} is its category`),
    part(1, MOST.description, description, (list) => `its description has ${list} of the request`),
  ].filter(({ points }) => points > 0);
  return {
    score: parts.reduce((sum, { points }) => sum + points, 0),
    reasons: parts.map(({ points, reason }) => `+${String(points)} ${reason}`),
  };
}

/** The domains that its own words speak of, the strongest first; the category that it gives itself before them. */
export function domainsOf({ name, description, category, keywords = [] }: Scorable): readonly string[] {
  const spoken = domainsIn(wordsOf([name, description, ...keywords].join(' , ')));
  const own = spoken.toSorted((a, b) => b.terms.length - a.terms.length).map(({ domain }) => domain);
  return category === null ? own : [category, ...own.filter((domain) => domain !== category)];
}

const shared = (words: Words, request: Asked): string[] =>
  [...words.set].filter((word) => request.content.has(word)).sort();

function part(each: number, most: number, found: readonly string[], reason: (list: string) => string) {
  const points = Math.min(most, each * found.length);
  return { points, reason: reason(found.slice(0, 5).join(', ')) };
}
