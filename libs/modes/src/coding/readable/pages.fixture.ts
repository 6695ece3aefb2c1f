import { asJson } from '../../shared/work-parts.js';
import { listed } from '../coding-context.js';
import { attemptOf, findingWith, problemOf, scenarioOf, taskOf, verifiedAs, Visit } from '../coding.fixture.js';
import type { Shown } from './seed-state.js';

const done = { commit: 'c0ffee1234567890', status: 'completed' } as const;

/** A project in which every text is the given one. */
export function sceneOf(text: string, more: Readonly<Record<string, unknown>> = {}): Shown {
  const { activity } = new Visit({
    team: { name: 'qralph-001-x', domains: ['frontend'], status: 'working', members: [{ agent: 'sde-iii', teammate: 'sde-iii-agent', status: 'done' }] },
    branch: `qralph/${text}`,
    commit: 'c0ffee',
    why: text,
    doubt: text,
    notes: [text],
    assumptions: text,
    baseline: asJson(verifiedAs('passed')),
    verification: asJson(verifiedAs('passed', { passed: 4 })),
    tasks: listed([
      taskOf('T-001', { title: text, note: text, ...done }),
      taskOf('T-002', { title: text, status: 'in_progress' }),
      taskOf('T-003', { title: text, status: 'deferred', note: text }),
    ]),
    findings: listed([findingWith('F-001', { title: text, file: text, outcome: { kind: 'deferred', commit: null, reason: text } })]),
    problems: listed([problemOf('P-001', { title: text, attempts: [attemptOf(1, { tried: text })] })]),
    scenarios: listed([scenarioOf('S-001', { title: text, verdict: 'passed' })]),
    deferred: [{ title: text, cause: 'problem', reason: text, problem: 'P-001', task: 'T-003' }],
    ...more,
  }); // prettier-ignore
  return { ...activity, project: { ...activity.project, request: text } };
}
