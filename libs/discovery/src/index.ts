export { builtInTeam } from './built-in-team.js';
export { discover, type Places } from './discover.js';
export { discoveredPage, type PageInput } from './discovered-page.js';
export { detectDomains, type Domain } from './domains/detect-domains.js';
export { toolNamed } from './files/narrow.js';
export { CRITICAL_REVIEWERS, type Discovered, type FoundAgent, type FoundSkill } from './found.js';
export { type ComposedTeam, composeTeam, type Considered, type Seat, type TeamWish } from './team/compose-team.js';
export { fittingSkills } from './team/skills-for.js';
export { type TeamRules } from './team/wishes.js';
