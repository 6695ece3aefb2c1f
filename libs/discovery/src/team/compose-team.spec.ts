import { describe, expect, it } from 'vitest';
import { UserError } from '#kernel';
import { detectDomains } from '../domains/detect-domains.js';
import { agentNamed } from '../discovery.fixture.js';
import type { Discovered, FoundAgent, FoundSkill } from '../found.js';
import { composeTeam } from './compose-team.js';
import type { TeamRules } from './wishes.js';

const builtIn = (name: string, category: string, description: string): FoundAgent =>
  agentNamed(name, { source: 'built-in', path: `team/${name}.md`, category, description });

const TEAM: readonly FoundAgent[] = [
  builtIn('architecture-advisor', 'architecture', 'Reviews architecture.'),
  builtIn('docs-writer', 'documentation', 'Reviews documentation.'),
  builtIn('product', 'product', 'Reviews requirements.'),
  builtIn('sde-iii', 'engineering', 'Reviews correctness.'),
  builtIn('security-reviewer', 'security', 'Reviews security.'),
  builtIn('test-engineer', 'testing', 'Reviews tests.'),
  builtIn('ux-designer', 'frontend', 'Reviews the UI.'),
];

const discovered = (agents: readonly FoundAgent[], skills: readonly FoundSkill[] = []): Discovered => ({
  agents,
  skills,
  plugins: [],
  diagnostics: [],
});

function compose(
  request: string,
  rules: Partial<TeamRules> = {},
  more: readonly FoundAgent[] = [],
  skills: readonly FoundSkill[] = [],
) {
  return composeTeam({
    request,
    discovered: discovered([...TEAM, ...more], skills),
    domains: detectDomains(request, []),
    rules: { min: 3, max: 7, pin: [], forbid: [], ...rules },
  });
}

const namesOf = (team: ReturnType<typeof compose>) => team.seats.map(({ agent }) => agent.name);
const whyOf = (team: ReturnType<typeof compose>, name: string, source?: string) =>
  team.considered.find((one) => one.agent === name && (source ?? one.source) === one.source)?.why;

function refusal(work: () => unknown): Pick<UserError, 'code' | 'message'> {
  try {
    work();
  } catch (error) {
    if (error instanceof UserError) return error;
  }
  throw new Error('nothing was refused');
}

