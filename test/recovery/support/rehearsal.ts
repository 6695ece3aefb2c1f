import type { Machine } from '#engine';
import { inLab } from './in-lab.js';
import type { Lab } from './lab.js';
import { Lanes } from './lanes.js';
import { Person, type Target } from './person.js';
import { isOwnState, smallest } from './smallest.js';

/** A state that some worker leaves, in the mode whose projects come by it. */
export interface Place extends Target {
  readonly mode: string;
}

export interface Rehearsal {
  readonly places: readonly Place[];
  /** What nobody came by although it can be left. */
  readonly unreached: readonly Place[];
  readonly effects: readonly SeenEffect[];
}

export interface SeenEffect extends Place {
  readonly step: string;
  /** The state whose smallest project came by it first. Other projects may not. */
  readonly metOnWayTo: Place;
}

interface Seen {
  readonly states: Set<string>;
  readonly effects: Map<string, SeenEffect>;
}

/** More than a machine of two cores has: a project also waits. */
const AT_ONCE = 3;

/**
 * Runs one project towards every state of every machine the service offers, without any fault; with `only`, of the
 * machines of these modes. What it comes by is what the other tests kill at; the steps of activities are in no table
 * and are learnt here. Each mode has a lab of its own.
 */
export async function rehearse(only: readonly string[] | null = null): Promise<Rehearsal> {
  const places = await inLab('Postgres', (lab) => Promise.resolve(placesOf(lab, only)));
  const lanes = new Lanes(AT_ONCE);
  const modes = [...new Set(places.map(({ mode }) => mode))];
  const seen = await Promise.all(
    modes.map((mode) => lanes.run(() => inLab('Postgres', (lab) => seenIn(lab, mode, places)))),
  );
  const isSeen = (place: Place): boolean => seen.some(({ states }) => states.has(nameOf(place)));
  const effects = new Map(seen.flatMap((one) => [...one.effects]));
  return { places, unreached: places.filter((place) => !isSeen(place)), effects: [...effects.values()] };
}

async function seenIn(lab: Lab, mode: string, places: readonly Place[]): Promise<Seen> {
  const seen: Seen = { states: new Set(), effects: new Map() };
  await lab.process({ role: 'worker' });
  for (const place of places.filter((one) => one.mode === mode)) {
    if (seen.states.has(nameOf(place))) continue;
    await lab.begin(smallest(place.mode, place.state));
    const person = new Person(lab, place);
    await person.attend(`a rehearsal of ${nameOf(place)}`, 120_000, () => person.hasEnded());
    await takeNote(lab, places, seen, place);
  }
  return seen;
}

const nameOf = ({ machine, state }: Target): string => `${machine}/${state}`;

/** A machine that several modes share is taken once, in the first of them. */
function placesOf({ modes }: Lab, only: readonly string[] | null): Place[] {
  const all = (only ?? modes.names).flatMap((mode) => {
    const { machine, childMachines } = modes.mode(mode);
    const machines = [machine, ...childMachines.map((child) => child.machine)];
    return machines.flatMap((one) =>
      leftStates(one)
        .filter((state) => isOwnState(mode, state))
        .map((state): Place => ({ mode, machine: one.name, state })),
    );
  });
  const names = all.map(nameOf);
  return all.filter((place, nth) => names.indexOf(nameOf(place)) === nth);
}

const leftStates = (machine: Machine): string[] =>
  Object.entries(machine.states).flatMap(([name, state]) => (state.do || !state.end ? [name] : []));

async function takeNote({ pool, modes }: Lab, places: readonly Place[], seen: Seen, metOnWayTo: Place): Promise<void> {
  const { rows } = await pool.query<{ project_id: string; machine: string; type: string; to: string; key: string }>(
    `SELECT e.project_id, p.machine, e.type, e.data::json->>'to' AS to, e.data::json->>'key' AS key
     FROM event e JOIN project p ON p.id = e.project_id WHERE e.type IN ('state.entered', 'effect.started')
     ORDER BY e.at, e.project_id, e.seq`,
  );
  const standing = new Map<string, string>();
  for (const { project_id, machine, type, to, key } of rows) {
    const state = standing.get(project_id) ?? modes.newest(machine)?.machine.initial ?? '';
    if (type === 'state.entered') standing.set(project_id, to);
    const place = places.find((one) => one.machine === machine && one.state === (standing.get(project_id) ?? state));
    if (!place) continue;
    seen.states.add(nameOf(place));
    const step = type === 'effect.started' ? key.split('/').slice(2).join('/') : null;
    const name = `${nameOf(place)}/${step ?? ''}`;
    if (step !== null && !seen.effects.has(name)) seen.effects.set(name, { ...place, step, metOnWayTo });
  }
}
