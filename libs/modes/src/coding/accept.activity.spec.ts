import { describe, expect, it } from 'vitest';
import type { AgentOutcome, AgentTask } from '#agents';
import { accept } from './accept.activity.js';
import { scenariosOf, tasksOf } from './coding-context.js';
import { byRole, eventOf, fakeParts, scenarioOf, taskOf, verifiedAs, Visit } from './coding.fixture.js';
import { planWith, readsParts } from './proof/proof.fixture.js';
import type { Scenario } from './scenario.js';

interface World {
  readonly scenarios?: readonly Scenario[];
  readonly more?: object;
  readonly exitsWell?: boolean;
  readonly agent?: (task: AgentTask) => Partial<AgentOutcome>;
  readonly counts?: object | null;
  readonly left?: string;
  readonly orphans?: number;
  readonly isSetUp?: boolean;
  readonly changed?: readonly string[];
  /** Why the clean room cannot be set up. */
  readonly setupFailure?: string;
  /** The run in the clean room that fails though the others pass, from 1. */
  readonly failsAt?: number;
}

async function accepted({
  scenarios = [],
  more = {},
  exitsWell = true,
  agent = () => ({}),
  counts = null,
  setupFailure,
  failsAt = 0,
  ...parts
}: World) {
  const visit = new Visit({ commit: 'now', scenarios, ...more }, { state: 'UAT' });
  const prompts: string[] = [];
  let runs = 0;
  const world = fakeParts({
    ...parts,
    clean: () =>
      setupFailure === undefined
        ? null
        : { ...verifiedAs('failed'), setupFailure: { reason: setupFailure, output: setupFailure } },
    verify: () => {
      runs += 1;
      return verifiedAs(exitsWell && runs !== failsAt ? 'passed' : 'failed', counts, 'what it printed');
    },
    agent: (task) => {
      prompts.push(task.prompt);
      return agent(task);
    },
  });
  const { type, patch, data } = eventOf(await accept(world.parts)(visit.activity));
  return {
    type,
    patch,
    data,
    prompts,
    cleanRuns: world.cleanRuns,
    pages: world.pages,
    now: scenariosOf({ context: patch }),
    visit,
  };
}

const says = (verdict: string, command: string) => () => ({ output: { verdict, command, observation: 'I looked' } });
const ended = (verdict: Scenario['verdict'], id = 'S-001'): Scenario =>
  scenarioOf(id, { verdict, triedOn: 'tree', because: 'seen' });

describe('UAT without scenarios', () => {
  it('has them written, numbered and bounded', async () => {
    const planned = Array.from({ length: 20 }, () => ({
      title: 't'.repeat(1e4),
      steps: 's'.repeat(1e5),
      command: ' ',
    }));
    const { type, now } = await accepted({ agent: () => ({ output: { scenarios: planned } }) });
    expect([type, now.length, now[7]?.id, now[0]?.command]).toEqual(['uat:continues', 8, 'S-008', null]);
    expect([now[0]?.title.length, now[0]?.steps.length]).toEqual([200, 4_000]);
  });

  it('leaves a command that is too long to an agent: its beginning would be another command', async () => {
    const command = `node check.js ${' '.repeat(2_000)} && node other.js`;
    const scenarios = [{ title: 'a', steps: 'b', command }, { title: 'c', steps: 'd', command: 'node check.js' }]; // prettier-ignore
    const { now } = await accepted({ agent: () => ({ output: { scenarios } }) });
    expect(now.map((one) => one.command)).toEqual([null, 'node check.js']);
  });

  it('takes the request itself where nobody had one', async () => {
    const { now } = await accepted({ agent: () => ({ output: { scenarios: [] } }) });
    expect(now).toEqual([expect.objectContaining({ id: 'S-001', steps: 'Add dark mode', verdict: 'open' })]);
  });
});

