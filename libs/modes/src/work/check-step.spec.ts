import { describe, expect, it } from 'vitest';
import type { AgentTask } from '#agents';
import type { JsonObject } from '#kernel';
import { byRole, fakeParts, taskOf, verifiedAs, Visit, WORKTREE } from '../coding/coding.fixture.js';
import { fileOf } from '../coding/proof/proof.fixture.js';
import { ARBITER } from '../coding/proof/rule-on-check.js';
import { checkStep } from './check-step.js';
import { PLAIN_CHECK } from './rule-on-step.js';
import type { WorkStep } from './work-context.js';

const estimate = { low: 1, expected: 1, high: 1 };
const step: WorkStep = {
  task: 'T-001', title: 'Write it', detail: '', owner: 'docs-writer', skills: [], check: 'It says what it is.', command: null,
  file: 'a.md', cents: estimate, minutes: estimate,
}; // prettier-ignore
const TEXT = 'The toggle switches between\nthe light theme and the dark one.';
const QUOTE = 'The toggle switches between the light theme';
const task = taskOf('T-001', { kind: 'step', status: 'in_progress' });

const sinceBase = (at: string) => verifiedAs(at === 'base' ? 'failed' : 'passed');

type World = NonNullable<Parameters<typeof fakeParts>[0]>;

async function check(world: World, more: Partial<WorkStep> = {}) {
  const { parts } = fakeParts({ changed: ['a.md'], files: { 'a.md': TEXT }, ...world });
  const visit = new Visit({ plan: { steps: [{ ...step, ...more }] }, good: { commit: 'base', checkpoint: 1 } });
  const checked = await checkStep(parts)(visit.activity, WORKTREE, { task, commit: 'left' });
  return { checked, visit };
}

const judge = (output: JsonObject) => (_task: AgentTask) => ({ output: { observation: 'seen', evidence: [], findings: [], ...output } }); // prettier-ignore
const why = ({ checked }: Awaited<ReturnType<typeof check>>): string =>
  checked.kind === 'failed' ? checked.comparison.newFailures.join() : checked.kind;

