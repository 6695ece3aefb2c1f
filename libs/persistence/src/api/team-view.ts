import { Project } from '#contracts';
import type { Context } from './prisma-contexts.js';
import { fitting, redacted } from './untrusted.js';

type Shown = Pick<Project, 'team' | 'findings' | 'healing' | 'escalated'>;

/** What lists of projects show of a team at work. They hold little: most of them stand in the checkpoint itself. */
export const TEAM_KEYS = ['teamName', 'agents', 'findingCounts', 'healing', 'escalated'];

const NO_FINDINGS: Project['findings'] = { P0: 0, P1: 0, P2: 0 };
const NOT_HEALING: Project['healing'] = { attempt: 0, model: null, problem: null };

const { team, findings, healing } = Project.shape;

export function teamView({ teamName, agents, findingCounts, healing: attempt, escalated }: Context): Shown {
  const names = Array.isArray(agents) ? agents.filter((agent) => typeof agent === 'string') : [];
  return {
    team: redacted(fitting(team, { name: teamName, agents: names })),
    findings: fitting(findings, findingCounts) ?? NO_FINDINGS,
    healing: redacted(fitting(healing, attempt)) ?? NOT_HEALING,
    escalated: escalated === true,
  };
}
