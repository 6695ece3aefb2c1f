import type { Moment } from '#engine';
import type { Target } from './person.js';
import type { Place, Rehearsal, SeenEffect } from './rehearsal.js';
import { type Kills, killsOf } from './smallest.js';

/** Where one worker dies. */
export interface Kill extends Target {
  readonly moment: Moment;
  readonly step?: string;
}

/** One project, and the workers that die on its way, one after the other. */
export interface KillCase {
  /** The state whose smallest project comes by all of them. */
  readonly wayTo: Place;
  readonly kills: readonly Kill[];
}

/** A project of a mode that takes long is killed so often. Its other workers begin with what the last one left. */
const MOST_KILLS = 3;

const AROUND_A_COMMIT: readonly Moment[] = ['before-commit', 'committed', 'handed-over'];
const AROUND_AN_EFFECT: readonly Moment[] = ['effect-started', 'effect-ran'];

/** Every moment of every place and effect; if a mode's kills are in turn, one moment at each. */
export function casesOf(
  { places, effects }: Pick<Rehearsal, 'places' | 'effects'>,
  kills: (mode: string) => Kills = killsOf,
): KillCase[] {
  const momentsOf = (mode: string, moments: readonly Moment[], nth: number): readonly Moment[] =>
    moments.filter((_, turn) => kills(mode) === 'all' || turn === nth % moments.length);
  const atPlaces = places.flatMap((place, nth) =>
    momentsOf(place.mode, AROUND_A_COMMIT, nth).map((moment) => ({ wayTo: place, kills: [killOf(place, moment)] })),
  );
  const chosen = effects.filter(isDoneAlikeOnce(kills)).filter(isFirst(kills));
  const atEffects = chosen.flatMap((effect, nth) =>
    momentsOf(effect.mode, AROUND_AN_EFFECT, nth).map((moment) => ({
      wayTo: effect.metOnWayTo,
      kills: [killOf(effect, moment)],
    })),
  );
  const isInTurn = ({ wayTo }: KillCase): boolean => kills(wayTo.mode) === 'in turn';
  return [...atPlaces, ...atEffects.filter((one) => !isInTurn(one)), ...joinCases(atEffects.filter(isInTurn))];
}

const killOf = ({ machine, state, step }: Target & { readonly step?: string }, moment: Moment): Kill => ({
  machine,
  state,
  moment,
  ...(step !== undefined && { step }),
});

/** Cases of one project become few cases with several kills, far from each other. */
function joinCases(cases: readonly KillCase[]): KillCase[] {
  const byWay = Map.groupBy(cases, ({ wayTo: { mode, machine, state } }) => `${mode} ${machine} ${state}`);
  return [...byWay.values()].flatMap((group) => {
    const size = Math.ceil(group.length / MOST_KILLS);
    return group.slice(0, size).map(({ wayTo }, nth) => ({
      wayTo,
      kills: group.filter((_, index) => index % size === nth).flatMap((one) => one.kills),
    }));
  });
}

type Sieve = (effect: SeenEffect, nth: number, all: readonly SeenEffect[]) => boolean;

/** What several modes whose kills are in turn do alike in a state of the same name is killed once. */
const isDoneAlikeOnce =
  (kills: (mode: string) => Kills): Sieve =>
  (effect, nth, all) => {
    const isAlike = ({ mode, state, step }: SeenEffect): boolean =>
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
function kindOf({ machine, step }: SeenEffect): string {
  const last = step.split('/').at(-1) ?? '';
  return `${machine} ${NUMBER.test(last) ? step.replaceAll(/\d+/g, '#') : last}`;
}

export const nameOfCase = ({ kills }: KillCase): string => kills.map(nameOfKill).join('; ');

const nameOfKill = ({ machine, state, moment, step }: Kill): string =>
  `${machine} ${state}, ${moment}${step === undefined ? '' : ` ${step}`}`;