describe('the check of a step', () => {
  it('fails where nothing was changed, whatever anybody says', async () => {
    expect(why(await check({ changed: [], agent: judge({ verdict: 'pass' }) }))).toContain('nothing was changed');
  });

  describe('that changed nothing, after an earlier step was committed', () => {
    const earlier = taskOf('T-000', { kind: 'step', status: 'completed', commit: 'good' });
    const after = async (world: World, more: Partial<WorkStep> = {}) => {
      const { parts, cleanRuns } = fakeParts({
        files: { 'a.md': TEXT },
        between: (from) => ({ files: from === 'base' ? [fileOf('a.md')] : [] }),
        ...world,
      });
      const visit = new Visit({
        plan: { steps: [{ ...step, ...more }] },
        good: { commit: 'good', checkpoint: 2 },
        tasks: [earlier, task],
      });
      const checked = await checkStep(parts)(visit.activity, WORKTREE, { task, commit: 'good' });
      return { checked, visit, ran: cleanRuns.map(({ tree }) => tree.commit) };
    };

    it('is done if its checker finds quotes in what the project changed since its base', async () => {
      const quoting = judge({ verdict: 'pass', evidence: [{ file: 'a.md', quote: QUOTE }] });
      const { checked } = await after({ agent: quoting });
      expect(checked).toMatchObject({ kind: 'held', patch: { checked: { files: ['a.md'] } } });
      expect(why(await after({ agent: judge({ verdict: 'fail' }) }))).toContain('does not hold');
    });

    it('is done if its command holds now, and did not on the base', async () => {
      const { checked, ran } = await after({ verify: sinceBase }, { command: 'node check.mjs' });
      expect([checked.kind, ran]).toEqual(['held', ['good', 'good', 'base', 'base']]);
    });

    it('is not done if its document was never changed', async () => {
      expect(why(await after({ agent: judge({ verdict: 'pass' }) }, { file: 'b.md' }))).toContain('b.md');
    });
  });

  it.each([
    [{}, 'the document a.md: it is not there'],
    [{ 'a.md': '# A\n\nTODO' }, 'the document a.md: it holds placeholders'],
  ])('fails where its document is missing or hollow: %j', async (files, words) => {
    expect(why(await check({ files, agent: judge({ verdict: 'pass' }) }))).toContain(words);
  });

  it('fails where its document was there before, and is as it was', async () => {
    expect(why(await check({ changed: ['b.md'], agent: judge({ verdict: 'pass' }) }))).toContain('was not changed');
  });

  it('is judged by somebody else, whose quotes the service finds itself', async () => {
    const { checked } = await check({ agent: judge({ verdict: 'pass', evidence: [{ file: 'a.md', quote: QUOTE }] }) });
    expect(checked).toMatchObject({
      kind: 'held',
      patch: {
        checked: {
          task: 'T-001',
          files: ['a.md'],
          deleted: [],
          evidence: { by: 'checker', quotes: [{ file: 'a.md' }] },
        },
      },
    });
  });

  it.each([
    [{ file: 'a.md', quote: 'It was never written there at all' }],
    [{ file: 'b.md', quote: QUOTE }],
    [{ file: 'a.md', quote: 'The' }],
  ])('takes no pass that nothing bears out: %j', async (evidence) => {
    const seen = await check({ agent: judge({ verdict: 'pass', evidence: [evidence] }) });
    expect(why(seen)).toContain('no agent could show that it holds');
    expect(seen.visit.steps.filter((one) => one.startsWith('quotes'))).toEqual(['quotes/1', 'quotes/2']);
  });

  it('keeps what its judge came across: a P0 there ends the work of the small team', async () => {
    const found = { priority: 'P0', title: 'It leaks', body: '', file: null, line: null, confidence: 1 };
    const { checked } = await check({ agent: judge({ verdict: 'fail', findings: [found] }) });
    expect(checked).toMatchObject({
      kind: 'failed',
      patch: { findings: [{ priority: 'P0' }], findingCounts: { P0: 1 } },
    });
  });

  it('keeps what judges came across whose verdicts could not be taken', async () => {
    const found = (title: string) => ({ priority: 'P0', title, body: '', file: null, line: null, confidence: 1 });
    let nth = 0;
    const agent = () => judge({ verdict: 'pass', findings: [found(['It leaks', 'It burns'][nth++] ?? '')] })({} as AgentTask); // prettier-ignore
    expect((await check({ agent })).checked).toMatchObject({ kind: 'failed', patch: { findingCounts: { P0: 2 } } });
  });

  it('takes nothing that tells of the project itself for work', async () => {
    const seen = await check({ changed: ['.qralph/projects/001-x/STATE.md'], agent: judge({ verdict: 'pass' }) });
    expect(why(seen)).toContain('nothing was changed');
  });

  it('looks for its document among however many files', async () => {
    const many = Array.from({ length: 300 }, (_, at) => `0/${String(at)}.md`);
    const agent = judge({ verdict: 'pass', evidence: [{ file: 'a.md', quote: QUOTE }] });
    expect(why(await check({ changed: many, agent }))).toContain('was not changed');
    expect(why(await check({ changed: [...many, 'a.md'], agent }))).toBe('held');
  });

  it('waits, or stops, with whoever judges', async () => {
    const { checked } = await check({ agent: () => ({ kind: 'waits', reason: 'rate-limit', ms: 5, words: 'later' }) });
    expect(checked).toMatchObject({ kind: 'stopped', outcome: { kind: 'waits' } });
  });

  it('keeps what its first judge came across where the second cannot go on', async () => {
    const found = { priority: 'P0', title: 'It leaks', body: '', file: null, line: null, confidence: 1 };
    let nth = 0;
    const agent = (task: AgentTask): ReturnType<NonNullable<World['agent']>> =>
      nth++ === 0
        ? judge({ verdict: 'pass', findings: [found] })(task)
        : { kind: 'over-budget', breaker: { by: 'usd' }, commit: 'left' };
    expect((await check({ agent })).checked).toMatchObject({ kind: 'stopped', patch: { findingCounts: { P0: 1 } } });
  });

  const command = 'node check.js';
  /** It holds after the step, and did not before. */
  const sinceStep = sinceBase;

  it('by a command is decided by its exit code, and by the tests that it ran', async () => {
    const passed = await check({ verify: sinceStep }, { command });
    expect(passed.checked).toMatchObject({ kind: 'held', patch: { checked: { evidence: { by: 'its command', run: { exitCode: 0 } } } } }); // prettier-ignore
    expect(passed.visit.told).toEqual(expect.arrayContaining(['step.checked', 'step.checked-before']));
    expect(why(await check({ verify: () => verifiedAs('failed') }, { command }))).toContain('exit code 1');
    const none = { verify: () => verifiedAs('passed', { passed: 0 }) };
    expect(why(await check(none, { command }))).toContain('no test ran');
  });

  it('by a command runs in the clean room, and leaves the files as the step left them', async () => {
    const world = fakeParts({ changed: ['a.md'], files: { 'a.md': TEXT }, verify: sinceStep });
    const visit = new Visit({ plan: { steps: [{ ...step, command }] }, good: { commit: 'base', checkpoint: 1 } });
    await checkStep(world.parts)(visit.activity, WORKTREE, { task, commit: 'left' });
    expect(world.cleanRuns.map(({ tree, commands }) => [tree.commit, commands])).toEqual(
      ['left', 'left', 'base', 'base'].map((commit) => [commit, [command]]),
    );
    expect(world.resets).toEqual([]);
  });

  const quoting = judge({ verdict: 'pass', evidence: [{ file: 'a.md', quote: QUOTE }] });
  /** Each second run on a commit differs from the one before it. */
  const mixedOn = (commit: string) => {
    let runs = 0;
    return (at: string) => (at === commit ? verifiedAs((runs += 1) % 2 === 1 ? 'failed' : 'passed') : sinceStep(at));
  };
  const own = { changed: ['a.md', 'check.js'], files: { 'a.md': TEXT, 'check.js': '' }, verify: sinceStep };

  it.each([
    ['it held before the step as well', { verify: () => verifiedAs('passed') }],
    ['it passes and fails on the same files', { verify: mixedOn('left') }],
    ['it passed and failed on the files before the step', { verify: mixedOn('base') }],
    ['the step changed what it runs: check.js', own],
  ])('by a command that proves nothing by itself needs quotes as well, and says so: %s', async (doubt, world) => {
    const { checked } = await check({ ...world, agent: quoting }, { command });
    expect(checked).toMatchObject({
      kind: 'held',
      patch: { checked: { evidence: { by: 'its command and checker', because: expect.stringContaining(doubt) as unknown, run: { exitCode: 0 }, quotes: [{ file: 'a.md' }] } } },
    }); // prettier-ignore
    const without = await check({ ...world, agent: judge({ verdict: 'pass' }) }, { command });
    expect(why(without)).toContain('no agent could show that it holds');
  });

  it('tells its judge what the command said, and why that is not enough', async () => {
    let told = '';
    const agent = (one: AgentTask) => ((told = one.prompt), quoting(one));
    await check({ verify: () => verifiedAs('passed'), agent }, { command });
    expect(told).toContain('proves nothing alone, because it held before the step as well');
  });

  it('holds for a step that only deletes where its judge names what is gone', async () => {
    const gone = { changed: [], deleted: ['old.md', 'older.md'] };
    const more = { file: null };
    const { checked } = await check({ ...gone, agent: judge({ verdict: 'pass', evidence: [{ file: 'old.md', quote: '' }] }) }, more); // prettier-ignore
    expect(checked).toMatchObject({
      kind: 'held',
      patch: { checked: { files: [], deleted: ['old.md', 'older.md'], evidence: { quotes: [{ file: 'old.md', isDeleted: true }] } } },
    }); // prettier-ignore
    const seen = await check({ ...gone, agent: judge({ verdict: 'pass', evidence: [{ file: 'b.md', quote: '' }] }) }, more); // prettier-ignore
    expect(why(seen)).toContain('it names none of the files that were deleted: old.md, older.md');
  });

  it('takes no deleted file for a quote where something else was written', async () => {
    const agent = judge({ verdict: 'pass', evidence: [{ file: 'old.md', quote: '' }] });
    expect(why(await check({ deleted: ['old.md'], agent }))).toContain('no agent could show that it holds');
  });
});

