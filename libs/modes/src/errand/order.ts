import { type JsonObject, UserError } from '#kernel';
import { TIERS } from '#models';

const LIMITS: Readonly<Record<string, { min: number; max: number; fallback: number }>> = {
  turns: { min: 1, max: 500, fallback: 60 },
  minutes: { min: 1, max: 1_440, fallback: 60 },
  attempts: { min: 0, max: 20, fallback: 5 },
};
const ORDERED = ['setup', 'copy', 'verify', 'sandbox', 'models'];
export const ERRAND_OPTIONS: readonly string[] = ['goal', 'runtime', ...ORDERED];

/** The context that an errand begins with: what its user asked for, and how far the agent may go. */
export function beginErrand(
  parameters: JsonObject,
  _gates: Readonly<Record<string, boolean>>,
  options: JsonObject,
): JsonObject {
  const known = [...Object.keys(LIMITS), 'tier'];
  const unknown = Object.keys(parameters).filter((name) => !known.includes(name));
  if (unknown.length > 0) throw refusal(`an errand has no parameter ${unknown.join(', ')}`, known);
  const { tier = 'medium' } = parameters;
  if (typeof tier !== 'string' || !TIERS.some((one) => one === tier))
    throw refusal(`tier must be one of ${TIERS.join(', ')}`, known);
  const wished = Object.fromEntries(ORDERED.flatMap((name) => (options[name] == null ? [] : [[name, options[name]]])));
  const [turns, minutes, attempts] = ['turns', 'minutes', 'attempts'].map((name) => numberOf(parameters, name, known));
  const order = {
    ...wished,
    runtime: options['runtime'] ?? 'api',
    goal: options['goal'] ?? null,
    tier,
    turns: turns ?? 0,
    minutes: minutes ?? 0,
  };
  return { order, attempts: attempts ?? 0 };
}

function numberOf(parameters: JsonObject, name: string, known: readonly string[]): number {
  const { min, max, fallback } = LIMITS[name] ?? { min: 0, max: 0, fallback: 0 };
  const value = parameters[name] ?? fallback;
  if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value;
  throw refusal(`${name} must be a whole number from ${String(min)} to ${String(max)}`, known);
}

const refusal = (message: string, allowed: readonly string[]): UserError =>
  new UserError('PARAMETER_INVALID', message, { allowed });
