import { describe, expect, it } from 'vitest';
import { deferredOf, findingsOf, scenariosOf, tasksOf } from './coding-context.js';
import { fakeParts, findingWith, scenarioOf, taskOf, Visit } from './coding.fixture.js';
import { leftOut } from './left-out.js';

const known = {
  commit: 'now',
  good: { commit: 'good', checkpoint: 3 },
  findings: [findingWith('F-001'), findingWith('F-002')],
  tasks: [
    taskOf('T-001', { status: 'completed' }),
    taskOf('T-002', { finding: 'F-001', status: 'in_progress' }),
    taskOf('T-003', { finding: 'F-002' }),
  ],
  scenarios: [
    scenarioOf('S-001', { verdict: 'failed', because: 'exit 1' }),
    scenarioOf('S-002', { verdict: 'passed' }),
  ],
};
const at = async (cause: string, decision: string, more: object = {}, left?: string) => {
  const block = { block: { cause }, decision: { gate: 'resolve-problem', decision } };
  const world = fakeParts(left === undefined ? {} : { left });
  const { activity } = new Visit({ ...known, ...block, ...more }, { state: 'UAT' });
  return { patch: await leftOut(world.parts, activity), resets: world.resets };
};

describe('a person who goes on with the rest', () => {
  it('leaves out whatever is not done, and takes back what was begun', async () => {
    const { patch, resets } = await at('problem', 'proceed');
    const context = patch ?? {};
    expect(tasksOf({ context }).map(({ status }) => status)).toEqual(['completed', 'deferred', 'deferred']);
    expect(findingsOf({ context }).map(({ outcome }) => outcome.kind)).toEqual(['deferred', 'deferred']);
    expect(deferredOf({ context }).map(({ task }) => task)).toEqual(['T-002', 'T-003']);
    expect(scenariosOf({ context }).map(({ verdict }) => verdict)).toEqual(['waived', 'passed']);
    expect([resets, context['block'], context['decision']]).toEqual([['good'], null, null]);
    expect(context).toMatchObject({ isProven: false, needsProof: true });
  });

  it('proves nothing by it', async () => {
    const tasks = [taskOf('T-001', { status: 'completed' })];
    expect((await at('unproven', 'proceed', { tasks })).patch).toMatchObject({ isProven: false, needsProof: false });
    // What is tried was proven before.
    const scenario = taskOf('T-002', { kind: 'scenario' });
    expect((await at('uat', 'proceed', { tasks: [...tasks, scenario] })).patch).not.toHaveProperty('isProven');
    expect((await at('agent', 'proceed', { tasks })).patch).not.toHaveProperty('isProven');
  });

  it('takes what they changed along, to be verified', async () => {
    const tasks = [taskOf('T-001', { status: 'completed' })];
    const { patch } = await at('unproven', 'proceed', { tasks }, 'as-left');
    const commit = 'commit of Changed by a person while the project waited';
    expect(patch).toMatchObject({ commit, good: { commit }, isProven: false, needsProof: true });
  });

  it('touches no files where nothing was begun', async () => {
    const { patch, resets } = await at('uat', 'proceed', { tasks: [taskOf('T-001', { status: 'completed' })] });
    expect([resets, deferredOf({ context: patch ?? {} })]).toEqual([[], []]);
  });

  it.each(['resolve', 'defer', 'RETRY'])('is nobody who decided %s', async (decision) => {
    expect((await at('problem', decision)).patch).toBeNull();
  });
});
