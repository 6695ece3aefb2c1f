import { type Activity, report } from '#engine';
import { matchingSkills } from '../shared/matching-skills.js';
import { repeatable } from '../shared/repeatable.js';
import { listed } from '../coding/coding-context.js';
import { seatTeam, type TeamSize } from '../coding/discover.activity.js';
import type { WorkModeParts } from './work-context.js';

/** One to three: more are seated where it escalates. */
export const WORK_TEAM: TeamSize = { min: 1, max: 3 };

/** DISCOVERING: the skills that fit the request, whoever will use them, and a small team. Nobody reviews. */
export const discoverWork =
  (parts: WorkModeParts): Activity =>
  async (activity) => {
    const { project } = activity;
    const { patch, agents, domains } = await seatTeam(parts, activity, WORK_TEAM);
    const skills = await repeatable(activity, 'skills', async () =>
      matchingSkills(project.request, domains, await parts.capabilities(project.repo?.path ?? '')),
    );
    const names = skills.map(({ name }) => name);
    const known = { ...patch, tasks: [], skills: listed(skills) };
    return report('team:composed', known, { agents: [...agents], domains: [...domains], skills: names });
  };
