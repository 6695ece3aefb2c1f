import type { Capability } from '#contracts';
import type { Domain } from './domains/detect-domains.js';
import type { Discovered } from './found.js';
import type { ComposedTeam } from './team/compose-team.js';
import { asked, type Scorable, scoreOf } from './team/score.js';

export interface PageInput {
  readonly request: string;
  readonly domains: readonly Domain[];
  readonly discovered: Discovered;
  readonly team: ComposedTeam;
}

/** The text of `discovered-plugins.json`: what was found, how it scored, who has a seat, and why. */
export function discoveredPage({ request, domains, discovered, team }: PageInput): string {
  const words = asked(request, domains);
  const scored = (one: Capability & Scorable) => ({
    name: one.name,
    source: one.source,
    plugin: one.plugin,
    path: one.path,
    hash: one.hash,
    ...scoreOf(one, words),
  });
  const hashes = new Map(discovered.agents.map((agent) => [agent.path, agent.hash]));
  const page = {
    request,
    domains,
    seats: team.seats.map(({ agent, score, reasons, isCritical, skills }) => ({
      agent: agent.name,
      source: agent.source,
      category: agent.category,
      tier: agent.tier,
      isCritical,
      score,
      reasons,
      skills,
    })),
    agents: team.considered.map((one) => ({ ...one, hash: hashes.get(one.path) ?? null })),
    skills: discovered.skills.map(scored),
    plugins: discovered.plugins.map(scored),
    notes: team.notes,
    diagnostics: discovered.diagnostics,
  };
  return `${JSON.stringify(page, null, 2)}\n`;
}
