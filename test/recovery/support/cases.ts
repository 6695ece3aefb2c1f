import type { Moment } from '#engine';
import type { Place, Rehearsal } from './rehearsal.js';
import { type Kills, killsOf } from './smallest.js';

export interface KillCase extends Place {
  readonly moment: Moment;
  readonly step?: string;
}

const AROUND_A_COMMIT: readonly Moment[] = ['before-commit', 'committed', 'handed-over'];
const AROUND_AN_EFFECT: readonly Moment[] = ['effect-started', 'effect-ran'];

/** Every moment of every place and effect; where a mode's kills are in turn, one moment at each. */
export function casesOf(
  { places, effects }: Pick<Rehearsal, 'places' | 'effects'>,
  kills: (mode: string) => Kills = killsOf,
): KillCase[] {
  const around = (where: readonly (Place & { step?: string })[], moments: readonly Moment[]): KillCase[] =>
    where.flatMap((place, nth) => {
      const chosen = moments.filter((_, turn) => kills(place.mode) === 'all' || turn === nth % moments.length);
      return chosen.map((moment) => ({ ...place, moment }));
    });
  return [...around(places, AROUND_A_COMMIT), ...around(effects.filter(isFirst(kills)), AROUND_AN_EFFECT)];
}

/** A mode whose kills are in turn has many effects of one kind, such as the chats of its agents: one of each kind. */
const isFirst =
  (kills: (mode: string) => Kills) =>
  (effect: Rehearsal['effects'][number], nth: number, all: Rehearsal['effects']): boolean => {
    const kindOf = ({ machine, step }: Rehearsal['effects'][number]): string =>
      `${machine} ${step.split('/').at(-1) ?? ''}`;
    return kills(effect.mode) === 'all' || all.findIndex((one) => kindOf(one) === kindOf(effect)) === nth;
  };

export const nameOfCase = ({ machine, state, moment, step }: KillCase): string =>
  `${machine} ${state}, ${moment}${step === undefined ? '' : ` ${step}`}`;
