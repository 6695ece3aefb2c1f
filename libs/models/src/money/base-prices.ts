import { createRequire } from 'node:module';
import type { MatchLogic, ModelInfo, ModelPrice, TieredPrices } from '@pydantic/genai-prices';
import { EngineBug } from '#kernel';
import type { ModelRef } from '../model.port.js';
import { nanoPerMillion } from './nano-usd.js';
import type { ClassPrices, Price } from './price.js';

/** The release of the public table; a test compares it with what is installed. */
export const BASE_VERSION = 'genai-prices-0.1.8';

type PublicTable = typeof import('@pydantic/genai-prices');

const require = createRequire(import.meta.url);
let table: PublicTable | undefined;

/** Read when somebody asks for a price that is not in our own: a service at rest does without its 20 MB. */
function publicTable(): PublicTable {
  table ??= require('@pydantic/genai-prices') as PublicTable;
  return table;
}

const NO_TOKENS = { input_tokens: 0, output_tokens: 0 };
const SNAPSHOT = /[-@](?:latest|\d{8}|\d{4}-\d{2}-\d{2})$/;

export function basePriceOf({ provider, model }: ModelRef, at: Date): Price | null {
  if (!surely(provider, model)) return null;
  const found = publicTable().calcPrice(NO_TOKENS, model, { providerId: provider, timestamp: at });
  if (!found || found.model_price['input_mtok'] === undefined || found.model_price['output_mtok'] === undefined) {
    return null;
  }
  const starts = new Set(Object.values(found.model_price).flatMap((price) => (isTiered(price) ? tiersOf(price) : [])));
  return {
    version: BASE_VERSION,
    classes: classesOf(found.model_price, 0),
    thresholds: [...starts]
      .sort((a, b) => a - b)
      .map((above) => ({ above, classes: classesOf(found.model_price, above + 1) })),
  };
}

export const baseContextOf = ({ provider, model }: ModelRef): number | null =>
  surely(provider, model)?.context_window ?? null;

/**
 * The public table also takes names that only begin like one it knows, which is a guess for a model that came later:
 * here the name must be one that it has, give or take the date of a snapshot.
 */
function surely(provider: string, model: string): ModelInfo | null {
  const known = publicTable().findProvider({ providerId: provider })?.models ?? [];
  const plain = model.replace(SNAPSHOT, '');
  const isMeant = (one: ModelInfo): boolean =>
    one.id.replace(SNAPSHOT, '') === plain || namesIn(one.match).some((name) => name === model);
  return known.find(isMeant) ?? null;
}

function namesIn(match: MatchLogic): string[] {
  if ('equals' in match) return [match.equals];
  if ('or' in match) return match.or.flatMap(namesIn);
  return [];
}

function classesOf(prices: ModelPrice, promptTokens: number): ClassPrices {
  const at = (name: string): bigint | null => {
    const price = prices[name];
    if (price === undefined) return null;
    if (!isTiered(price)) return nanoOfNumber(price);
    return nanoOfNumber(price.tiers.findLast(({ start }) => promptTokens > start)?.price ?? price.base);
  };
  const input = at('input_mtok') ?? 0n;
  const output = at('output_mtok') ?? 0n;
  const cacheWrite = at('cache_write_mtok') ?? input;
  return {
    input,
    output,
    cacheRead: at('cache_read_mtok') ?? input,
    cacheWrite,
    longCacheWrite: at('cache_write_1h_mtok') ?? cacheWrite,
    reasoning: at('output_reasoning_mtok') ?? output,
  };
}

const isTiered = (price: number | TieredPrices | undefined): price is TieredPrices => typeof price === 'object';
const tiersOf = ({ tiers }: TieredPrices): number[] => tiers.map(({ start }) => start);

function nanoOfNumber(usd: number): bigint {
  const nano = nanoPerMillion(usd);
  if (nano === null) throw new EngineBug('BASE_PRICE_ODD', `the public price table has a price of ${String(usd)}`);
  return nano;
}
