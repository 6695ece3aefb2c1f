import { describe, expect, it } from 'vitest';
import type { AgentTask } from '#agents';
import { accept } from './accept.activity.js';
import { scenariosOf } from './coding-context.js';
import { eventOf, fakeParts, scenarioOf, taskOf, verifiedAs, Visit, WORKTREE } from './coding.fixture.js';
import { blockByProblem } from './problem-screen.js';
import { whyGivenUp } from './why-given-up.js';
import { replaceWrongScenario } from './proof/rule-on-check.js';
import { isUndecided, type Scenario } from './scenario.js';

const run = { isGreen: false, exitCode: 1, endedBy: 'itself', output: 'no such file' };

async function dispute(ruling: object, more: Partial<Scenario> = {}) {
  const scenario = scenarioOf('S-001', more);
  const visit = new Visit({ scenarios: [scenario, scenarioOf('S-002')] });
  const output = { isCheckWrong: true, isDemanded: true, why: 'a wrong path', ...ruling };
  const { parts } = fakeParts({ agent: () => ({ output }) });
  const wish = { scenario, run, commit: 'now', claim: 'its path is wrong' };
  const { kind, patch } = await replaceWrongScenario(parts, visit.activity, WORKTREE, wish);
  const [first, second] = scenariosOf({ context: patch });
  expect(second).toEqual(scenarioOf('S-002'));
  return { kind, first, facts: visit.facts };
}

describe('a scenario that the implementer calls wrong', () => {
  it('is tried another way if the arbiter rules that its way is wrong, and keeps the ruling', async () => {
    const { kind, first, facts } = await dispute({});
    const rulings = [{ isWrong: true, why: 'a wrong path' }];
    expect([kind, first]).toMatchObject(['held', { command: null, verdict: 'open', rulings }]);
    expect(facts.get('check.ruled')).toMatchObject({ check: 'S-001', isWrong: true, isDemanded: true });
  });

  it.each([
    ['the request does not ask for it', { isDemanded: false }, {}],
    ['its way was ruled wrong before', {}, { rulings: [{ isWrong: true, why: 'a bad import' }] }],
  ])('is not decided if the arbiter rules that it is wrong, and %s', async (_title, ruling, more) => {
    const { kind, first } = await dispute(ruling, more);
    expect([kind, first && isUndecided(first)]).toEqual(['held', true]);
    expect(first?.because).toBe('An independent agent ruled that the scenario is wrong: a wrong path');
  });

  it('fails with the ruling if it is right, and may be ruled wrong after that', async () => {
    const right = { isWrong: false, why: 'it is asked for' };
    const { kind, first } = await dispute({ isCheckWrong: false, isDemanded: false, why: right.why });
    expect([kind, first]).toEqual(['failed', { ...scenarioOf('S-001'), rulings: [right] }]);
    const again = await dispute({}, { rulings: [right] });
    expect([again.first?.verdict, again.first?.rulings?.length]).toEqual(['open', 2]);
  });
});

async function visitUat(scenario: Scenario) {
  const prompts: string[] = [];
  const visit = new Visit({ commit: 'now', scenarios: [scenario] }, { state: 'UAT' });
  const output = { verdict: 'pass', command: 'node check.js', observation: 'I looked' };
  const agent = ({ prompt }: AgentTask) => {
    prompts.push(prompt);
    return { output };
  };
  const { parts } = fakeParts({ agent, verify: () => verifiedAs('passed', null, '') });
  const { patch } = eventOf(await accept(parts)(visit.activity));
  return { prompts, why: patch['why'] };
}

it('a person who is asked about the task of a scenario sees the rulings on it', () => {
  const tasks = [taskOf('T-002', { kind: 'scenario', title: 'S-001 It is dark', status: 'in_progress' })];
  const rulings = [{ isWrong: false, why: 'the request asks for it' }];
  const scenarios = [scenarioOf('S-001', { rulings }), scenarioOf('S-002', { rulings })];
  const { activity } = new Visit({ tasks, scenarios, findings: [] });
  const { why } = blockByProblem(activity, whyGivenUp('It is dark', 5, 'still failing: It is dark', ''));
  expect(why).toContain('What an independent agent ruled:\n- S-001 is right: the request asks for it\n\nLikely');
});

describe('UAT after a ruling', () => {
  const wrong = { isWrong: true, why: 'lib/ has no index.js' };
  const right = { isWrong: false, why: 'the request asks for capital letters' };

  it('tells the next tester why an earlier try was wrong', async () => {
    const { prompts } = await visitUat(scenarioOf('S-001', { command: null, rulings: [wrong, right] }));
    expect(prompts[0]).toContain(wrong.why);
    expect(prompts[0]).not.toContain(right.why);
    const first = await visitUat(scenarioOf('S-001', { command: null }));
    expect(first.prompts[0]).not.toContain('as an independent agent ruled');
  });

  it('shows the rulings to a person if the scenario still fails', async () => {
    const failed = scenarioOf('S-001', { verdict: 'failed', triedOn: 'tree', rulings: [wrong, right] });
    expect((await visitUat(failed)).why).toContain(
      `What an independent agent ruled:\n- S-001 is wrong: ${wrong.why}\n- S-001 is right: ${right.why}`,
    );
  });
});
