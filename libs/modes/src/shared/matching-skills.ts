import { type Discovered, fittingSkills } from '#discovery';

/** A skill that fits the request, as agents are given it. */
export interface MatchingSkill {
  readonly name: string;
  readonly description: string;
  readonly instructions: string;
}

const MOST_SKILLS = 12;
const LONGEST_INSTRUCTIONS = 8_000;

/** The skills that fit a request, the best first, whoever will use them. */
export const matchingSkills = (
  request: string,
  domains: readonly string[],
  { skills }: Discovered,
): readonly MatchingSkill[] =>
  fittingSkills(skills, request, domains)
    .slice(0, MOST_SKILLS)
    .map(({ name, description, instructions }) => ({
      name,
      description: description.slice(0, 1_000),
      instructions: instructions.slice(0, LONGEST_INSTRUCTIONS),
    }));
