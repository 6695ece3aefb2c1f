import { UserError } from '#kernel';
import type { Domain } from '../domains/detect-domains.js';
import { byNearness, byText, type Discovered, type FoundAgent } from '../found.js';
import { calledFor } from './critical-seats.js';
import { asked, domainsOf, scoreOf } from './score.js';
import { skillsFor, wantedSkills } from './skills-for.js';
import { type Candidate, isCritical, Table } from './table.js';
import { teamSize } from './team-size.js';
import { isAmong, isNamed, type TeamRules, type Wishes, wishesOf } from './wishes.js';

export interface Seat {
  readonly agent: FoundAgent;
  readonly score: number;
  readonly reasons: readonly string[];
  /** Where it is lost, a person is asked. */
  readonly isCritical: boolean;
  readonly skills: readonly string[];
}

export interface Considered {
  readonly agent: string;
  readonly source: FoundAgent['source'];
  readonly path: string;
  readonly score: number;
  readonly reasons: readonly string[];
  readonly isSeated: boolean;
  /** Why it has a seat, or has none. */
  readonly why: string;
}

export interface ComposedTeam {
  readonly seats: readonly Seat[];
  /** Every agent there is, the highest score first. */
  readonly considered: readonly Considered[];
  /** What a person should know who asked for this team. */
  readonly notes: readonly string[];
}

export interface TeamWish {
  readonly request: string;
  readonly discovered: Discovered;
  readonly domains: readonly Domain[];
  readonly rules: TeamRules;
}

/** Who reviews. In this order: forbidden, pinned, critical, at most two of a category, score. The same for the same. */
export function composeTeam({ request, discovered, domains, rules }: TeamWish): ComposedTeam {
  const { agents, skills } = discovered;
  const wishes = wishesOf(rules, agents);
  const words = asked(request, domains);
  const called = calledFor(domains);
  const all = agents.map((agent) => candidateOf(agent, scoreOf(agent, words))).sort(byScore);
  const refusals = refusalsOf(agents, wishes, called);
  const free = all.filter(({ agent }) => !refusals.has(agent));
  const { count, min, max } = rules;
  const sizes = { least: count ?? min, wanted: count ?? teamSize(request, domains, rules), most: count ?? max };
  mustSuffice(free.length, sizes.least);

  const table = new Table(sizes);
  for (const pin of wishes.pinned) {
    const one = free.find(({ agent }) => agent === pin);
    const isInstead = isCritical(pin) && pin.source !== 'built-in';
    if (one) table.seat(one, isInstead ? 'it is pinned, in the place of the built-in one' : 'it is pinned');
  }
  for (const one of free) {
    const why = isCritical(one.agent) ? called.get(one.agent.name) : undefined;
    if (why !== undefined) table.seatCritical(one, why);
  }
  for (const one of free) table.seatByScore(one);
  table.fill(free);

  const wanted = wantedSkills(skills, words);
  return {
    seats: [...table.seats].map(([{ agent, score, reasons }, why]) => ({
      agent,
      score,
      reasons: [why, ...reasons],
      isCritical: isCritical(agent),
      skills: skillsFor(agent, wanted),
    })),
    considered: all.map((one) => ({
      agent: one.agent.name,
      source: one.agent.source,
      path: one.agent.path,
      score: one.score,
      reasons: one.reasons,
      isSeated: table.seats.has(one),
      why: refusals.get(one.agent) ?? table.whyOf(one),
    })),
    notes: notesOn(wishes, agents, called),
  };
}

/** Who has no seat whatever the score: the forbidden, and of two with one name the one that was not meant. */
function refusalsOf(
  agents: readonly FoundAgent[],
  { pinned, forbidden }: Wishes,
  called: ReadonlyMap<string, string>,
): ReadonlyMap<FoundAgent, string> {
  const builtIn = new Map(agents.filter(({ source }) => source === 'built-in').map((agent) => [agent.name, agent]));
  const pins = new Map(pinned.map((agent) => [agent.name, agent]));
  const refusals = new Map<FoundAgent, string>();
  for (const agent of agents) {
    const [pin, own] = [pins.get(agent.name), builtIn.get(agent.name)];
    const why = called.get(agent.name);
    if (isAmong(agent, forbidden)) {
      refusals.set(agent, why === undefined ? 'it is forbidden' : `it is forbidden, though ${why}, which calls for it`);
    } else if (pin && pin !== agent) {
      refusals.set(agent, `the one from ${pin.path} is pinned in its place`);
    } else if (!pin && own && own !== agent) {
      refusals.set(agent, 'it takes the place of the built-in one only where it is pinned');
    }
  }
  return refusals;
}

function mustSuffice(left: number, needed: number): void {
  if (left >= needed) return;
  throw new UserError(
    'TEAM_TOO_SMALL',
    `a team needs ${String(needed)} agents and ${String(left)} are left; forbid fewer of them`,
    { needed, left },
  );
}

function notesOn(
  { forbidden }: Wishes,
  agents: readonly FoundAgent[],
  called: ReadonlyMap<string, string>,
): readonly string[] {
  return forbidden.flatMap((named) => {
    const { source, name } = named;
    const found = agents.filter((agent) => isNamed(agent, named));
    if (found.length === 0) return [`there is no agent ${source === null ? '' : `${source}/`}${name} to be forbidden`];
    const why = found.some(({ source: whose }) => whose === 'built-in') ? called.get(name) : undefined;
    return why === undefined ? [] : [`${name} is forbidden, though ${why}, which calls for it`];
  });
}

// Whoever names no category has that of what it mostly speaks of: ten of a kind are ten of a kind all the same.
const candidateOf = (agent: FoundAgent, score: Pick<Candidate, 'score' | 'reasons'>): Candidate => ({
  agent,
  ...score,
  category: agent.category ?? domainsOf(agent)[0] ?? null,
});

const byScore = (a: Candidate, b: Candidate): number =>
  b.score - a.score || byText(a.agent.name, b.agent.name) || byNearness(a.agent, b.agent);
