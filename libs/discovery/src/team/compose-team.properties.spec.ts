import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UserError } from '#kernel';
import { agentNamed } from '../discovery.fixture.js';
import { detectDomains } from '../domains/detect-domains.js';
import { CRITICAL_REVIEWERS, type FoundAgent } from '../found.js';
import { composeTeam, type ComposedTeam, type TeamWish } from './compose-team.js';
import { calledFor } from './critical-seats.js';

const word = fc.constantFrom('login', 'button', 'tests', 'docs', 'database', 'api', 'slow', 'deploy', 'the', 'and', 'build', 'refactor'); // prettier-ignore
const text = fc.array(word, { minLength: 1, maxLength: 12 }).map((words) => words.join(' '));
const agent = fc.record({
  name: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'constructor', 'product'),
  description: text,
  category: fc.constantFrom(null, 'security', 'frontend', 'x'),
});
const critical: readonly FoundAgent[] = CRITICAL_REVIEWERS.map((name) => agentNamed(name, { source: 'built-in', category: name, isCritical: true })); // prettier-ignore

const wish: fc.Arbitrary<TeamWish> = fc
  .record({
    request: text,
    agents: fc.uniqueArray(agent, { selector: ({ name }) => name, maxLength: 7 }),
    copies: fc.subarray([...CRITICAL_REVIEWERS]),
    min: fc.integer({ min: 1, max: 3 }),
    more: fc.integer({ min: 0, max: 4 }),
    pin: fc.subarray(['a', 'b', 'product', 'sde-iii', 'security-reviewer']),
    forbid: fc.subarray(['c', 'd', 'architecture-advisor', 'security-reviewer']),
  })
  .map(({ request, agents, copies, min, more, pin, forbid }) => ({
    request,
    domains: detectDomains(request, []),
    discovered: {
      agents: [
        ...agents.map(({ name, ...rest }) => agentNamed(name, rest)),
        ...copies.map((name) => agentNamed(name, { description: request })),
        ...critical,
      ],
      skills: [],
      plugins: [],
      diagnostics: [],
    },
    rules: { min, max: min + more, pin, forbid: forbid.filter((name) => isThere(name, agents)) },
  }));

const isThere = (name: string, agents: readonly { readonly name: string }[]): boolean =>
  [...agents, ...critical].some((one) => one.name === name);

/** Null where it was refused, which must be the caller's fault. */
function composed(asked: TeamWish): ComposedTeam | null {
  try {
    return composeTeam(asked);
  } catch (error) {
    if (error instanceof UserError) return null;
    throw error;
  }
}

const holds = (property: (team: ComposedTeam, asked: TeamWish) => void): void =>
  fc.assert(
    fc.property(wish, (asked) => {
      const team = composed(asked);
      if (team) property(team, asked);
    }),
    { numRuns: 300 },
  );

describe('every team', () => {
  it('is as large as it may be, and has each name once', () => {
    holds(({ seats }, { rules: { min, max } }) => {
      expect(seats.length).toBeGreaterThanOrEqual(min);
      expect(seats.length).toBeLessThanOrEqual(max);
      expect(new Set(seats.map((seat) => seat.agent.name)).size).toBe(seats.length);
    });
  });

  it('has every pinned agent and no forbidden one', () => {
    holds(({ seats }, { rules: { pin, forbid } }) => {
      const names = seats.map((seat) => seat.agent.name);
      expect(names).toEqual(expect.arrayContaining([...pin]));
      expect(names.filter((name) => forbid.includes(name))).toEqual([]);
    });
  });

  it('has every critical reviewer that is called for, unless it is forbidden or pins leave no seat', () => {
    holds(({ seats }, { domains, rules: { max, forbid } }) => {
      const names = seats.map((seat) => seat.agent.name);
      const missing = [...calledFor(domains).keys()].filter((name) => !names.includes(name) && !forbid.includes(name));
      if (missing.length > 0) {
        expect(seats).toHaveLength(max);
        const others = seats.filter(({ isCritical, reasons }) => !isCritical && reasons[0] !== 'it is pinned');
        expect(others).toEqual([]);
      }
    });
  });

  it('has a built-in reviewer in each critical seat that nobody pinned', () => {
    holds(({ seats }, { rules: { pin } }) => {
      const unpinned = seats.filter(({ isCritical, agent: { name } }) => isCritical && !pin.includes(name));
      expect(unpinned.filter(({ agent: { source } }) => source !== 'built-in')).toEqual([]);
    });
  });

  it('is the same in whatever order its agents were found', () => {
    holds((team, asked) => {
      const { discovered } = asked;
      const turned = { ...discovered, agents: discovered.agents.toReversed() };
      expect(composeTeam({ ...asked, discovered: turned })).toEqual(team);
    });
  });

  it('considered everybody, and says why', () => {
    holds(({ considered, seats }, { discovered }) => {
      expect(considered).toHaveLength(discovered.agents.length);
      expect(considered.filter(({ isSeated }) => isSeated)).toHaveLength(seats.length);
      expect(considered.every(({ why }) => why !== '')).toBe(true);
    });
  });
});
