import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { builtInTeam, type ComposedTeam, composeTeam, detectDomains, discover, type Discovered } from '#discovery';
import { initialSnapshot, type Machine, machineFaults, type PrincipalKind, transition } from '#engine';
import { afterFailure } from '#self-heal';
import { classicMachine } from './classic/machine.js';
import { classicMode } from './classic/mode.js';
import { CLASSIC_TEAM } from './classic/plan.activity.js';
import { fakeParts } from './coding/coding.fixture.js';
import { tierFor } from './coding/heal-problem.js';
import { codingMachine } from './coding/machine.js';
import { codingMode } from './coding/mode.js';
import { controlPageOf } from './coding/readable/control-page.js';
import { from } from './walk.fixture.js';
import { WORK_TEAM } from './work/discover.activity.js';
import { workMachine } from './work/machine.js';
import { workMode } from './work/mode.js';
import { reasonsToEscalate, workGuards } from './work/outgrown.js';

/** What the public ancestors got wrong, as far as it concerns these modes. */
const machines = [codingMachine, workMachine, classicMachine].map((machine) => [machine.name, machine] as const);

describe.each(machines)('2. a rollback in %s', (_name, machine) => {
  it('does not reset the attempts: the larger models are reached', () => {
    const walk = from(machine, 'EXECUTING').on('problem:found', { problem: 'P-001' });
    const tiers: string[] = [];
    const rollbacks: number[] = [];
    for (let failures = 0, attempt = 1; walk.state === 'SELF_HEAL'; attempt += 1) {
      tiers.push(tierFor(attempt));
      const { consecutive, rollsBack } = afterFailure(failures);
      if (rollsBack) rollbacks.push(attempt);
      failures = consecutive;
      walk.on('attempt:failed', { problem: 'P-001' });
    }
    expect(tiers).toEqual(['small', 'small', 'medium', 'medium', 'large']);
    expect([rollbacks, walk.state]).toEqual([[3], 'BLOCKED']);
  });
});

// In a folder that holds nothing of its own only the built-in team is found.
let builtIn: Discovered;
beforeAll(async () => {
  const team = builtInTeam();
  builtIn = await discover({ repo: team, userFolder: null, builtIn: team });
});

const composed = (
  request: string,
  rules: { min: number; max: number; count?: number; pin?: string[] },
): ComposedTeam => {
  const domains = detectDomains(request, []);
  return composeTeam({ request, discovered: builtIn, domains, rules: { pin: [], forbid: [], ...rules } });
};

describe('3. the escalation check of work mode', () => {
  /** Where one of its causes can have changed. */
  const asked = [
    ['DISCOVERING', 'team:composed'],
    ['PLANNING', 'plan:ready'],
    ['EXECUTING', 'task:finished'],
    ['EXECUTING', 'feedback:wanted'],
    ['EXECUTING', 'problem:found'],
    ['EXECUTING', 'work:verified'],
    ['SELF_HEAL', 'attempt:failed'],
    ['SELF_HEAL', 'SKIP'],
    ['SELF_HEAL', 'RETRY'],
  ] as const;
  const outgrown = { domains: ['a', 'b', 'c', 'd'], problem: 'P' };

  it.each(asked)('is called by the table, and by its own guard: %s on %s', (state, type) => {
    expect(reasonsToEscalate({ context: outgrown })).not.toEqual([]);
    const at = { ...initialSnapshot(workMachine, outgrown), state };
    const moved = transition(workMachine, at, { type, by: 'engine' }, workGuards);
    expect(moved).toMatchObject({ kind: 'moved', to: 'ESCALATE' });
    const small = { ...initialSnapshot(workMachine, { problem: 'P' }), state };
    expect(transition(workMachine, small, { type, by: 'engine' }, workGuards)).not.toMatchObject({ to: 'ESCALATE' });
  });
});

describe('4. the size of a team', () => {
  const request = fc.array(fc.constantFrom('login', 'button', 'database', 'and', 'deploy', 'docs', 'API', 'fix', 'React')).map((all) => all.join(' ')); // prettier-ignore

  it('is kept by the selector: three to seven in coding, five in classic, one to three in work mode', () => {
    fc.assert(
      fc.property(request, (text) => {
        const team = composed(text, { min: 3, max: 7 }).seats;
        expect(team.length).toBeGreaterThanOrEqual(3);
        expect(team.length).toBeLessThanOrEqual(7);
        expect(composed(text, CLASSIC_TEAM).seats).toHaveLength(5);
        const small = composed(text, WORK_TEAM).seats.length;
        expect(small >= 1 && small <= 3).toBe(true);
      }),
      { numRuns: 50 },
    );
  });

  it('cannot be asked beyond', () => {
    expect(() => composed('Add a button', { ...CLASSIC_TEAM, count: 6 })).toThrow();
    expect(() => composed('Add a button', { min: 3, max: 7, count: 8 })).toThrow();
    expect(() => composed('Add a button', { ...WORK_TEAM, count: 4 })).toThrow('1 to 3 agents');
    expect(() => composed('Add a button', { ...WORK_TEAM, pin: ['sde-iii', 'product', 'devops', 'ux-designer'] })).toThrow('at most 3'); // prettier-ignore
  });
});

