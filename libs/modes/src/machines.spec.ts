import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { allowedCommands, initialSnapshot, type Machine, machineFaults, wordFaults } from '#engine';
import { classicMachine } from './classic/machine.js';
import { codingMachine } from './coding/machine.js';
import { documentedMachines } from './documented-machines.js';
import { renderMachinesPage } from './machines-page.js';
import { classicSeed, codingSeed, type SeedMachine, workSeed } from './seeds.fixture.js';
import { workMachine } from './work/machine.js';

/** Of the tables that stand in archives already: a change of one needs the next. */
const VERSIONS: Readonly<Record<string, number>> = { 'qralph-coding': 4, 'qralph-work': 5, 'qralph-classic': 4 };

const all: [string, Machine, SeedMachine][] = [
  ['qralph-coding', codingMachine, codingSeed],
  ['qralph-work', workMachine, workSeed],
  ['qralph-classic', classicMachine, classicSeed],
];

function transitionsOf(machine: Machine): Set<string> {
  const transitions = new Set<string>();
  for (const [from, state] of Object.entries(machine.states)) {
    for (const { to } of Object.values(state.on).flat()) transitions.add(`${from} -> ${to}`);
  }
  return transitions;
}

describe.each(all)('%s beside its seed', (name, machine, seed) => {
  const drawn = transitionsOf(machine);
  const added = seed.additions.flatMap((addition) => addition.transitions);

  it('is sound', () => {
    expect(machine).toMatchObject({ name, version: VERSIONS[name], initial: 'INIT', abortTo: 'TEAM_SHUTDOWN' });
    expect(machineFaults(machine)).toEqual([]);
  });

  it('has every state and every transition of the seed, some of them by way of SCOPING', () => {
    expect(seed.states.filter((state) => !machine.states[state])).toEqual([]);
    const isDrawn = (transition: string): boolean => {
      const [from, to] = transition.split(' -> ');
      const byScoping = drawn.has(`${from ?? ''} -> SCOPING`) && drawn.has(`SCOPING -> ${to ?? ''}`);
      return drawn.has(transition) || byScoping;
    };
    expect(seed.transitions.filter((transition) => !isDrawn(transition))).toEqual([]);
  });

  it('has no other transition than those and the named additions', () => {
    const known = new Set([...seed.transitions, ...added]);
    expect([...drawn].filter((transition) => !known.has(transition))).toEqual([]);
  });

  it('has every named addition, each once and not already in the seed', () => {
    expect(added.filter((transition) => !drawn.has(transition))).toEqual([]);
    expect(new Set([...added, ...seed.transitions]).size).toBe(added.length + seed.transitions.length);
  });
});

it.each(documentedMachines.map((machine) => [machine.name, machine] as const))(
  '%s says at every gate what each option leads to, and what happens by itself',
  (_name, machine) => {
    expect(wordFaults(machine)).toEqual([]);
  },
);

describe.each(all)('%s, against the mistakes of its ancestors', (_name, machine) => {
  const states = Object.entries(machine.states);

  it('has SELF_HEAL, BLOCKED, FUTURE_REQ and TEAM_SHUTDOWN, each with something to do or to ask', () => {
    expect(machine.states['SELF_HEAL']?.do).toBe('heal');
    expect(machine.states['BLOCKED']).toMatchObject({ remembers: true, gate: { name: 'resolve-problem' } });
    expect(machine.states['FUTURE_REQ']?.do).toBe('defer-item');
    expect(machine.states['TEAM_SHUTDOWN']).toEqual({ do: 'shut-down-team', end: 'completed', on: {} });
  });

  it('has one terminal state', () => {
    expect(states.filter(([, state]) => state.end).map(([name]) => name)).toEqual(['TEAM_SHUTDOWN']);
  });

  it('tells of its completion on entering COMPLETE, and nowhere else', () => {
    expect(states.filter(([, state]) => state.completes).map(([name]) => name)).toEqual(['COMPLETE']);
  });

  it('lets nothing run in a gate, and only CLARIFYING be left by a timer', () => {
    const gates = states.filter(([, state]) => state.gate);
    expect(gates.filter(([, state]) => state.do)).toEqual([]);
    expect(gates.filter(([, state]) => state.timer).map(([name]) => name)).toEqual(
      machine === classicMachine ? ['CLARIFYING'] : [],
    );
  });

  it('ends no loop that ran out as if the work were done', () => {
    for (const [, state] of states) {
      for (const branches of Object.values(state.on).filter((list) => list.some((branch) => branch.bound))) {
        const last = branches.at(-1);
        if (last && !last.bound) expect(['BLOCKED', 'PLANNING', 'USER_REVIEW', 'COMPLETE']).toContain(last.to);
        const countsWork = branches.some(({ bound }) => bound && bound.name !== 'escalations');
        if (countsWork) expect(last).toEqual({ to: 'BLOCKED' });
      }
    }
  });

  it('lets every working state block, and nothing else than a person undo it', () => {
    for (const [name, state] of states.filter(([, one]) => one.do && !one.end)) {
      expect([name, state.on['work:blocked']]).toEqual([name, [{ to: 'BLOCKED' }]]);
    }
  });
});

describe('commands', () => {
  const SKIPPABLE = ['CLARIFYING', 'REVIEWING', 'EXECUTING', 'SELF_HEAL', 'UAT'];
  const ESCALATABLE = ['PLANNING', 'USER_REVIEW', 'SCOPING', 'EXECUTING'];

  it.each(all)('of %s are allowed where they should be, and nowhere else', (_name, machine) => {
    for (const [state, { end }] of Object.entries(machine.states)) {
      const snapshot = { ...initialSnapshot(machine, {}), state, returnTo: 'EXECUTING' };
      const allowed = allowedCommands(machine, snapshot, 'human');
      expect([state, ...allowed]).toEqual([
        state,
        ...(end ? [] : ['PAUSE']),
        ...(SKIPPABLE.includes(state) ? ['SKIP'] : []),
        ...(end ? [] : ['ABORT']),
        'STATUS',
        ...(machine === workMachine && ESCALATABLE.includes(state) ? ['ESCALATE'] : []),
        ...(state === 'SELF_HEAL' || state === 'BLOCKED' ? ['RETRY'] : []),
      ]);
    }
  });

  it.each(all)('of a service leave no gate of %s', (_name, machine) => {
    for (const [state] of Object.entries(machine.states).filter(([, one]) => one.gate)) {
      const snapshot = { ...initialSnapshot(machine, {}), state, returnTo: 'EXECUTING' };
      expect(allowedCommands(machine, snapshot, 'service')).toEqual(['PAUSE', 'ABORT', 'STATUS']);
    }
  });
});

describe('docs/machines.md', () => {
  const page = renderMachinesPage(documentedMachines);

  it('shows the tables as they are', () => {
    const file = readFileSync(new URL('../../../docs/machines.md', import.meta.url), 'utf8');
    expect(file, 'stale: build, then run node scripts/render-machines.mjs').toBe(page);
  });
});
