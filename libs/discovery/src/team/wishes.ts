import { UserError } from '#kernel';
import { nameOf } from '../files/fields.js';
import { byNearness, type FoundAgent } from '../found.js';

export interface TeamRules {
  readonly min: number;
  readonly max: number;
  /** Exactly so many. */
  readonly count?: number;
  /** Names; `built-in/security-reviewer` where it matters whose. */
  readonly pin: readonly string[];
  readonly forbid: readonly string[];
}

export interface Wishes {
  readonly pinned: readonly FoundAgent[];
  readonly forbidden: readonly Named[];
}

/** An agent as people name it; without a source whoever goes by that name. */
export interface Named {
  readonly source: string | null;
  readonly name: string;
}

export const isNamed = (agent: FoundAgent, { source, name }: Named): boolean =>
  agent.name === name && (source === null || agent.source === source);

export const isAmong = (agent: FoundAgent, all: readonly Named[]): boolean => all.some((one) => isNamed(agent, one));

function namedBy(words: string): Named {
  const slash = words.indexOf('/');
  if (slash < 0) return { source: null, name: nameOf(words) };
  return { source: words.slice(0, slash), name: nameOf(words.slice(slash + 1)) };
}

/** What a person asked for, as agents; refused where it cannot be had. */
export function wishesOf(rules: TeamRules, agents: readonly FoundAgent[]): Wishes {
  mustFit(rules);
  const forbidden = rules.forbid.map(namedBy);
  const pinned = new Map<string, FoundAgent>();
  for (const pin of rules.pin) {
    const agent = agentOf(pin, agents);
    if (isAmong(agent, forbidden)) {
      throw new UserError(
        'AGENT_PINNED_AND_FORBIDDEN',
        `${agent.name} is pinned and forbidden; take one of them back`,
        {
          agent: agent.name,
        },
      );
    }
    const other = pinned.get(agent.name);
    if (other && other !== agent) {
      throw new UserError('AGENT_PINNED_TWICE', `two agents named ${agent.name} are pinned; pin one of them`);
    }
    pinned.set(agent.name, agent);
  }
  const most = rules.count ?? rules.max;
  if (pinned.size > most) {
    throw new UserError(
      'TOO_MANY_PINS',
      `${String(pinned.size)} agents are pinned and the team has at most ${String(most)}; pin fewer`,
      { pinned: pinned.size, most },
    );
  }
  return { pinned: [...pinned.values()], forbidden };
}

function mustFit({ count, min, max }: TeamRules): void {
  if (count === undefined || (count >= min && count <= max)) return;
  const wanted = min === max ? `exactly ${String(min)}` : `${String(min)} to ${String(max)}`;
  throw new UserError(
    'TEAM_SIZE_INVALID',
    `a team of this mode has ${wanted} agents, not ${String(count)}; ask for as many, or leave the number out`,
    { count, min, max },
  );
}

/** By name the nearest; with its source before it, that one. */
function agentOf(pin: string, agents: readonly FoundAgent[]): FoundAgent {
  const named = namedBy(pin);
  const [nearest] = agents.filter((agent) => isNamed(agent, named)).sort(byNearness);
  if (nearest) return nearest;
  const known = [...new Set(agents.map((agent) => agent.name))].slice(0, 100);
  throw new UserError('AGENT_UNKNOWN', `there is no agent ${pin.slice(0, 100)}; known are ${known.join(', ')}`, {
    agent: pin.slice(0, 100),
    known,
  });
}
