import { type Discovered, fittingSkills } from '#discovery';
import { type Activity, report } from '#engine';
import { repeatable } from '../shared/repeatable.js';
import { listed } from '../coding/coding-context.js';
import { seatTeam, type TeamSize } from '../coding/discover.activity.js';
import type { WorkModeParts, WorkSkill } from './work-context.js';

/** One to three: more are seated where it escalates. */
export const WORK_TEAM: TeamSize = { min: 1, max: 3 };

const MOST_SKILLS = 12;
const LONGEST_INSTRUCTIONS = 8_000;

/** DISCOVERING: the skills that fit the request, whoever will use them, and a small team. Nobody reviews. */
export const discoverWork =
  (parts: WorkModeParts): Activity =>
  async (activity) => {
    const { project } = activity;
    const { patch, agents, domains } = await seatTeam(parts, activity, WORK_TEAM);
    const skills = await repeatable(activity, 'skills', async () =>
      skillsFor(project.request, domains, await parts.capabilities(project.repo?.path ?? '')),
    );
    const names = skills.map(({ name }) => name);
    const known = { ...patch, tasks: [], skills: listed(skills) };
    return report('team:composed', known, { agents: [...agents], domains: [...domains], skills: names });
  };

export const skillsFor = (request: string, domains: readonly string[], { skills }: Discovered): readonly WorkSkill[] =>
  fittingSkills(skills, request, domains)
    .slice(0, MOST_SKILLS)
    .map(({ name, description, instructions }) => ({
      name,
      description: description.slice(0, 1_000),
      instructions: instructions.slice(0, LONGEST_INSTRUCTIONS),
    }));
