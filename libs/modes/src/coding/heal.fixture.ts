import type { AgentOutcome, AgentTask } from '#agents';
import type { HealProblem } from '#contracts';
import { eventOf, fakeParts, problemOf, taskOf, verifiedAs, Visit } from './coding.fixture.js';
import { heal } from './heal.activity.js';

export const open = problemOf('P-003');

export interface World {
  readonly problems?: readonly HealProblem[];
  readonly output?: string;
  readonly orphans?: number;
  /** Attempts that the engine has counted. */
  readonly begun?: number;
  readonly more?: object;
  readonly verify?: () => ReturnType<typeof verifiedAs>;
  readonly left?: string;
  readonly diff?: string;
  readonly changed?: readonly string[];
  readonly files?: Readonly<Record<string, string>>;
  readonly filesBefore?: Readonly<Record<string, string>>;
  readonly agent?: (task: AgentTask) => Partial<AgentOutcome>;
}

/** One visit of SELF_HEAL with an open problem. */
export async function healed({
  problems = [open],
  output = 'boom',
  orphans = 0,
  begun = 1,
  more = {},
  ...world
}: World) {
  const context = {
    problems,
    problem: 'P-003',
    trouble: { output },
    tasks: [taskOf('T-001', { status: 'in_progress' })],
    ...more,
  };
  const visit = new Visit(
    { baseline: verifiedAs('passed'), commit: 'now', ...context },
    { state: 'SELF_HEAL', counters: { 'heal-attempts/P-003': begun } },
  );
  const parts = fakeParts({ orphans, changed: ['a.mjs'], ...world });
  return { ...eventOf(await heal(parts.parts)(visit.activity)), ...parts, visit };
}
