import type { Team } from '#contracts';
import {
  type ComposedTeam,
  composeTeam,
  detectDomains,
  discoveredPage,
  type Discovered,
  type FoundAgent,
  type TeamRules,
  toolNamed,
} from '#discovery';
import { type Activity, type ActivityContext, report } from '#engine';
import type { JsonObject } from '#kernel';
import { reviewTasks } from '#team';
import { enter } from '../shared/enter.js';
import { whereItCan } from '../shared/readable-files.js';
import { repeatable } from '../shared/repeatable.js';
import { sideBySide } from '../shared/side-by-side.js';
import { asJson } from '../shared/work-parts.js';
import { codingOrderOf, type CodingParts, listed, placeOf, tasksOf } from './coding-context.js';
import { teamName } from './create-project.activity.js';
import type { CodingOrder } from './order.js';
import type { Seat } from './reviewer/review.js';
import { teammateOf } from './team-status.js';

export interface TeamSize {
  readonly min: number;
  readonly max: number;
}

const MOST_MEMORIES = 10;
const MOST_FILES = 2_000;

/** DISCOVERING: who could help, who is seated and why, and what earlier projects learnt. */
export const discover =
  (parts: CodingParts, size: TeamSize): Activity =>
  async (activity) => {
    const { patch, agents, domains } = await seatTeam(parts, activity, size);
    return report('team:composed', patch, { agents: [...agents], domains: [...domains] });
  };

/** The team, as the context keeps it. */
export async function seatTeam(
  parts: CodingParts,
  activity: ActivityContext,
  size: TeamSize,
  wishes: CodingOrder['agents'] = codingOrderOf(activity).agents,
): Promise<{ readonly patch: JsonObject; readonly agents: readonly string[]; readonly domains: readonly string[] }> {
  const { domains, seats, memories, files, members } = await foundOut(parts, activity, { ...size, ...wishes });
  const name = teamName(activity.project.name);
  // Only work mode has done something before its reviewers are seated.
  const before = tasksOf(activity).filter(({ kind }) => kind !== 'review');
  const team: Team = { name, domains: [...domains], members: [...members], status: 'composed' };
  const agents = seats.map(({ agent }) => agent);
  const patch = {
    team: asJson(team),
    agents,
    domains: [...domains],
    seats: listed(seats),
    memories: [...memories],
    fileNames: [...files],
    tasks: listed([...before, ...reviewTasks(team, before)]),
  };
  return { patch, agents, domains };
}

interface Found {
  readonly domains: readonly string[];
  readonly seats: readonly Seat[];
  readonly members: Team['members'];
  readonly memories: readonly string[];
  readonly files: readonly string[];
}

async function foundOut(parts: CodingParts, activity: ActivityContext, rules: TeamRules): Promise<Found> {
  const worktree = await enter(parts, activity);
  const { project } = activity;
  return repeatable(activity, 'discover', async (run) => {
    const [files, discovered] = await sideBySide(
      parts.worktrees.files(worktree, MOST_FILES),
      parts.capabilities(project.repo?.path ?? ''),
    );
    const domains = detectDomains(project.request, files);
    const composed = composeTeam({ request: project.request, discovered, domains, rules });
    const names = domains.map(({ domain }) => domain);
    const page = discoveredPage({ request: project.request, discovered, domains, team: composed });
    const [memories] = await sideBySide(
      recalled(parts, activity, names),
      whereItCan(run, () => parts.artefacts.write(placeOf(activity), 'discovered-plugins.json', page)),
    );
    run.tell('team.composed', {
      agents: composed.seats.map(({ agent, score }) => `${agent.name} ${score.toFixed(1)}`),
      domains: names,
      diagnostics: discovered.diagnostics.length,
      memories: memories.length,
      ...(composed.notes.length > 0 && { notes: [...composed.notes] }),
    });
    return { domains: names, ...seated(composed, discovered), memories, files };
  });
}

async function recalled(
  { memory }: CodingParts,
  { project }: ActivityContext,
  domains: readonly string[],
): Promise<readonly string[]> {
  const question = { text: project.request, repo: project.repo?.path ?? '', domains, most: MOST_MEMORIES };
  const entries = await memory.recall(question);
  return entries.map(({ kind, title, body }) => `${kind}: ${title}\n${body}`.slice(0, 2_000));
}

/** What comes with a repository may ask for a smaller model than usual, never for a dearer one. */
function tierOf({ tier, source }: FoundAgent): Seat['tier'] {
  const isForeign = source === 'repository' || source === 'plugin';
  return tier === null || (isForeign && tier === 'large') ? 'medium' : tier;
}

const READING = ['read_file', 'list_files', 'search'];
/** Commands of a reviewer see the repository read-only. */
const OFFERED = [...READING, 'run'];

/** An agent's own list may leave some out; one that leaves nothing to read with is not meant for reviews. */
function toolsOf({ tools }: FoundAgent): Seat['tools'] {
  const own = tools?.map(toolNamed).filter((name) => OFFERED.includes(name)) ?? [];
  return own.some((name) => READING.includes(name)) ? own : null;
}

function seated({ seats }: ComposedTeam, { skills }: Discovered): { seats: readonly Seat[]; members: Team['members'] } {
  const instructionsOf = new Map(skills.map(({ name, instructions }) => [name, instructions]));
  return {
    seats: seats.map(({ agent, isCritical, skills: names }) => ({
      agent: agent.name,
      tier: tierOf(agent),
      isCritical,
      tools: toolsOf(agent),
      instructions: agent.instructions,
      skills: names.map((name) => ({ name, instructions: instructionsOf.get(name) ?? '' })),
    })),
    members: seats.map(({ agent, isCritical, skills: names, score, reasons }) => ({
      agent: agent.name,
      teammate: teammateOf(agent.name),
      tier: tierOf(agent),
      source: agent.source,
      isCritical,
      skills: [...names],
      score,
      reasons: [...reasons],
      status: 'seated',
    })),
  };
}