describe('a team', () => {
  it('has the critical reviewers that the domains call for, then whoever scores', () => {
    const team = compose('Add a login form');
    expect(namesOf(team)).toEqual(['security-reviewer', 'sde-iii', 'ux-designer']);
    expect(team.seats.map(({ isCritical }) => isCritical)).toEqual([true, true, false]);
    expect(team.seats[0]?.reasons).toEqual([
      'the request is about security, which calls for it',
      '+2 it is about security, as the request is',
      '+2 security is its category',
    ]);
    expect(whyOf(team, 'docs-writer')).toBe('nothing in the request speaks for it');
  });

  it('has no critical reviewer for nothing', () => {
    const team = compose('Correct the typos of the README', { min: 1 });
    expect(namesOf(team)).toEqual(['docs-writer']);
  });

  it('is filled to the least with those that matter most where the request says nothing', () => {
    const team = compose('Fix it');
    expect(namesOf(team)).toEqual(['sde-iii', 'architecture-advisor', 'security-reviewer']);
    expect(whyOf(team, 'architecture-advisor')).toBe('a team has at least 3');
    expect(namesOf(compose('Fix it', { min: 5, max: 5 })).slice(3)).toEqual(['test-engineer', 'docs-writer']);
  });

  it('grows with the domains, the length and the parts of a request', () => {
    const sizeOf = (request: string) => namesOf(compose(request)).length;
    expect(sizeOf('Fix the button')).toBe(3);
    expect(sizeOf('Fix the button, its tests, the docs, the login and the acceptance criteria')).toBe(7);
    expect(namesOf(compose('Fix the button and its tests and docs and login', { max: 3 }))).toHaveLength(3);
    expect(namesOf(compose('Fix it', { count: 6 }))).toHaveLength(6);
    expect(namesOf(compose('Fix it', { min: 5, max: 5 }))).toHaveLength(5);
    expect(namesOf(compose('Fix the login, the docs and the tests', { min: 1, max: 3 }))).toHaveLength(3);
  });

  it('has at most two of a category, also of those that name none', () => {
    const more = ['a', 'b', 'c', 'd'].map((nth) =>
      agentNamed(`button-${nth}`, { description: 'React component button UI.' }),
    );
    const team = compose(
      'Change the React component of the button and then its login, its docs, and its tests',
      {},
      more,
    );
    expect(namesOf(team).filter((name) => name.startsWith('button'))).toEqual(['button-a', 'button-b']);
    expect(whyOf(team, 'button-c')).toBe('there are two of the category frontend already');
    expect(namesOf(team)).not.toContain('ux-designer');
  });

  it('takes a third of a category rather than be too small', () => {
    const more = ['a', 'b', 'c'].map((nth) => agentNamed(`x-${nth}`, { category: 'same' }));
    const team = compose('Fix it', { forbid: TEAM.map(({ name }) => name) }, more);
    expect(namesOf(team)).toEqual(['x-a', 'x-b', 'x-c']);
  });

  it('gives skills of its field to an agent, where the request speaks of them', () => {
    const skill = (name: string, description: string) => ({
      ...agentNamed(name, { description }),
      kind: 'skill' as const,
    });
    const skills = [
      skill('button-kit', 'Buttons for the UI.'),
      skill('sql-kit', 'Queries of a database.'),
      skill('css', 'CSS.'),
    ];
    const team = compose('Change the button of the UI', {}, [], skills);
    expect(team.seats.map(({ agent, skills: own }) => [agent.name, own])).toContainEqual([
      'ux-designer',
      ['button-kit'],
    ]);
    expect(team.seats.flatMap(({ skills: own }) => own)).not.toContain('sql-kit');
  });
});

