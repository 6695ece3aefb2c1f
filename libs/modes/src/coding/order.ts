import type { Asides } from '#contracts';
import { type Json, type JsonObject, UserError } from '#kernel';
import { TIERS } from '#models';
import type { WorkOrder } from '../shared/work-parts.js';

/** What was asked for beside the request. */
export interface CodingOrder extends WorkOrder {
  readonly agents: { readonly pin: readonly string[]; readonly forbid: readonly string[]; readonly count?: number };
  readonly variant: string | null;
  readonly commitArtifacts: boolean;
  /** Which findings that are aside are fixed too. Projects of an older release do not say: they count as `P1`. */
  readonly asides?: Asides;
  /** Longest that a reviewer may take; by its tier where unset. */
  readonly reviewSeconds: number | null;
  /** How often the same error may come up, and how many processes may be left behind, before a person is asked. */
  readonly breakers?: { readonly recurrences: number; readonly orphans: number };
}

interface Limit {
  readonly min: number;
  readonly max: number;
  /** Null: whatever the activity does where nothing is said. */
  readonly fallback: number | null;
}

const LIMITS: Readonly<Record<string, Limit>> = {
  turns: { min: 1, max: 500, fallback: 60 },
  minutes: { min: 1, max: 1_440, fallback: 60 },
  healAttempts: { min: 1, max: 20, fallback: 5 },
  uatRounds: { min: 0, max: 10, fallback: 2 },
  reviewSeconds: { min: 1, max: 7_200, fallback: null },
  sameError: { min: 1, max: 100, fallback: 3 },
  orphans: { min: 1, max: 1_000, fallback: 3 },
  clarifyTimeoutMs: { min: 1_000, max: 86_400_000, fallback: null },
};
const ORDERED = ['setup', 'copy', 'verify', 'sandbox', 'models'];
const VARIANTS = ['planning'];

export const CODING_OPTIONS: readonly string[] = [
  'variant',
  'goal',
  'asides',
  'agents',
  'runtime',
  'commitArtifacts',
  ...ORDERED,
];
export const CLASSIC_OPTIONS = CODING_OPTIONS.filter((name) => name !== 'variant');

/** The planning variant executes nothing: there is nothing to ask before. */
export function mustHaveGates({ variant = null }: JsonObject, gates: Readonly<Record<string, boolean>>): void {
  if (variant !== 'planning' || gates['execute'] !== true) return;
  throw new UserError('OPTION_NOT_AVAILABLE', 'the planning variant executes nothing and has no gate execute', {
    unknown: ['execute'],
    known: ['complete'],
  });
}

/** The context that a coding project begins with: what its user asked for, and how far it may go. */
export function beginCoding(parameters: JsonObject, options: JsonObject, isClassic: boolean): JsonObject {
  const known = [...Object.keys(LIMITS), 'tier'].filter((name) => isClassic || name !== 'clarifyTimeoutMs');
  const unknown = Object.keys(parameters).filter((name) => !known.includes(name));
  if (unknown.length > 0) throw refusal(`this mode has no parameter ${unknown.join(', ')}`, known);
  const { tier = 'medium' } = parameters;
  if (!TIERS.some((one) => one === tier)) throw refusal(`tier must be one of ${TIERS.join(', ')}`, known);
  const variant = options['variant'] ?? null;
  if (variant !== null && !VARIANTS.some((one) => one === variant)) {
    throw new UserError(
      'VARIANT_UNKNOWN',
      `there is no variant ${JSON.stringify(variant)}; there is ${VARIANTS.join(', ')}`,
    );
  }
  const number = (name: string): Json => numberOf(parameters, name, known);
  const wished = Object.fromEntries(ORDERED.flatMap((name) => (options[name] == null ? [] : [[name, options[name]]])));
  const order = {
    ...wished,
    runtime: options['runtime'] ?? 'api',
    agents: agentsOf(options['agents']),
    variant,
    goal: options['goal'] ?? null,
    asides: options['asides'] ?? 'P1',
    commitArtifacts: options['commitArtifacts'] ?? isClassic,
    tier,
    turns: number('turns'),
    minutes: number('minutes'),
    reviewSeconds: number('reviewSeconds'),
    breakers: { recurrences: number('sameError'), orphans: number('orphans') },
  };
  // The engine reads it from the parameters themselves: here it is only checked.
  number('clarifyTimeoutMs');
  return { order, healAttempts: number('healAttempts'), uatRounds: number('uatRounds') };
}

function agentsOf(given: Json | undefined): JsonObject {
  const { pin = [], forbid = [], count } = (given ?? {}) as { pin?: Json; forbid?: Json; count?: number };
  return { pin, forbid, ...(count !== undefined && { count }) };
}

function numberOf(parameters: JsonObject, name: string, known: readonly string[]): Json {
  const { min, max, fallback } = LIMITS[name] ?? { min: 0, max: 0, fallback: null };
  const value = parameters[name] ?? fallback;
  if (value === null) return null;
  if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value;
  throw refusal(`${name} must be a whole number from ${String(min)} to ${String(max)}`, known);
}

const refusal = (message: string, allowed: readonly string[]): UserError =>
  new UserError('PARAMETER_INVALID', message, { allowed });
