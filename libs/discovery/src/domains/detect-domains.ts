import { byText } from '../found.js';
import { DOMAIN_TABLE } from './domain-table.js';
import { says, type Words, wordsOf } from './words.js';

const MOST_FILES = 50_000;
const END_OF_PATH = 200;
const MOST_SHOWN = 5;

export interface Domain {
  readonly domain: string;
  readonly because: readonly string[];
}

const TERMS = DOMAIN_TABLE.map(({ domain, says: terms, files }) => ({
  domain,
  files,
  terms: terms.split(',').map((term) => ({ term: term.trim().replace(/\s+/g, ' '), words: wordsOf(term) })),
}));

/**
 * What a request is about, the strongest first. Only its words and phrases make a domain; the files of the repository
 * support one that they made, because a repository has all kinds of files whatever it is asked for.
 */
export function detectDomains(request: string, files: readonly string[]): readonly Domain[] {
  const ends = files.slice(0, MOST_FILES).map((file) => file.slice(-END_OF_PATH));
  return domainsIn(wordsOf(request))
    .map(({ domain, terms }) => {
      const sign = TERMS.find((one) => one.domain === domain)?.files ?? null;
      const count = sign === null ? 0 : ends.filter((end) => sign.test(end)).length;
      const supports = count > 0 ? [`${String(count)} of the repository's files are of it`] : [];
      return { domain, weight: terms.length * 2 + supports.length, because: [said(terms), ...supports] };
    })
    .sort((a, b) => b.weight - a.weight || byText(a.domain, b.domain))
    .map(({ domain, because }) => ({ domain, because }));
}

/** The domains that a text speaks of, with the terms that it does it by. */
export function domainsIn(text: Words): readonly { readonly domain: string; readonly terms: readonly string[] }[] {
  return TERMS.flatMap(({ domain, terms }) => {
    const found = terms.filter(({ words }) => says(text, words)).map(({ term }) => term);
    return found.length > 0 ? [{ domain, terms: found }] : [];
  });
}

const said = (terms: readonly string[]): string =>
  `it says ${terms
    .slice(0, MOST_SHOWN)
    .map((term) => `"${term}"`)
    .join(', ')}${terms.length > MOST_SHOWN ? ', …' : ''}`;
