import type { ModelRef } from '../model.port.js';
import { basePriceOf, baseContextOf } from './base-prices.js';
import type { Price } from './price.js';
import type { PriceTable } from './price-table.js';

export interface Prices {
  /** Null: nobody knows. Never guessed, and never nothing. */
  priceOf(ref: ModelRef, at: Date): Price | null;
  /** How many tokens the model can hold at once; null: nobody knows. */
  contextOf(ref: ModelRef): number | null;
}

/** Looks a model up in tables of our own and the user's, the first that knows it; then in the public one. */
export class PriceBook implements Prices {
  constructor(private readonly tables: readonly PriceTable[]) {}

  priceOf(ref: ModelRef, at: Date): Price | null {
    for (const table of this.tables) {
      const price = table.priceOf(ref, at);
      if (price) return price;
    }
    return basePriceOf(ref, at);
  }

  contextOf(ref: ModelRef): number | null {
    for (const table of this.tables) {
      const tokens = table.contextOf(ref);
      if (tokens !== null) return tokens;
    }
    return baseContextOf(ref);
  }
}
