import type { Config } from '#config';
import { secrets, systemClock, type Trace } from '#kernel';
import {
  type Ledger, Meter, MeteringDesk, type ModelDesk, nanoOf, openPriceBook, openProviders, tiersOf, worstPriceOf,
} from '#models'; // prettier-ignore
import { type Database, PgLedger } from '#persistence';

export interface Models {
  readonly desk: ModelDesk;
  readonly meter: Meter;
  readonly ledger: PgLedger;
}

/** Providers, prices and the ledger, as the configuration has them. */
export function openModels({ models, budget }: Config, pool: Database, trace: Trace): Models {
  const providers = openProviders(models, secrets);
  const prices = openPriceBook(models.pricesFile);
  const ledger = new PgLedger(pool, {
    clock: systemClock,
    defaults: { nanoUsd: nanoOf(budget.usd), tokens: budget.tokens },
  });
  const worstPrice = worstPriceOf(models.worstPrice);
  const meter = new Meter({ ledger: ledger satisfies Ledger, prices, clock: systemClock, trace, worstPrice });
  const tiers = tiersOf(models.tiers, providers);
  const desk = new MeteringDesk({ providers, tiers, prices, meter, clock: systemClock, trace });
  return { desk, meter, ledger };
}
