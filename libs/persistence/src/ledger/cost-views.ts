import type { CostGroup, CostSums, ModelCall } from '#contracts';
import { usdOf } from '#models';

/** Sums may be larger than a number holds: they come as texts. */
export interface SumsRow {
  readonly calls: number;
  readonly unknownCalls: number;
  readonly simulatedCalls: number;
  readonly input: string;
  readonly output: string;
  readonly cacheRead: string;
  readonly cacheWrite: string;
  readonly reasoning: string;
  /** Null: nobody knows any of it. */
  readonly cost: string | null;
  readonly counted: string;
}

type Plain = 'id' | 'projectId' | 'state' | 'agent' | 'purpose' | 'prompt' | 'attempt' | 'tier' | 'provider' | 'model';
type Settled = 'answeredBy' | 'status' | 'simulated' | 'priceVersion' | 'durationMs' | 'traceId' | 'errorCode';

export interface CallRow extends Pick<ModelCall, Plain | Settled> {
  readonly input: number | null;
  readonly output: number | null;
  readonly cacheRead: number | null;
  readonly cacheWrite: number | null;
  readonly reasoning: number | null;
  readonly reserved: string;
  readonly cost: string | null;
  readonly counted: string | null;
  readonly estimateError: string | null;
  readonly at: Date;
}

const usd = (nano: string | null): string | null => (nano === null ? null : usdOf(BigInt(nano)));

export function callView(row: CallRow): ModelCall {
  const { input, output, cacheRead, cacheWrite, reasoning, reserved, cost, counted, estimateError, at, ...rest } = row;
  const tokens =
    input === null
      ? null
      : {
          input,
          output: output ?? 0,
          cacheRead: cacheRead ?? 0,
          cacheWrite: cacheWrite ?? 0,
          reasoning: reasoning ?? 0,
        };
  return {
    ...rest,
    tokens,
    reservedUsd: usdOf(BigInt(reserved)),
    costUsd: usd(cost),
    countedUsd: usd(counted),
    estimateErrorUsd: usd(estimateError),
    at: at.toISOString(),
  };
}

const NONE: SumsRow = {
  calls: 0, unknownCalls: 0, simulatedCalls: 0, input: '0', output: '0', cacheRead: '0', cacheWrite: '0',
  reasoning: '0', cost: '0', counted: '0',
}; // prettier-ignore

export function sumsView(row: SumsRow = NONE): CostSums {
  const { calls, unknownCalls, simulatedCalls, input, output, cacheRead, cacheWrite, reasoning, cost, counted } = row;
  return {
    calls,
    unknownCalls,
    simulatedCalls,
    tokens: {
      input: Number(input),
      output: Number(output),
      cacheRead: Number(cacheRead),
      cacheWrite: Number(cacheWrite),
      reasoning: Number(reasoning),
    },
    costUsd: usd(cost),
    countedUsd: usdOf(BigInt(counted)),
  };
}

export const groupView = (row: SumsRow & { readonly key: string }): CostGroup => ({ key: row.key, ...sumsView(row) });
