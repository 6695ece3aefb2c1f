import { parse } from 'yaml';
import { z } from 'zod';
import { errorMessage, UserError } from '#kernel';
import type { ModelRef } from '../model.port.js';
import { nanoPerMillion } from './nano-usd.js';
import type { ClassPrices, Price } from './price.js';

const perMillion = z
  .union([z.number(), z.string()], { error: 'must be an amount in USD for a million tokens, such as 0.25' })
  .transform((value, context) => {
    const nano = nanoPerMillion(value);
    if (nano === null) context.addIssue('must be an amount in USD for a million tokens, such as 0.25');
    return nano ?? z.NEVER;
  });

const classes = {
  input: perMillion,
  output: perMillion,
  cacheRead: perMillion.optional(),
  cacheWrite: perMillion.optional(),
  longCacheWrite: perMillion.optional(),
  reasoning: perMillion.optional(),
};
const tokens = z.int({ error: 'must be a whole number of tokens' }).min(1).max(1_000_000_000);

const Entry = z.strictObject({
  model: z
    .string()
    .regex(/^[a-z][a-z0-9-]*:\S+$/, { error: 'must be provider:model, as in anthropic:claude-haiku-5-5' }),
  from: z.iso.date({ error: 'must be the day from which it holds, as in "2026-10-07"' }),
  context: tokens.optional(),
  ...classes,
  above: z
    .array(z.strictObject({ tokens, ...classes }))
    .max(8)
    .default([]),
});
type Entry = z.output<typeof Entry>;

const File = z.strictObject({ version: z.string().min(1).max(60), prices: z.array(Entry).max(10_000) });

/** Prices by model and by the day from which they hold. */
export class PriceTable {
  private constructor(
    private readonly version: string,
    private readonly entries: ReadonlyMap<string, readonly Entry[]>,
  ) {}

  /** `file` names it in the error PRICES_INVALID, which lists every fault. JSON or YAML. */
  static parse(text: string, file: string): PriceTable {
    const { version, prices } = readFile(text, file);
    const entries = new Map<string, Entry[]>();
    // The newest first.
    for (const entry of prices.toSorted((a, b) => b.from.localeCompare(a.from))) {
      entries.set(entry.model, [...(entries.get(entry.model) ?? []), entry]);
    }
    return new PriceTable(version, entries);
  }

  priceOf(ref: ModelRef, at: Date): Price | null {
    const day = at.toISOString().slice(0, 10);
    const entry = this.of(ref).find(({ from }) => from <= day);
    if (!entry) return null;
    return {
      version: `${this.version}/${entry.from}`,
      classes: classesOf(entry),
      thresholds: entry.above
        .toSorted((a, b) => a.tokens - b.tokens)
        .map((above) => ({ above: above.tokens, classes: classesOf(above) })),
    };
  }

  contextOf(ref: ModelRef): number | null {
    return this.of(ref).find(({ context }) => context !== undefined)?.context ?? null;
  }

  private of({ provider, model }: ModelRef): readonly Entry[] {
    return this.entries.get(`${provider}:${model}`) ?? [];
  }
}

/** A class without a price of its own costs what its tokens would cost without a cache, or without being thoughts. */
function classesOf(entry: Pick<Entry, keyof typeof classes>): ClassPrices {
  const {
    input,
    output,
    cacheRead = input,
    cacheWrite = input,
    longCacheWrite = cacheWrite,
    reasoning = output,
  } = entry;
  return { input, output, cacheRead, cacheWrite, longCacheWrite, reasoning };
}

function readFile(text: string, file: string): z.output<typeof File> {
  const refused = (faults: string): UserError =>
    new UserError('PRICES_INVALID', `the prices in ${file} cannot be used: ${faults}`);
  let value: unknown;
  try {
    value = parse(text);
  } catch (error) {
    throw refused(errorMessage(error));
  }
  const parsed = File.safeParse(value);
  if (parsed.success) return parsed.data;
  throw refused(
    parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'the file'} ${message}`).join('; '),
  );
}
