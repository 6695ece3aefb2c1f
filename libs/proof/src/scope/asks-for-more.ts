import { kindByTitle } from './words-of-part.js';

const VERB =
  'add|allow|apply|bring|bump|change|convert|correct|create|deprecate|document|drop|ensure|explain|export|extend|fix|give|handle|implement|improve|include|increase|introduce|let|list|log|lower|make|mark|mention|move|name|note|print|provide|put|raise|reduce|refactor|reject|remove|rename|replace|require|return|rewrite|set|show|sort|split|state|stop|store|support|switch|throw|turn|update|upgrade|use|validate|warn|write';
const DEMAND = new RegExp(
  `^(?:(?:and|also|then|please|finally|but|besides|instead|in addition),? ){0,3}(?:${VERB})\\b`,
  'i',
);
/** It points at a demand that stands before it. */
const FIX_IT = /^(?:please )?(?:fix|correct|change) (?:it|this|that|them|both)(?: please)?$/i;
const ONE_MORE = /\b(?:also|too|as well|additionally|in addition|plus|besides|both|while you are at it)\b/i;
const LONGEST = 20_000;

/**
 * Whether a request may ask for more than a few changed words of code, by its words alone: it names a document, or it has
 * more demands than parts. They begin with a verb, or come with a word such as `also`. If in doubt, a reader is asked.
 */
export function mayAskForMore(request: string, partCount: number): boolean {
  const text = request.slice(0, LONGEST);
  const clauses = text
    .split(/[.!?;:,](?=\s|$)|\n|(?= (?:and|then) )/)
    .map((clause) => clause.replace(/^[\s*•\d)-]+/, '').trim());
  if (clauses.some((clause) => kindByTitle(clause) === 'document')) return true;
  const demands = clauses.filter((clause) => DEMAND.test(clause) && !FIX_IT.test(clause)).length;
  return Math.max(demands, ONE_MORE.test(text) ? 2 : 1) > partCount;
}
