import type pg from 'pg';
import { silentTrace, systemClock } from '#kernel';
import {
  anthropicProvider, BudgetExceeded, compatibleProvider, Meter, MeteringDesk, ModelError, modelRefOf, openPriceBook,
  worstPriceOf,
} from '#models'; // prettier-ignore
import type { ModelServer, Random } from '#testing';
import { aboutOf, ledgerOn } from './ledger.fixture.js';

const WORST = { input: '15', output: '75' };

/** The desk of one process, with official SDKs to the server that pretends to be the provider. */
export function deskOn(pool: pg.Pool, server: ModelServer, model: string) {
  const [clock, trace, prices] = [systemClock, silentTrace, openPriceBook(null)];
  const meter = new Meter({ ledger: ledgerOn(pool), prices, clock, trace, worstPrice: worstPriceOf(WORST) });
  const providers = new Map(
    [
      anthropicProvider({ apiKey: 'k'.repeat(20), baseUrl: server.url }),
      compatibleProvider({ name: 'compatible', apiKey: null, baseUrl: server.openaiUrl }),
    ].map((provider) => [provider.name, provider]),
  );
  const tiers = { small: [modelRefOf(model)], medium: [], large: [] };
  const policy = { tries: 3, backoffMs: 1, contextTokens: 100_000 };
  return { desk: new MeteringDesk({ providers, tiers, prices, meter, clock, trace, policy }), meter };
}

export interface AgentRun {
  readonly parts: ReturnType<typeof deskOn>;
  readonly projectId: string;
  readonly name: string;
  readonly random: Random;
  readonly maxOutputTokens: number;
  /** Which of its calls is left behind once, as by a worker that died, and then repeated. */
  readonly diesAt: number | null;
}

/** Calls its model until the budget is over; resolves to how many answers it got. */
export async function useUpBudget({
  parts,
  projectId,
  name,
  random,
  maxOutputTokens,
  diesAt,
}: AgentRun): Promise<number> {
  const { desk, meter } = parts;
  const { signal } = new AbortController();
  const model = desk.candidates('small')[0] ?? modelRefOf('no:model');
  for (let nth = 0, answers = 0; ; nth += 1) {
    const effect = { key: `${name}/${String(nth)}`, run: 1 };
    const about = aboutOf(projectId, { agent: name, effect });
    const messages = [{ role: 'user', text: 'x'.repeat(random.below(3_000)) } as const];
    const wish = { system: 'test', messages, tools: [], maxOutputTokens, timeoutMs: 5_000, idleMs: 2_000 };
    try {
      if (nth === diesAt) {
        const bound = { inputTokens: 1_000, outputTokens: maxOutputTokens };
        await meter.begin({ about, model, isSimulated: false, bound }, { ms: 5_000, signal });
        effect.run = 2;
      }
      await desk.chat({ ...wish, tier: 'small', about }, { signal });
      answers += 1;
    } catch (error) {
      if (error instanceof BudgetExceeded) return answers;
      if (!(error instanceof ModelError)) throw error;
    }
  }
}

/** A pool that now and then loses the answer to a statement of the ledger, and now and then does not get through. */
export function forgetful(pool: pg.Pool, random: Random): pg.Pool {
  const query = async (statement: { readonly name?: string }, values?: unknown[]): Promise<unknown> => {
    const [isOurs, chance] = [statement.name?.startsWith('ledger-') ?? false, random.next()];
    if (isOurs && chance < 0.05) throw Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
    const answer: unknown = await pool.query(statement as never, values as never);
    if (isOurs && chance < 0.15) throw Object.assign(new Error('reset'), { code: 'ECONNRESET' });
    return answer;
  };
  return { query } as unknown as pg.Pool;
}
