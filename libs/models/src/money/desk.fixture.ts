import { silentTrace, type Trace } from '#kernel';
import type { ChatWish, DeskListener } from '../model-desk.port.js';
import type { ModelProvider } from '../model.port.js';
import { Meter } from './meter.js';
import { MeteringDesk } from './metering-desk.js';
import { modelRefsOf } from './model-refs.js';
import { ScriptedLedger, SleepClock, wish } from './money.fixture.js';
import { openPriceBook, worstPriceOf } from './open-price-book.js';

export const NOW = Date.parse('2026-03-01T12:00:00Z');
export const BOTH = 'anthropic:claude-haiku-5-5, openai:gpt-5';

interface Options {
  readonly small?: string;
  readonly trace?: Trace;
}

/** A desk with these providers, and a ledger that has room. */
export function scene(
  providers: readonly ModelProvider[],
  { small = 'anthropic:claude-haiku-5-5', trace = silentTrace }: Options = {},
) {
  const [ledger, clock, leaving] = [new ScriptedLedger(), new SleepClock(), new AbortController()];
  const prices = openPriceBook(null);
  const worstPrice = worstPriceOf({ input: '15', output: '75' });
  const meter = new Meter({ ledger, prices, clock, trace, worstPrice });
  const known = new Map(providers.map((provider) => [provider.name, provider]));
  const tiers = { small: modelRefsOf(small), medium: [], large: [] };
  const desk = new MeteringDesk({ providers: known, tiers, prices, meter, clock, trace, epochMs: () => NOW });
  const chat = (change: Partial<ChatWish> = {}, listener: Partial<DeskListener> = {}) =>
    desk.chat({ ...wish, ...change }, { signal: leaving.signal, ...listener });
  const statuses = () => ledger.settled.map(({ status }) => status);
  return { desk, ledger, clock, leaving, chat, statuses };
}