describe('a scenario', () => {
  it('passes by its own command, which the service ran on this tree', async () => {
    const { type, now, prompts, visit } = await accepted({ scenarios: [scenarioOf('S-001')] });
    expect([type, now[0]?.verdict, now[0]?.triedOn, prompts.length]).toEqual(['uat:continues', 'passed', 'tree', 0]);
    expect(now[0]?.evidence).toEqual({ command: 'node check.js', exitCode: 0, endedBy: 'itself', output: 'what it printed', tree: 'tree' }); // prettier-ignore
    expect(visit.told).toContain('uat.evidence');
  });

  it('fails where that command does', async () => {
    const { now } = await accepted({ scenarios: [scenarioOf('S-001')], exitsWell: false });
    expect(now[0]).toMatchObject({ verdict: 'failed', because: 'the service ran the command: exit code 1' });
  });

  it('is neither passed nor failed if its command passes and fails on the same files', async () => {
    for (const nth of [1, 2]) {
      const { now, cleanRuns } = await accepted({ scenarios: [scenarioOf('S-001')], failsAt: nth });
      expect(now[0]).toMatchObject({ verdict: 'skipped', because: expect.stringContaining('flaky') as string });
      expect(cleanRuns.map(({ tree }) => tree.commit)).toEqual(['now', 'now']);
    }
    const open = [scenarioOf('S-001', { command: null })];
    const { now } = await accepted({ scenarios: open, failsAt: 2, agent: says('pass', 'node other.js') });
    expect(now[0]).toMatchObject({ verdict: 'skipped', by: 'acceptance-tester', evidence: { exitCode: 0 } });
  });

  it('passes by a run of tests only where at least one ran and none failed, and says which', async () => {
    const by = async (counts: object): Promise<Scenario | undefined> =>
      (await accepted({ scenarios: [scenarioOf('S-001')], counts })).now[0];
    const ran = 'the service ran the command: exit code 0';
    expect(await by({ passed: 1, failed: 0 })).toMatchObject({ verdict: 'passed', because: `${ran}; 1 test passed` });
    expect(await by({ passed: 7, failed: 0 })).toMatchObject({ verdict: 'passed', because: `${ran}; 7 tests passed` });
    const nothing = { verdict: 'failed', because: `${ran}, but no test ran`, evidence: { exitCode: 0 } };
    expect(await by({ passed: 0, failed: 0 })).toMatchObject(nothing);
    expect(await by({ passed: 0, failed: 0, skipped: 9 })).toMatchObject(nothing);
    expect(await by({ passed: 0, failed: 0, isMinimum: true })).toMatchObject(nothing);
    expect(await by({ passed: 3, failed: 2 })).toMatchObject({ verdict: 'failed', because: `${ran}, but tests failed: 2` }); // prettier-ignore
  });

  it('is not passed by tests of an agent that did not run', async () => {
    const open = [scenarioOf('S-001', { command: null })];
    const agent = says('pass', 'node --test --test-name-pattern=nothing-like-this');
    const { now } = await accepted({ scenarios: open, counts: { passed: 0, failed: 0 }, agent });
    expect(now[0]).toMatchObject({ verdict: 'failed', by: 'acceptance-tester' });
    expect(now[0]?.because).toBe('I looked; the service ran the command: exit code 0, but no test ran');
  });

  it('runs in the clean room on the accepted commit, and fails if that cannot be set up', async () => {
    const { now, cleanRuns } = await accepted({ scenarios: [scenarioOf('S-001')], setupFailure: 'no lock file' });
    const run = { tree: { commit: 'now' }, commands: ['node check.js'] };
    expect(cleanRuns).toMatchObject([run, run]);
    expect(now[0]).toMatchObject({ verdict: 'failed', evidence: { exitCode: 1, output: 'no lock file' } });
  });

  it('proves nothing by itself: a command that cannot fail leaves the proof as it was', async () => {
    const scenarios = [scenarioOf('S-001', { command: 'npm test || true' })];
    const { now, patch } = await accepted({ scenarios, more: { isProven: false } });
    expect([now[0]?.verdict, 'isProven' in patch, 'proof' in patch]).toEqual(['passed', false, false]);
  });

  it('does not pass because an agent says so', async () => {
    const open = [scenarioOf('S-001', { command: null })];
    const { now } = await accepted({ scenarios: open, exitsWell: false, agent: says('pass', 'node other.js') });
    expect(now[0]).toMatchObject({ verdict: 'failed', evidence: { exitCode: 1 } });
  });

  it('is tried by a second agent if the command of the first one contradicts its verdict', async () => {
    const open = [scenarioOf('S-001', { command: null })];
    const verdicts = ['fail', 'pass'] as const;
    let nth = 0;
    const agent = () => says(verdicts[nth++] ?? 'fail', 'node other.js')();
    const { now } = await accepted({ scenarios: open, agent });
    expect([now[0]?.verdict, nth]).toEqual(['passed', 2]);
  });

  it('fails if an agent saw it fail and its command fails too', async () => {
    const open = [scenarioOf('S-001', { command: null })];
    const { now } = await accepted({ scenarios: open, exitsWell: false, agent: says('fail', 'node other.js') });
    expect(now[0]).toMatchObject({ verdict: 'failed', because: 'I looked', evidence: { exitCode: 1 } });
  });

  it('is skipped if the commands of both agents contradict them: nobody could reproduce such a failure', async () => {
    const open = [scenarioOf('S-001', { command: null })];
    const { now, prompts } = await accepted({ scenarios: open, agent: says('fail', 'node other.js') });
    expect(now[0]).toMatchObject({ verdict: 'skipped', evidence: { exitCode: 0 } });
    expect(now[0]?.because).toContain('its command exits with 0: $ node other.js');
    expect(prompts).toHaveLength(2);
  });
});

