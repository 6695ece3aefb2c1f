import { describe, expect, it } from 'vitest';
import { type Command, commanded, COMMANDS, type Guards, initialSnapshot, type Machine, type Snapshot } from '#engine';
import { documentedMachines } from './documented-machines.js';

type By = 'human' | 'service';
type Where = Partial<Record<'SKIP' | 'ESCALATE' | 'RETRY', Readonly<Record<string, 'anybody' | 'people'>>>>;

const SKIPPED = { REVIEWING: 'anybody', EXECUTING: 'anybody', SELF_HEAL: 'anybody', UAT: 'anybody' } as const;
const RETRIED = { SELF_HEAL: 'anybody', BLOCKED: 'people' } as const;

/**
 * What is promised of each command, written down apart from the tables that keep it: where it may be given, and by whom.
 * A gate is left by people alone, whatever the command.
 */
const PROMISED: Readonly<Record<string, Where>> = {
  'qralph-coding': { SKIP: SKIPPED, RETRY: RETRIED },
  'qralph-classic': { SKIP: { CLARIFYING: 'people', ...SKIPPED }, RETRY: RETRIED },
  'qralph-work': {
    SKIP: SKIPPED,
    RETRY: RETRIED,
    ESCALATE: { PLANNING: 'anybody', USER_REVIEW: 'people', SCOPING: 'anybody', EXECUTING: 'anybody' },
  },
  errand: { RETRY: { BLOCKED: 'people' } },
  drill: { SKIP: { COOLING: 'anybody' } },
};

const MOMENTS = {
  'at work': {},
  paused: { paused: true },
  'with a failed step': { wait: { kind: 'step-failed', code: 'X', message: 'x' } },
  'paused with a failed step': { paused: true, wait: { kind: 'step-failed', code: 'X', message: 'x' } },
  aborting: { aborting: true },
} as const satisfies Record<string, Partial<Snapshot>>;
type Moment = keyof typeof MOMENTS;

const IS_PAUSED: readonly Moment[] = ['paused', 'paused with a failed step'];
const HAS_FAILED: readonly Moment[] = ['with a failed step', 'paused with a failed step'];

function isPromised(machine: Machine, state: string, moment: Moment, command: Command, by: By): boolean {
  const { end, do: activity } = machine.states[state] ?? {};
  if (command === 'STATUS') return true;
  // A terminal state that has nothing to do is the end; one that tidies up can still be waited for and tried again.
  if (end !== undefined && activity === undefined) return false;
  const isPaused = IS_PAUSED.includes(moment);
  switch (command) {
    case 'PAUSE':
      return end === undefined && !isPaused;
    case 'RESUME':
      return isPaused;
    case 'ABORT':
      return end === undefined && moment !== 'aborting';
    case 'SKIP':
    case 'ESCALATE':
    case 'RETRY': {
      if (isPaused) return false;
      if (command === 'RETRY' && HAS_FAILED.includes(moment)) return true;
      const who = PROMISED[machine.name]?.[command]?.[state];
      return who === 'anybody' || (who === 'people' && by === 'human');
    }
  }
}

const openGuards = (machine: Machine): Guards => {
  const branches = Object.values(machine.states).flatMap(({ on }) => Object.values(on).flat());
  return Object.fromEntries(branches.flatMap(({ when }) => (when === undefined ? [] : [[when, () => true]])));
};

const machines = documentedMachines.filter(({ name }) => Object.hasOwn(PROMISED, name));

describe.each(machines.map((machine) => [machine.name, machine] as const))('the commands of %s', (_name, machine) => {
  const guards = openGuards(machine);
  const states = Object.keys(machine.states);
  const returnTo = states.find((state) => state === 'EXECUTING' || state === 'WORKING') ?? null;

  it.each(Object.keys(MOMENTS) as Moment[])('are taken where that is promised, and refused elsewhere: %s', (moment) => {
    const [promised, found]: [string[], string[]] = [[], []];
    for (const state of states) {
      for (const by of ['human', 'service'] as const) {
        const snapshot: Snapshot = { ...initialSnapshot(machine, {}), state, returnTo, ...MOMENTS[moment] };
        for (const command of COMMANDS) {
          const cell = `${state} ${command} ${by}`;
          const isTaken = commanded(machine, snapshot, command, by, guards).kind !== 'refused';
          promised.push(`${cell}: ${isPromised(machine, state, moment, command, by) ? 'taken' : 'refused'}`);
          found.push(`${cell}: ${isTaken ? 'taken' : 'refused'}`);
        }
      }
    }
    expect(found).toEqual(promised);
    expect(found).toHaveLength(states.length * 2 * COMMANDS.length);
  });
});

it('every machine that people start has its commands promised', () => {
  const children = ['review', 'reviewer', 'drill-task'];
  const others = documentedMachines.map(({ name }) => name).filter((name) => !Object.hasOwn(PROMISED, name));
  expect(others.filter((name) => !children.some((child) => name.includes(child)))).toEqual([]);
  expect(machines.map(({ name }) => name).toSorted()).toEqual(Object.keys(PROMISED).toSorted());
});
