import type { Clock, Trace } from '#kernel';
import {
  BudgetExceeded,
  type ChatWish,
  type DeskListener,
  type MeteredAnswer,
  type ModelCandidate,
  type ModelDesk,
} from '../model-desk.port.js';
import { ModelError } from '../model-error.js';
import type { ChatRequest, ModelProvider, ModelRef, Tier } from '../model.port.js';
import { answeredOutcome, failedOutcome } from './answered.js';
import { boundOf } from './bound.js';
import { isForNextModel, mostHopeful } from './failures.js';
import type { Meter } from './meter.js';
import { nameOfModel, modelRefOf, providerOf, type Tiers } from './model-refs.js';
import { outwaited } from './outage.js';
import type { Prices } from './price-book.js';
import { type CallOutcome, settledFacts } from './settlement.js';

export interface DeskPolicy {
  /** How often a call is sent to one model before the tier's next one is asked. */
  readonly tries: number;
  /** Before the second try; doubled before each further one. */
  readonly backoffMs: number;
  /** How long a call waits here for room in the budget; longer than that the project waits for it, and holds no worker. */
  readonly budgetMs: number;
  /** What a model can hold of which nobody knows it. */
  readonly contextTokens: number;
}

export const DESK_POLICY: DeskPolicy = { tries: 3, backoffMs: 500, budgetMs: 60_000, contextTokens: 128_000 };

export interface MeteringDeskParts {
  readonly providers: ReadonlyMap<string, ModelProvider>;
  readonly tiers: Tiers;
  readonly prices: Prices;
  readonly meter: Pick<Meter, 'begin'>;
  readonly clock: Clock;
  /** Epoch milliseconds: the time until which a project waits is told by it. */
  readonly epochMs?: () => number;
  readonly trace: Trace;
  readonly policy?: Partial<DeskPolicy>;
}

/**
 * Every try is a call of its own in the ledger: reserved, sent, settled. A failure that may pass is tried again, then
 * the tier's next model is asked, as it is for one that is the provider's own; a conversation that has begun stays with
 * its model. Where all are away, the project waits.
 */
export class MeteringDesk implements ModelDesk {
  private readonly policy: DeskPolicy;

  constructor(private readonly parts: MeteringDeskParts) {
    this.policy = { ...DESK_POLICY, ...parts.policy };
  }

  candidates(tier: Tier, models: ChatWish['models'] = {}): readonly ModelCandidate[] {
    const { tiers, providers } = this.parts;
    const own = models[tier];
    const wished = own === undefined ? [] : [modelRefOf(own)];
    // One that nobody provides is no fallback. With none left, the first says what is missing.
    const provided = tiers[tier].filter(({ provider }) => providers.has(provider));
    const refs = [...wished, ...(wished.length + provided.length > 0 ? provided : tiers[tier])];
    const once = new Map(refs.map((ref) => [nameOfModel(ref), ref]));
    return [...once.values()].map((ref) => {
      const { isSimulated, scope } = providerOf(ref, this.parts.providers);
      return { ...ref, isSimulated, ...(scope && { scope }) };
    });
  }

  async chat(wish: ChatWish, listener: DeskListener): Promise<MeteredAnswer> {
    const refs = wish.pinned ? [wish.pinned] : this.candidates(wish.tier, wish.models);
    const failures: ModelError[] = [];
    let tooDear: BudgetExceeded | null = null;
    for (const { provider, model } of refs) {
      try {
        const answer = await this.tried({ provider, model }, wish, listener);
        if (!(answer instanceof ModelError)) return answer;
        failures.push(answer);
        if (!isForNextModel(answer)) break;
      } catch (error) {
        // A fallback may be dearer: that it does not fit says nothing about the models before it.
        if (!(error instanceof BudgetExceeded) || failures.length === 0) throw error;
        tooDear = error;
      }
    }
    throw mostHopeful(failures, tooDear);
  }

  /** The answer, or why the provider gave none however often it was asked. */
  private async tried(ref: ModelRef, wish: ChatWish, listener: DeskListener): Promise<MeteredAnswer | ModelError> {
    const { clock, epochMs = Date.now } = this.parts;
    for (let nth = 1; ; nth += 1) {
      const answer = await this.once(ref, wish, listener);
      if (!(answer instanceof ModelError) || answer.remedy !== 'retry') return answer;
      if (nth >= this.policy.tries) return outwaited(answer, wish.about.effect.run, epochMs());
      await clock.sleep(this.policy.backoffMs * 2 ** (nth - 1), listener.signal);
      if (listener.signal.aborted) return answer;
    }
  }

  private async once(ref: ModelRef, wish: ChatWish, listener: DeskListener): Promise<MeteredAnswer | ModelError> {
    const { meter, trace, providers, prices } = this.parts;
    const provider = providerOf(ref, providers);
    const { isSimulated } = provider;
    const { about } = wish;
    const { agent, purpose, prompt, tier } = about;
    const bound = boundOf(withOwnTokens(wish));
    const patience = { ms: this.policy.budgetMs, signal: listener.signal };
    const call = await meter.begin({ about, model: ref, isSimulated, bound }, patience);
    listener.onSend?.();
    const facts = { ...ref, agent, purpose, prompt, tier, simulated: isSimulated };
    return trace.within('chat', ref.model, facts, async (note) => {
      const settle = async (outcome: CallOutcome): Promise<bigint | null> => {
        const cost = await call.settle(outcome);
        note(settledFacts(outcome, cost));
        return cost;
      };
      try {
        const answer = await provider.chat(requestOf(ref, wish), listener);
        note({ stop: answer.stop });
        const usage = answer.isUsageKnown === false ? null : answer.usage;
        const reported = { usage, answeredBy: answer.model === '' ? null : answer.model };
        const costNanoUsd = await settle(answeredOutcome(reported, call.pricedAs));
        const contextTokens = prices.contextOf(ref) ?? this.policy.contextTokens;
        return { ...answer, ref, isSimulated, costNanoUsd, contextTokens };
      } catch (error) {
        if (!(error instanceof ModelError)) {
          await settle({ billed: 'unknown', errorCode: 'UNEXPECTED', answeredBy: null });
          throw error;
        }
        await settle(failedOutcome(error, call.pricedAs));
        listener.onFailure?.(ref, error);
        return error;
      }
    });
  }
}

/** What an earlier answer counted says nothing about another model. */
function withOwnTokens({ pinned, known, ...wish }: ChatWish): Parameters<typeof boundOf>[0] {
  return pinned && known ? { ...wish, known } : wish;
}

function requestOf(model: ModelRef, wish: ChatWish): ChatRequest {
  const { tier: _tier, models: _models, pinned: _pinned, known: _known, about, ...rest } = wish;
  const { agent: role, purpose, attempt, tier } = about;
  return { ...rest, model, about: { role, purpose, attempt, tier } };
}
