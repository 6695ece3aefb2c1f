import { type Json, type JsonObject, UserError } from '#kernel';
import type { Mode } from './mode.js';

/** Refuses what a mode would not heed: nobody is to find out afterwards that what they asked for was left aside. */
export function mustHeed(
  {
    name, needsRepo, options, optionalGates, offeredGates = [],
  }: Pick<Mode, 'name' | 'needsRepo' | 'options' | 'optionalGates' | 'offeredGates'>, // prettier-ignore
  asked: JsonObject,
  gates: Readonly<Record<string, boolean>>,
): void {
  const known = [...(needsRepo ? ['repo'] : []), ...options];
  const unknown = Object.keys(asked).filter((one) => !known.includes(one) && !asksForNothing(asked[one] ?? null));
  if (unknown.length > 0) throw refusal(name, 'option', unknown, known);
  const switched = [...optionalGates, ...offeredGates];
  const fixed = Object.keys(gates).filter((one) => !switched.includes(one));
  if (fixed.length > 0) throw refusal(name, 'switch for the gate', fixed, switched);
}

function asksForNothing(value: Json): boolean {
  if (value === null || value === false || value === '') return true;
  return typeof value === 'object' && Object.values(value).every((one: Json) => asksForNothing(one));
}

function refusal(mode: string, what: string, unknown: readonly string[], known: readonly string[]): UserError {
  const others = known.length > 0 ? `it knows ${known.join(', ')}` : 'it knows none';
  return new UserError('OPTION_NOT_AVAILABLE', `the mode ${mode} has no ${what} ${unknown.join(', ')}; ${others}`, {
    mode,
    unknown,
    known,
  });
}
