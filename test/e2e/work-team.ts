import type { ModelCall, Reply, Script } from '#testing';
import { did, inTurn, json, planned, reviewed, type Says, scoped, writes } from './coding-team.js';

/** Who of work mode asks, and what for. */
export type WorkRole =
  | 'planner'
  | 'worker'
  | 'checker'
  | 'healer'
  | 'reviewer'
  | 'work-planner'
  | 'check-author'
  | 'fix-reviewer'
  | 'inspector'
  | 'implementer'
  | 'scenarios'
  | 'tester';

const ROLES: readonly (readonly [WorkRole, string])[] = [
  ['planner', 'You plan the work of a small team'],
  ['worker', 'You carry out one step of a plan'],
  ['checker', 'You check one step of a plan'],
  ['healer', 'You fix one problem'],
  ['healer', 'and their changes were taken back'],
  ['reviewer', 'You are a member of a review team'],
  ['work-planner', 'You plan one change to a git repository'],
  ['check-author', 'You write checks for a change that nobody has made yet'],
  ['fix-reviewer', 'You check one fix'],
  ['inspector', 'You inspect a change'],
  ['scenarios', 'You write acceptance scenarios'],
  ['tester', 'You try out one acceptance scenario'],
  ['implementer', 'You are a careful software engineer'],
];

export const workRoleOf = ({ body }: Pick<ModelCall, 'body'>): WorkRole => {
  const prompt = JSON.stringify(body);
  const role = ROLES.find(([, words]) => prompt.includes(words))?.[0];
  if (!role) throw new Error(`nobody knows who asks: ${prompt.slice(0, 500)}`);
  return role;
};

export const REPORT = 'docs/report.md';
const SENTENCE = 'The toggle switches between the light theme and the dark theme.';
export const REPORT_TEXT = `# Report\n\n${SENTENCE} Nothing else depends on it.\n`;
const estimate = { low: 0.01, expected: 0.05, high: 3 };

const DETAIL = 'Say what the toggle does.';

export const stepOf = (more: object = {}): object => ({
  title: 'Write the report',
  detail: DETAIL,
  owner: 'docs-writer',
  skills: [],
  check: 'The report says what the toggle does.',
  command: null,
  file: REPORT,
  costUsd: estimate,
  minutes: { low: 1, expected: 2, high: 5 },
  ...more,
});

export const plans = (steps: readonly object[] = [stepOf()], more: object = {}): Reply =>
  json({ summary: 'One report', domains: ['documentation'], steps, risks: [], findings: [], ...more });

export const finding = (priority: string, title: string): object => ({
  priority,
  title,
  body: title,
  file: null,
  line: null,
  confidence: 0.9,
});

export const worked = (summary: string, more: object = {}): Reply =>
  json({ outcome: 'done', summary, question: null, findings: [], ...more });

export const checks = (verdict: 'pass' | 'fail', more: object = {}): Reply =>
  json({
    verdict,
    observation: verdict === 'pass' ? 'It says what the toggle does.' : 'It says nothing about the toggle.',
    evidence: [{ file: REPORT, quote: SENTENCE }],
    findings: [],
    ...more,
  });

/** The plan of the large team: a text, which an inspector reads. */
export const planOfReport = (): Reply =>
  scoped({
    class: 'document',
    parts: [{ title: `${REPORT} says what the toggle does`, interface: REPORT, failingTests: [] }],
    steps: [{ title: 'Write the report', detail: DETAIL, parts: [1], findings: [], check: 'It is there.' }],
  });

export type WorkScript = Partial<Record<WorkRole, Says>>;

/** A small team that does it right at the first try, and a large one that does so after an escalation. */
export function workTeam(script: WorkScript = {}, mark = ''): Script {
  const says: Readonly<Record<WorkRole, Says>> = {
    planner: () => plans(),
    worker: inTurn(writes({ [REPORT]: REPORT_TEXT }), worked('the report, as its author says')),
    checker: () => checks('pass'),
    healer: inTurn(writes({ [REPORT]: REPORT_TEXT }), did('the report, whole')),
    reviewer: () => reviewed(),
    'work-planner': () => planOfReport(),
    'check-author': () => json({ checks: [] }),
    'fix-reviewer': () => json({ isFixed: true, why: 'the change fixes it' }),
    inspector: () => json({ parts: [{ part: 1, isDone: true, why: 'it is there' }], findings: [], tests: [] }),
    implementer: ({ prompt, call }) => {
      const isFinding = prompt.includes('A reviewer found this');
      return call.turn > 0 ? did('done') : writes({ [isFinding ? 'docs/date.md' : REPORT]: REPORT_TEXT });
    },
    scenarios: () => planned({ title: 'the report is there', command: `grep -q toggle ${REPORT}` }),
    tester: () => json({ verdict: 'pass', command: `grep -q toggle ${REPORT}`, observation: 'it is there' }),
    ...script,
  };
  return async (call) => {
    const role = workRoleOf(call);
    const reply = await says[role]({ role: 'implementer', agent: '', prompt: JSON.stringify(call.body), call });
    // Healers and those who look at fixes are told of a task or a finding, and not of the request.
    const text = reply.text?.replaceAll(DETAIL, `${DETAIL} ${mark}`).replaceAll('"body":"', `"body":"${mark}: `);
    return text === undefined ? reply : { ...reply, text };
  };
}
