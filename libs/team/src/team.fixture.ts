import type { Finding, Team, TeamMember } from '#contracts';

export const memberOf = (agent: string, more: Partial<TeamMember> = {}): TeamMember => ({
  agent,
  teammate: `${agent}-agent`,
  tier: 'medium',
  source: 'built-in',
  isCritical: false,
  skills: [],
  score: 1,
  reasons: ['domain: backend'],
  status: 'seated',
  ...more,
});

export const teamOf = (...members: readonly TeamMember[]): Team => ({
  name: 'qralph-001-rate-limit',
  domains: ['backend'],
  members: [...members],
  status: 'working',
});

export const foundAs = (id: string, priority: Finding['priority'], more: Partial<Finding> = {}): Finding => ({
  id,
  priority,
  relation: 'aside',
  title: `Title of ${id}`,
  body: `Body of ${id}`,
  file: null,
  line: null,
  confidence: 0.5,
  agents: ['sde-iii'],
  outcome: { kind: 'open', commit: null, reason: null },
  ...more,
});
