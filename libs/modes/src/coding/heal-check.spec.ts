import { describe, expect, it } from 'vitest';
import type { AgentTask } from '#agents';
import { stepStrategy } from '../work/step-strategy.js';
import { eventOf, fakeParts, problemOf, taskOf, verifiedAs, Visit } from './coding.fixture.js';
import { heal } from './heal.activity.js';

const TEXT = 'The toggle switches between the light theme and the dark one.';
const estimate = { low: 1, expected: 1, high: 1 };
const step = {
  task: 'T-001',
  title: 'Write it',
  detail: '',
  owner: 'docs-writer',
  skills: [],
  check: 'It says what it is.',
  command: null,
  file: 'a.md',
  cents: estimate,
  minutes: estimate,
};

describe('the check of a step, in SELF_HEAL after a block', () => {
  it('is made anew of what the attempt left: what a person left was another thing', async () => {
    const files: Record<string, string> = { 'a.md': '# A\n\nTODO' };
    const agent = ({ role }: AgentTask) => {
      if (role === 'healer') files['a.md'] = TEXT;
      const output = { verdict: 'pass', observation: 'seen', evidence: [{ file: 'a.md', quote: TEXT }], findings: [] };
      return role === 'checker' ? { output } : { commit: 'mended' };
    };
    const { type, data } = await healed(files, agent);
    expect([type, data['attempt']]).toEqual(['problem:fixed', 1]);
  });

  it('leaves what it came across, also where it does not hold: a P0 is one for the full team', async () => {
    const P0 = { priority: 'P0', title: 'It leaks', body: '', file: null, line: null, confidence: 1 };
    let looks = 0;
    const agent = ({ role }: AgentTask) => {
      const isFirst = role === 'checker' && looks++ === 0;
      const evidence = [{ file: 'a.md', quote: TEXT }];
      const output = {
        verdict: isFirst ? 'fail' : 'pass',
        observation: 'seen',
        evidence,
        findings: isFirst ? [P0] : [],
      };
      return role === 'checker' ? { output } : { commit: 'mended' };
    };
    const { type, patch } = await healed({ 'a.md': TEXT }, agent);
    expect([type, patch['findings'], looks]).toMatchObject([
      'problem:fixed',
      [{ priority: 'P0', title: 'It leaks' }],
      2,
    ]);
  });
});

const NO_BLOCK = { block: null, decision: null };

it.each([
  ['healcheck@5', { isCheck: true }, {}, { isCheck: true }],
  ['healcheck@5', {}, {}, { isCheck: true }],
  ['heal@8', {}, NO_BLOCK, { output: 'boom', alsoFails: expect.stringContaining('The check of T-001') as string }],
  ['redo@3', { isCheck: true }, { isRolledBack: true }, { isCheck: true }],
])('the healer gets the prompt that fits what fails: %s', async (version, trouble, known, left) => {
  const told: unknown[] = [];
  const agent = ({ role, promptVersion }: AgentTask) => {
    if (role === 'healer') told.push(promptVersion);
    return role === 'checker'
      ? { output: { verdict: 'fail', observation: 'no', evidence: [], findings: [] } }
      : { commit: 'mended' };
  };
  const { patch } = await healed({ 'a.md': TEXT }, agent, trouble, known);
  expect([told, patch['trouble']]).toEqual([[version], expect.objectContaining(left)]);
});

/** SELF_HEAL after a block that a person resolved. */
async function healed(
  files: Record<string, string>,
  agent: NonNullable<Parameters<typeof fakeParts>[0]>['agent'],
  trouble: object = {},
  known: object = {},
) {
  const { parts } = fakeParts({ changed: ['a.md'], files, ...(agent && { agent }) });
  const visit = new Visit(
    {
      baseline: verifiedAs('passed'),
      commit: 'now',
      good: { commit: 'base', checkpoint: 1 },
      plan: { steps: [step] },
      problems: [problemOf('P-001')],
      problem: 'P-001',
      trouble: { output: 'boom', ...trouble },
      tasks: [taskOf('T-001', { kind: 'step', status: 'in_progress' })],
      block: { cause: 'never-healed' },
      decision: { gate: 'resolve-problem', decision: 'resolve' },
      ...known,
    },
    { state: 'SELF_HEAL', counters: { 'heal-attempts/P-001': 1 } },
  );
  return eventOf(await heal(parts, () => stepStrategy(parts))(visit.activity));
}
