import { type JsonObject, UserError } from '#kernel';
import type { ActivityContext } from '#engine';

/** What a drill was asked to do. */
export interface Plan {
  readonly rounds: number;
  readonly width: number;
  readonly workMs: number;
  readonly approval: boolean;
}

const LIMITS: Readonly<Record<string, { min: number; max: number; fallback: number }>> = {
  rounds: { min: 1, max: 100, fallback: 2 },
  width: { min: 1, max: 16, fallback: 3 },
  workMs: { min: 0, max: 60_000, fallback: 50 },
  coolMs: { min: 0, max: 86_400_000, fallback: 1_000 },
};

export function beginDrill(parameters: JsonObject, gates: Readonly<Record<string, boolean>>): JsonObject {
  const unknown = Object.keys(parameters).filter((name) => !Object.hasOwn(LIMITS, name));
  if (unknown.length > 0) throw refusal(`a drill has no parameter ${unknown.join(', ')}`);
  const [rounds, width, workMs] = ['rounds', 'width', 'workMs'].map((name) => numberOf(parameters, name));
  numberOf(parameters, 'coolMs');
  return { plan: { rounds, width, workMs, approval: gates['approval'] ?? true } as unknown as JsonObject, round: 1 };
}

function numberOf(parameters: JsonObject, name: string): number {
  const { min, max, fallback } = LIMITS[name] ?? { min: 0, max: 0, fallback: 0 };
  const value = parameters[name] ?? fallback;
  if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value;
  throw refusal(`${name} must be a whole number from ${String(min)} to ${String(max)}`);
}

const refusal = (message: string): UserError =>
  new UserError('PARAMETER_INVALID', message, { allowed: Object.keys(LIMITS) });

export const planOf = (context: ActivityContext['context']): Plan => context['plan'] as unknown as Plan;
export const roundOf = (context: ActivityContext['context']): number => context['round'] as number;
