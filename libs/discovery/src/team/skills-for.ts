import { byText, type FoundAgent, type FoundSkill } from '../found.js';
import { type Asked, asked, domainsOf, scoreOf } from './score.js';

const MOST_SKILLS = 3;
/** One word in common is chance. */
const LEAST_SCORE = 3;

interface WantedSkill {
  readonly name: string;
  readonly domains: readonly string[];
}

/** The skills that the request speaks of, the best first. */
export function wantedSkills(skills: readonly FoundSkill[], words: Asked): readonly WantedSkill[] {
  return skills
    .map((skill) => ({ skill, score: scoreOf(skill, words).score }))
    .filter(({ score }) => score >= LEAST_SCORE)
    .sort((a, b) => b.score - a.score || byText(a.skill.name, b.skill.name))
    .map(({ skill }) => ({ name: skill.name, domains: domainsOf(skill) }));
}

/** Those of them that are of the agent's own field. */
export function skillsFor(agent: FoundAgent, wanted: readonly WantedSkill[]): readonly string[] {
  const field = domainsOf(agent);
  const own = wanted.filter(({ domains }) => domains.some((domain) => field.includes(domain)));
  return own.slice(0, MOST_SKILLS).map(({ name }) => name);
}

/** All that fit a request, the best first, whoever will use them. */
export function fittingSkills(
  skills: readonly FoundSkill[],
  request: string,
  domains: readonly string[],
): readonly FoundSkill[] {
  const wanted = wantedSkills(
    skills,
    asked(
      request,
      domains.map((domain) => ({ domain, because: [] })),
    ),
  );
  const byName = new Map(skills.map((skill) => [skill.name, skill]));
  return wanted.flatMap(({ name }) => byName.get(name) ?? []);
}