describe('the result of UAT', () => {
  it('is whole only if a person skipped and waived no scenario', async () => {
    const { type, patch, pages } = await accepted({ scenarios: [ended('passed')] });
    expect([type, patch['isAccepted'], patch['isWhollyAccepted']]).toEqual(['uat:passed', true, true]);
    expect(pages.get('UAT.md')).toContain('- verdict: passed');
    for (const verdict of ['skipped', 'waived'] as const) {
      const part = await accepted({ scenarios: [ended('passed'), ended(verdict, 'S-002')] });
      expect([part.type, part.patch['isWhollyAccepted'], part.data['skipped']]).toEqual(['uat:passed', false, 1]);
    }
  });

  it('is whole if the service could not decide a scenario: that says nothing about the work', async () => {
    const undecided = { ...ended('skipped', 'S-002'), by: 'acceptance-tester' };
    const { type, patch, data, pages } = await accepted({ scenarios: [ended('passed'), undecided] });
    expect([type, patch['isWhollyAccepted']]).toEqual(['uat:passed', true]);
    expect(data).toEqual({ passed: 1, failed: 0, skipped: 0, undecided: 1 });
    expect(pages.get('UAT.md')).toContain('- verdict: not decided');
  });

  it('sends what failed back as tasks, with what a person would read at a block', async () => {
    const { type, patch, data } = await accepted({ scenarios: [ended('passed'), ended('failed', 'S-002')] });
    expect([type, data]).toEqual(['uat:failed', { passed: 1, failed: 1, skipped: 0, undecided: 0 }]);
    expect(tasksOf({ context: patch })).toEqual([expect.objectContaining({ kind: 'scenario', status: 'pending' })]);
    expect(patch['block']).toEqual({ cause: 'uat', message: '1 acceptance scenario fails: S-002 Title of S-002.' });
  });

  it('leaves no task of a round that nobody carried out', async () => {
    const more = { tasks: [taskOf('T-001', { status: 'completed' }), taskOf('T-002', { kind: 'scenario' })] };
    const statuses = ({ patch }: Awaited<ReturnType<typeof accepted>>): string[] =>
      tasksOf({ context: patch }).map(({ id, status }) => `${id} ${status}`);
    expect(statuses(await accepted({ scenarios: [ended('failed')], more }))).toEqual([
      ...['T-001 completed', 'T-002 skipped', 'T-003 pending'],
    ]);
    expect(statuses(await accepted({ scenarios: [ended('passed')], more }))).toEqual([
      'T-001 completed',
      'T-002 skipped',
    ]);
  });
});