it('5. CONTROL.md as it begins commands nothing: no line of it is a word of command', () => {
  const lines = controlPageOf({ name: '001-x', machine: 'qralph-coding' }).split('\n').map((line) => line.trim().toUpperCase()); // prettier-ignore
  for (const word of ['PAUSE', 'RESUME', 'SKIP', 'ABORT', 'STATUS', 'RETRY', 'ESCALATE'])
    expect(lines).not.toContain(word);
});

it.each([codingMode(fakeParts().parts), workMode(fakeParts().parts), classicMode(fakeParts().parts)])(
  '7. every state of $name that has something to do has code that does it',
  ({ machine, activities, guards, childMachines }) => {
    const provided = { activities: new Set(Object.keys(activities)), guards: new Set(Object.keys(guards)) };
    expect(machineFaults(machine, provided)).toEqual([]);
    const wanted = new Set(Object.values(machine.states).flatMap(({ do: activity }) => activity ?? []));
    expect([...provided.activities].filter((activity) => !wanted.has(activity))).toEqual([]);
    for (const child of childMachines) {
      const given = {
        activities: new Set(Object.keys(child.activities)),
        guards: new Set(Object.keys(child.guards)),
      };
      expect(machineFaults(child.machine, given)).toEqual([]);
    }
  },
);

describe.each(machines)('8. a gate of %s', (_name, machine) => {
  const gates = Object.entries(machine.states).filter(([, { gate }]) => gate);

  it.each(['engine', 'service'] satisfies PrincipalKind[])('is decided by a person, and not by the %s', (by) => {
    for (const [state, { gate, on }] of gates) {
      const snapshot = { ...initialSnapshot(machine, {}), state, returnTo: 'EXECUTING' };
      const open = Object.fromEntries(Object.values(on).flat().flatMap(({ when }) => (when ? [[when, () => true]] : []))); // prettier-ignore
      for (const type of Object.values(gate?.options ?? {})) {
        expect(transition(machine, snapshot, { type, by }, open)).toMatchObject({
          kind: 'refused',
          reason: 'needs-human',
        });
        expect(transition(machine, snapshot, { type, by: 'human' }, open).kind).toBe('moved');
      }
    }
    expect(gates.length).toBeGreaterThan(0);
  });
});

it('9. agents are found by words: there is no "ui" in "build" and no "api" in "capital"', () => {
  const reasons = (request: string): string =>
    composed(request, { min: 3, max: 7 }).seats.flatMap((seat) => seat.reasons).join('; '); // prettier-ignore
  expect(detectDomains('Rebuild the capital', [])).toEqual([]);
  expect(reasons('Rebuild the capital')).not.toMatch(/\b(?:ui|api)\b/i);
  expect(detectDomains('Mend the UI of the login', []).length).toBeGreaterThan(0);
});

const COUNTERS = 'heal-attempts heal-attempts/P uat-rounds tasks fixes trials drafts escalations'.split(' ');

describe.each(machines)('10. a loop of %s that ran out', (_name, machine: Machine) => {
  it('is for a person, and never a completed project', () => {
    const loops = Object.entries(machine.states).flatMap(([state, { on }]) =>
      Object.entries(on).filter(([, branches]) => branches.some(({ bound }) => bound && bound.name !== 'escalations')).map(([event]) => [state, event] as const),
    ); // prettier-ignore
    expect(loops.length).toBeGreaterThan(5);
    for (const [state, event] of loops) {
      const counters = Object.fromEntries(COUNTERS.map((name) => [name, 1_000_000]));
      const spent = { ...initialSnapshot(machine, {}), state, counters };
      const result = transition(machine, spent, { type: event, by: 'engine', data: { problem: 'P' } });
      expect([state, event, result]).toEqual([state, event, expect.objectContaining({ kind: 'moved', to: 'BLOCKED' })]);
    }
  });
});
