import type { Finding, HealAttempt, HealProblem, ProjectTask } from '#contracts';
import type { TestTampering, VerifyReport } from '#workspace';
import type { Review } from './reviewer/review.js';
import { type Scenario, untried } from './scenario.js';

/** What a coding project knows, made by hand. */

export const taskOf = (id: string, more: Partial<ProjectTask> = {}): ProjectTask => ({
  id,
  kind: 'request',
  title: `Title of ${id}`,
  detail: `Detail of ${id}`,
  owner: null,
  status: 'pending',
  finding: null,
  commit: null,
  note: null,
  ...more,
});

export const findingWith = (id: string, more: Partial<Finding> = {}): Finding => ({
  id,
  priority: 'P1',
  relation: 'before',
  title: `Title of ${id}`,
  body: `Body of ${id}`,
  file: null,
  line: null,
  confidence: 0.5,
  agents: ['sde-iii'],
  outcome: { kind: 'open', commit: null, reason: null },
  ...more,
});

export const attemptOf = (number: number, more: Partial<HealAttempt> = {}): HealAttempt => ({
  number,
  tier: 'small',
  model: null,
  usedPattern: false,
  outcome: 'failed',
  tried: 'this',
  why: 'it fails',
  costUsd: null,
  diff: '',
  output: '',
  rolledBack: false,
  ...more,
});

export const problemOf = (id: string, more: Partial<HealProblem> = {}): HealProblem => ({
  id,
  signature: `signature of ${id}`,
  title: `Title of ${id}`,
  error: 'boom',
  command: 'npm test',
  task: 'T-001',
  status: 'open',
  reason: null,
  attempts: [],
  ...more,
});

export const scenarioOf = (id: string, more: Partial<Scenario> = {}): Scenario => ({
  id,
  title: `Title of ${id}`,
  steps: `Steps of ${id}`,
  command: 'node check.js',
  ...untried,
  ...more,
});

export const reviewOf = (agent: string, more: Partial<Review> = {}): Review => ({
  agent,
  status: 'done',
  health: 'good',
  summary: `Read by ${agent}.`,
  findings: [],
  notes: [],
  why: null,
  partial: '',
  isSimulated: false,
  ...more,
});

const PASSED = { passed: 3, failed: 0, skipped: 0 };

/** One run of `npm test`. */
export const verifiedAs = (
  verdict: VerifyReport['verdict'],
  counts: object | null = PASSED,
  output = '',
): VerifyReport => {
  const all = counts && { runner: 'node:test' as const, ...PASSED, ...counts };
  const exitCode = verdict === 'failed' ? 1 : 0;
  const run = {
    command: 'npm test',
    exitCode,
    endedBy: 'itself',
    durationMs: 1,
    output,
    counts: all,
    metReadOnly: false,
  };
  return { verdict, reason: `it ${verdict}`, commands: [run], counts: all, sandbox: 'none' } as VerifyReport;
};

export const UNTOUCHED: TestTampering = {
  removedFiles: [],
  removedTests: [],
  skippedTests: [],
  weakened: [],
  runnerFiles: [],
  unread: [],
  isComplete: true,
};
