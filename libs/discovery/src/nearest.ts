import type { Capability, Diagnostic } from '#contracts';
import { narrowed } from './files/narrow.js';
import { byNearness, byText, type FoundAgent } from './found.js';

/** The nearest of each name. Of those that nobody may replace unasked the built-in one stays beside it. */
export function withoutDoubles<T extends Capability>(
  all: readonly T[],
  diagnostics: Diagnostic[],
  both: readonly string[] = [],
) {
  const nearest = new Map<string, T>();
  const kept: T[] = [];
  for (const one of all.toSorted((a, b) => byText(a.name, b.name) || byNearness(a, b))) {
    const first = nearest.get(one.name);
    if (first === undefined) nearest.set(one.name, one);
    if (first === undefined || (one.source === 'built-in' && both.includes(one.name) && first.source !== 'built-in')) {
      kept.push(one);
      continue;
    }
    const message = `is not used: ${one.name} is also in ${first.path}, which is nearer`;
    diagnostics.push({ level: 'warning', path: one.path, message });
  }
  return kept;
}

/** No agent under the name of a built-in one has more tools or a larger model than that. */
export function keptWithin(
  agents: readonly FoundAgent[],
  all: readonly FoundAgent[],
  diagnostics: Diagnostic[],
): readonly FoundAgent[] {
  const builtIn = new Map(all.filter(({ source }) => source === 'built-in').map((agent) => [agent.name, agent]));
  return agents.map((agent) => {
    const own = builtIn.get(agent.name);
    if (own === undefined || agent.source === 'built-in') return agent;
    const within = narrowed(agent, own);
    const lost = (agent.tools ?? []).filter((tool) => !within.tools?.includes(tool));
    const say = (message: string) => diagnostics.push({ level: 'warning', path: agent.path, message });
    if (lost.length > 0) say(`does not get ${lost.join(', ')}: the built-in ${agent.name} has no such tools`);
    if (agent.tier !== null && agent.tier !== within.tier) {
      say(`does not get the ${agent.tier} tier: the built-in ${agent.name} is ${String(within.tier)}`);
    }
    if (own.isCritical) say(`does not take the place of the built-in ${agent.name} unless it is pinned`);
    return within;
  });
}