describe('a check of a step that its worker calls wrong', () => {
  const claim = 'the command looks in another folder';
  const command = 'node check.js';
  const ruling = (isCheckWrong: boolean) => () => ({ output: { isCheckWrong, why: 'the request names docs/' } });
  const passing = judge({ verdict: 'pass', evidence: [{ file: 'a.md', quote: QUOTE }] });
  const disputed = async (
    agents: Parameters<typeof byRole>[0],
    more: Partial<WorkStep> = { command },
    wrongCheck: string | null = claim,
  ) => {
    const world = fakeParts({
      changed: ['a.md'],
      files: { 'a.md': TEXT },
      verify: () => verifiedAs('failed'),
      agent: byRole(agents),
    });
    const visit = new Visit({ plan: { steps: [{ ...step, ...more }] }, good: { commit: 'base', checkpoint: 1 } });
    const checked = await checkStep(world.parts)(visit.activity, WORKTREE, { task, commit: 'left', wrongCheck });
    return { checked, roles: world.asked.map(({ role }) => role) };
  };

  it('is replaced by an agent that reads if a third agent rules so', async () => {
    const { checked, roles } = await disputed({ [ARBITER]: ruling(true), checker: passing });
    expect(roles).toEqual([ARBITER, 'checker']);
    expect(checked).toMatchObject({
      kind: 'held',
      patch: {
        plan: { steps: [{ command: null, wrongCheck: { check: command, why: 'the request names docs/' } }] },
        checked: { evidence: { by: 'checker', because: expect.stringContaining(`"${command}" is wrong`) as unknown } },
      },
    });
  });

  it('stands if the third agent rules so, or nobody disputes it', async () => {
    const upheld = await disputed({ [ARBITER]: ruling(false), checker: passing });
    expect([upheld.checked.kind, upheld.roles]).toEqual(['failed', [ARBITER]]);
    const undisputed = await disputed({ [ARBITER]: ruling(true) }, { command }, null);
    expect([undisputed.checked.kind, undisputed.roles]).toEqual(['failed', []]);
  });

  it('is left out for good, so that no other agent is asked about it', async () => {
    const wrongCheck = { check: command, why: 'before' };
    const { roles } = await disputed({ checker: judge({ verdict: 'fail' }) }, { command: null, wrongCheck });
    expect(roles).toEqual(['checker']);
  });

  it('is read again by plain words if its own words are wrong', async () => {
    let asked = 0;
    const checker = (one: AgentTask) => ((asked += 1) === 1 ? judge({ verdict: 'fail' })(one) : passing(one));
    const { checked } = await disputed({ [ARBITER]: ruling(true), checker }, {});
    expect(checked).toMatchObject({ kind: 'held', patch: { plan: { steps: [{ check: PLAIN_CHECK }] } } });
  });
});
