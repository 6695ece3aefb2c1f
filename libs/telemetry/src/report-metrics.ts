import { Counter, type Registry } from 'prom-client';
import { METRIC } from './names.js';

export type ReportFacts = Readonly<Record<string, unknown>>;

export type CountsReports = (machine: string, facts: ReportFacts, entered?: string) => void;

const PRIORITIES = ['P0', 'P1', 'P2'] as const;

/**
 * Figures of what teams report: findings, attempts to heal, what stopped for a person, scenarios. Labels are words of
 * ours alone, never of a model or a repository, so there are few of them.
 */
export function reportFigures(registers: Registry[]): CountsReports {
  const findings = new Counter({
    name: METRIC.findings,
    help: 'Findings of reviews, merged, by priority',
    labelNames: ['machine', 'priority'],
    registers,
  });
  const attempts = new Counter({
    name: METRIC.healAttempts,
    help: 'Attempts to heal a problem, by the tier of their model and by outcome',
    labelNames: ['machine', 'tier', 'outcome'],
    registers,
  });
  const blocks = new Counter({
    name: METRIC.blocks,
    help: 'Projects that were stopped for a person, by cause; breakers are among the causes',
    labelNames: ['machine', 'cause'],
    registers,
  });
  const scenarios = new Counter({
    name: METRIC.scenarios,
    help: 'Acceptance scenarios that were tried, by verdict',
    labelNames: ['machine', 'verdict'],
    registers,
  });
  const countProof = proofFigures(registers);
  return (machine, facts, entered) => {
    const { event, tier, verdict } = facts;
    if (event === 'reviews:synthesised') {
      for (const priority of PRIORITIES) findings.inc({ machine, priority }, Number(facts[priority] ?? 0));
    }
    if (typeof tier === 'string' && (event === 'attempt:failed' || event === 'problem:fixed')) {
      attempts.inc({ machine, tier, outcome: event === 'problem:fixed' ? 'fixed' : 'failed' });
    }
    if (event === 'uat:continues' && typeof verdict === 'string') scenarios.inc({ machine, verdict });
    countProof(machine, facts);
    if (entered === 'BLOCKED') blocks.inc({ machine, cause: causeOf(facts) });
  };
}

const PROVEN: readonly unknown[] = ['yes', 'no', 'simulated'];
const RULES = ['a', 'b', 'c', 'd', 'inspection', 'doctored', 'unrun', 'class', 'mutant'];

/** Judgements of results, the rules that failed, and the checks that were written, by how they fail on the base. */
function proofFigures(registers: Registry[]): (machine: string, facts: ReportFacts) => void {
  const proofs = new Counter({
    name: METRIC.proofs,
    help: 'Results that were judged, by verdict',
    labelNames: ['machine', 'proven'],
    registers,
  });
  const failed = new Counter({
    name: METRIC.failedRules,
    help: 'Rules of the judge that failed, once per judged result',
    labelNames: ['machine', 'rule'],
    registers,
  });
  const checks = new Counter({
    name: METRIC.checks,
    help: 'Checks that agents wrote before the first change, by how they fail on the base',
    labelNames: ['machine', 'red'],
    registers,
  });
  return (machine, { event, proven, rules, redByAssertion, redByAbsence }) => {
    if (event === 'plan:ready') {
      checks.inc({ machine, red: 'assertion' }, Number(redByAssertion ?? 0));
      checks.inc({ machine, red: 'absence' }, Number(redByAbsence ?? 0));
    }
    if (!PROVEN.includes(proven)) return;
    proofs.inc({ machine, proven: String(proven) });
    // Other words than these are not ours, and would be labels without end.
    for (const rule of RULES) if (Array.isArray(rules) && rules.includes(rule)) failed.inc({ machine, rule });
  };
}

/** Why it stopped: the cause that was reported, else the loop that came to its bound. */
function causeOf({ cause, event }: ReportFacts): string {
  if (typeof cause === 'string') return cause;
  if (event === 'attempt:failed') return 'problem';
  return event === 'uat:failed' ? 'uat' : 'bound';
}