describe('a person', () => {
  it('pins agents, who come first whatever they score', () => {
    const team = compose('Add a login form', { pin: ['Product', 'docs-writer', 'product'] });
    expect(namesOf(team)).toEqual(['product', 'docs-writer', 'security-reviewer', 'sde-iii']);
    expect(team.seats[0]?.reasons[0]).toBe('it is pinned');
  });

  it('forbids agents; of a critical one it is noted', () => {
    const team = compose('Add a login form', { forbid: ['security-reviewer', 'product'] });
    expect(namesOf(team)).not.toContain('security-reviewer');
    expect(whyOf(team, 'security-reviewer')).toBe(
      'it is forbidden, though the request is about security, which calls for it',
    );
    expect(whyOf(team, 'product')).toBe('it is forbidden');
    expect(team.notes).toEqual([
      'security-reviewer is forbidden, though the request is about security, which calls for it',
    ]);
  });

  it('forbids by source too: the others of that name are still there', () => {
    const team = compose('Fix it', { forbid: ['built-in/test-engineer', 'repository/product'] }, [
      agentNamed('product'),
    ]);
    const forbidden = team.considered.filter(({ why }) => why === 'it is forbidden');
    expect(forbidden.map(({ agent, source }) => `${source}/${agent}`).toSorted()).toEqual([
      'built-in/test-engineer',
      'repository/product',
    ]);
  });

  it('forbids one of a name by its source, and may pin the other', () => {
    const other = agentNamed('product', { description: 'Reviews requirements.' });
    const team = compose('Fix it', { forbid: ['built-in/sde-iii', 'built-in/product'], pin: ['repository/product'] }, [other]); // prettier-ignore
    expect(namesOf(team)).not.toContain('sde-iii');
    expect(whyOf(team, 'product', 'built-in')).toBe('it is forbidden');
    expect(team.seats[0]?.agent).toBe(other);
    expect(team.notes).toEqual([
      'sde-iii is forbidden, though the request does not say what it is about, which calls for it',
    ]);
    const both = { pin: ['product'], forbid: ['repository/product'] };
    expect(refusal(() => compose('Fix it', both, [other])).code).toBe('AGENT_PINNED_AND_FORBIDDEN');
  });

  it('leaves no seat for a critical reviewer by pinning as many as there are, and is told', () => {
    const team = compose('Add a login form', { max: 3, pin: ['product', 'docs-writer', 'ux-designer'] });
    expect(namesOf(team)).toEqual(['product', 'docs-writer', 'ux-designer']);
    expect(whyOf(team, 'security-reviewer')).toBe('there is no seat left for it, though the request is about security');
  });

  it.each<readonly [Partial<TeamRules>, string, string]>([
    [{ pin: ['a', 'product'] }, 'AGENT_UNKNOWN', 'known are architecture-advisor, docs-writer, product'],
    [{ pin: ['__proto__'] }, 'AGENT_UNKNOWN', 'there is no agent __proto__'],
    [{ pin: ['user/product'] }, 'AGENT_UNKNOWN', 'there is no agent user/product'],
    [{ forbid: ['security-reviwer'] }, 'AGENT_UNKNOWN', 'there is no agent security-reviwer; known are'],
    [{ forbid: ['plugin/product'] }, 'AGENT_UNKNOWN', 'there is no agent plugin/product'],
    [{ pin: ['product'], forbid: ['Product'] }, 'AGENT_PINNED_AND_FORBIDDEN', 'take one of them back'],
    [{ max: 3, pin: TEAM.slice(0, 4).map(({ name }) => name) }, 'TOO_MANY_PINS', 'at most 3'],
    [{ count: 3, pin: TEAM.slice(0, 4).map(({ name }) => name) }, 'TOO_MANY_PINS', 'at most 3'],
    [{ count: 8 }, 'TEAM_SIZE_INVALID', '3 to 7 agents'],
    [{ min: 5, max: 5, count: 3 }, 'TEAM_SIZE_INVALID', 'exactly 5'],
    [{ forbid: TEAM.slice(0, 5).map(({ name }) => name) }, 'TEAM_TOO_SMALL', '2 are left'],
  ])('is refused %j with %s', (rules, code, message) => {
    const { code: told, message: text } = refusal(() => compose('Fix it', rules));
    expect(told).toBe(code);
    expect(text).toContain(message);
  });
});

describe('the place of a critical built-in reviewer', () => {
  const other = agentNamed('security-reviewer', { description: 'Security login form.', keywords: ['login', 'form'] });

  it('is not taken by another of its name', () => {
    const team = compose('Add a login form', {}, [other]);
    expect(team.seats.filter(({ agent }) => agent.name === other.name)).toMatchObject([
      { agent: { source: 'built-in' } },
    ]);
    expect(whyOf(team, other.name, 'repository')).toBe(
      'it takes the place of the built-in one only where it is pinned',
    );
  });

  it('is taken where that one is pinned, and is critical still', () => {
    const team = compose('Add a login form', { pin: ['security-reviewer'] }, [other]);
    expect(team.seats.filter(({ agent }) => agent.name === other.name)).toMatchObject([
      { agent: { source: 'repository' }, isCritical: true },
    ]);
    expect(team.seats[0]?.reasons[0]).toBe('it is pinned, in the place of the built-in one');
    expect(whyOf(team, other.name, 'built-in')).toBe(`the one from ${other.path} is pinned in its place`);
  });

  it('is kept where the built-in one is pinned by its source', () => {
    const team = compose('Add a login form', { pin: ['built-in/security-reviewer'] }, [other]);
    expect(team.seats[0]?.agent.source).toBe('built-in');
    const both = { pin: ['built-in/security-reviewer', 'repository/security-reviewer'] };
    expect(refusal(() => compose('Add a login form', both, [other])).code).toBe('AGENT_PINNED_TWICE');
  });
});
