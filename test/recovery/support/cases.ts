import type { Moment } from '#engine';
import type { Place, Rehearsal } from './rehearsal.js';
import { type Kills, killsOf } from './smallest.js';

export interface KillCase extends Place {
  readonly moment: Moment;
  readonly step?: string;
  /** The state whose smallest project comes by the step, if that is another one. */
  readonly metOnWayTo?: string;
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
  const chosen = effects.filter(isDoneAlikeOnce(kills)).filter(isFirst(kills));
  return [...around(places, AROUND_A_COMMIT), ...around(chosen, AROUND_AN_EFFECT)];
}

type Effect = Rehearsal['effects'][number];
type Sieve = (effect: Effect, nth: number, all: readonly Effect[]) => boolean;

/** What several modes whose kills are in turn do alike in a state of the same name is killed once. */
const isDoneAlikeOnce =
  (kills: (mode: string) => Kills): Sieve =>
  (effect, nth, all) => {
    const isAlike = ({ mode, state, step }: Effect): boolean =>
      kills(mode) === 'in turn' && state === effect.state && step === effect.step;
    return kills(effect.mode) === 'all' || all.findIndex(isAlike) === nth;
  };

/** A mode whose kills are in turn has many effects of one kind, such as the chats of its agents: one of each kind. */
const isFirst =
  (kills: (mode: string) => Kills): Sieve =>
  (effect, nth, all) => {
    return kills(effect.mode) === 'all' || all.findIndex((one) => kindOf(one) === kindOf(effect)) === nth;
  };

const NUMBER = /^(?:[A-Z]-)?\d+$/;

/** The last word of a step. If that is a number, as of a check or a run, the whole step without its numbers. */
function kindOf({ machine, step }: Effect): string {
  const last = step.split('/').at(-1) ?? '';
  return `${machine} ${NUMBER.test(last) ? step.replaceAll(/\d+/g, '#') : last}`;
}

export const nameOfCase = ({ machine, state, moment, step }: KillCase): string =>
  `${machine} ${state}, ${moment}${step === undefined ? '' : ` ${step}`}`;
