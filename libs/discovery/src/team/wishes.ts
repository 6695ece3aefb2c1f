import { UserError } from '#kernel';
import { nameOf } from '../files/fields.js';
import { byNearness, type FoundAgent } from '../found.js';

export interface TeamRules {
  readonly min: number;
  readonly max: number;
  /** Exactly so many. */
  readonly count?: number;
  /** Names, as in `forbid`; `built-in/security-reviewer` where it matters whose. */
  readonly pin: readonly string[];
  readonly forbid: readonly string[];
}

export interface Wishes {
  readonly pinned: readonly FoundAgent[];
  readonly forbidden: ReadonlySet<FoundAgent>;
}

/** What a person asked for, as agents; refused where it cannot be had. */
export function wishesOf(rules: TeamRules, agents: readonly FoundAgent[]): Wishes {
  mustFit(rules);
  const forbidden = new Set(rules.forbid.flatMap((one) => namedBy(one, agents)));
  const pinned = new Map<string, FoundAgent>();
  for (const pin of rules.pin) {
    const [agent] = namedBy(pin, agents);
    if (forbidden.has(agent)) {
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

/** All of that name, the nearest first; with a source before it, that one's. Somebody who is not there is a mistake. */
function namedBy(wish: string, agents: readonly FoundAgent[]): readonly [FoundAgent, ...FoundAgent[]] {
  const slash = wish.indexOf('/');
  const [source, name] = slash < 0 ? [null, nameOf(wish)] : [wish.slice(0, slash), nameOf(wish.slice(slash + 1))];
  const [nearest, ...others] = agents
    .filter((agent) => agent.name === name && (source === null || agent.source === source))
    .sort(byNearness);
  if (nearest) return [nearest, ...others];
  const known = [...new Set(agents.map((agent) => agent.name))].slice(0, 100);
  throw new UserError('AGENT_UNKNOWN', `there is no agent ${wish.slice(0, 100)}; known are ${known.join(', ')}`, {
    agent: wish.slice(0, 100),
    known,
  });
}