describe('UAT after a block', () => {
  const resolved = (cause: string, decision = 'resolve') => ({
    block: { cause },
    decision: { gate: 'resolve-problem', decision },
    baseline: verifiedAs('passed'),
    tasks: [taskOf('T-001', { status: 'completed', commit: 'c' })],
    requestPlan: planWith({ class: 'document' }),
  });
  const scenarios = [ended('failed')];
  /** A document that an agent has read is proven, unless tests fail. */
  const read = { agent: byRole(readsParts(1)), changed: ['README.md'] };

  it('commits and proves what a person changed, before it is tried again', async () => {
    const { type, patch } = await accepted({ scenarios, more: resolved('uat'), left: 'as-left', counts: {}, ...read });
    const own = 'commit of Changed by a person while the project waited';
    expect([type, patch]).toEqual(['uat:continues', expect.objectContaining({ commit: own, isProven: true })]);
  });

  it('asks where that proves nothing, and goes on with consent', async () => {
    const worse = { scenarios, counts: { failed: 1 }, exitsWell: false };
    const { type, patch } = await accepted({ ...worse, more: resolved('uat'), left: 'as-left' });
    expect([type, patch['block']]).toEqual(['work:blocked', expect.objectContaining({ cause: 'unproven' })]);
    const consented = await accepted({ ...worse, more: resolved('unproven') });
    expect([consented.type, consented.patch['isProven']]).toEqual(['uat:continues', false]);
    expect((await accepted({ ...worse, more: resolved('unproven', 'RETRY') })).type).toBe('work:blocked');
  });

  it('tries again at once where nobody changed anything', async () => {
    const { now, patch } = await accepted({ scenarios: [scenarioOf('S-001')], more: resolved('agent') });
    expect([now[0]?.verdict, patch]).toEqual(['passed', expect.not.objectContaining({ isProven: true })]);
  });

  it('verifies what is left after a person went on without the rest, and asks nothing more', async () => {
    const more = { ...resolved('problem'), block: null, needsProof: true, verifiedAt: null };
    const passes = await accepted({ more, counts: {}, ...read });
    expect([passes.type, passes.patch]).toEqual(['uat:continues', expect.objectContaining({ isProven: true, needsProof: false })]); // prettier-ignore
    const fails = await accepted({ more, counts: { failed: 1 }, exitsWell: false });
    expect([fails.type, fails.patch['isProven'], fails.data['consent']]).toEqual(['uat:continues', false, true]);
  });

  it('leaves out what a person goes on without, even where set-up fails', async () => {
    const { type, data } = await accepted({ more: resolved('problem', 'proceed'), isSetUp: false });
    expect([type, data]).toEqual(['uat:continues', { decision: 'proceed' }]);
    expect((await accepted({ isSetUp: false })).patch['block']).toMatchObject({ cause: 'setup' });
  });

  it('tells its planner what people put off, and no word of an implementer', async () => {
    const item = { title: 'a finding', cause: 'problem', reason: 'I think it works', problem: null, task: 'T-001' };
    const deferred = [item, { ...item, title: 'P0: an open door', cause: 'unchanged' }];
    const { prompts } = await accepted({ more: { deferred }, agent: () => ({ output: { scenarios: [] } }) });
    expect(prompts[0]).toMatch(/write no scenario that needs it[^]*a finding/);
    expect(prompts[0]).not.toMatch(/it works|open door/);
  });

  it('tries the request itself if its planner fails after all tries', async () => {
    const failed = { kind: 'failed', code: 'AGENT_REFUSED', message: 'no', said: '', commit: 'now' } as const;
    const { type, now } = await accepted({ agent: () => failed });
    expect([type, now.map(({ title }) => title)]).toEqual(['uat:continues', ['The request is fulfilled']]);
    const outage = await accepted({ agent: () => ({ ...failed, code: 'MODEL_UNAVAILABLE' }) });
    expect([outage.type, outage.patch['block']]).toEqual(['work:blocked', expect.objectContaining({ cause: 'agent' })]);
  });

  it('waives all of it where its planner came to nothing and a person goes on', async () => {
    const { type, now } = await accepted({ more: resolved('agent', 'proceed') });
    expect([type, now.map(({ verdict }) => verdict)]).toEqual(['uat:continues', ['waived']]);
  });
});

describe('UAT with too many processes left behind', () => {
  it('stops before it starts more', async () => {
    const { type, patch, prompts } = await accepted({ scenarios: [scenarioOf('S-001')], orphans: 3 });
    expect([type, patch, prompts]).toEqual(['work:blocked', expect.objectContaining({ orphansSeen: 3 }), []]);
    expect(patch['block']).toMatchObject({ cause: 'breaker-orphans' });
  });
});
