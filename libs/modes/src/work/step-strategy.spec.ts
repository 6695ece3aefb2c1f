import { describe, expect, it } from 'vitest';
import { byRole, fakeParts, taskOf, verifiedAs, Visit, WORKTREE } from '../coding/coding.fixture.js';
import { checkWith, failingRun, planWith, redRun } from '../coding/proof/proof.fixture.js';
import { stepStrategy } from './step-strategy.js';

const task = taskOf('T-002', { kind: 'step' });
const evidence = { by: 'checker', because: 'seen', run: null, quotes: [] };

describe('what is kept of a step', () => {
  it('is what it left: a document that it deleted is handed to nobody any more', () => {
    const before = [
      { path: 'docs/old.md', commit: 'c1', task: 'T-001' },
      { path: 'docs/kept.md', commit: 'c1', task: 'T-001' },
    ];
    const checked = {
      task: 'T-002',
      files: ['docs/new.md', 'src/a.js', `${'x'.repeat(500)}.md`],
      deleted: ['docs/old.md'],
      evidence,
    };
    const kept = stepStrategy(fakeParts().parts).kept({ deliverables: before, checked }, task, 'c2');
    expect(kept['deliverables']).toEqual([before[1], { path: 'docs/new.md', commit: 'c2', task: 'T-002' }]);
    expect(kept['results']).toEqual([{ ...checked, commit: 'c2' }]);
  });
});

describe('a step is done', () => {
  const TEXT = 'The toggle switches between the light theme and the dark one.';
  const quoting = { verdict: 'pass', observation: 'seen', evidence: [{ file: 'a.md', quote: TEXT }], findings: [] };
  const step = { task: 'T-002', title: 'Write it', detail: '', check: 'It says so.', command: null, file: 'a.md' };
  const steps = [{ task: 'T-002', title: 'Write it', parts: [1], findings: [], check: 'It says so.' }];
  const context = {
    plan: { steps: [step] },
    requestPlan: planWith({ steps }),
    tasks: [task],
    good: { commit: 'base', checkpoint: 1 },
    verification: verifiedAs('passed'),
  };
  const check = async (more: object = {}, isRed = false) => {
    const world = fakeParts({
      changed: ['a.md'],
      files: { 'a.md': TEXT },
      agent: byRole({ checker: () => ({ output: quoting }) }),
      clean: () => (isRed ? redRun('AssertionError: it is light') : null),
    });
    const { activity } = new Visit({ ...context, ...more });
    const checked = await stepStrategy(world.parts).check(activity, WORKTREE, { task, commit: 'left' });
    const why = checked.kind === 'failed' ? checked.comparison.newFailures.join() : '';
    return { kind: checked.kind, why, roles: world.asked.map(({ role }) => role) };
  };

  it('if its own check holds and nothing else is due after it', async () => {
    expect(await check()).toMatchObject({ kind: 'held', roles: ['checker'] });
  });

  it('not if a check of a part fails that it completes, whatever an agent reads', async () => {
    const failed = await check({ checks: [checkWith('C-001')] }, true);
    expect(failed).toMatchObject({ kind: 'failed', why: 'The theme of C-001 is dark', roles: [] });
  });

  it('not if a failing test is left that the request has to make pass', async () => {
    const requestPlan = planWith({ steps, scope: [{ name: 'rounds', reason: 'goal is green' }] });
    const red = { requestPlan, verification: failingRun('rounds') };
    expect(await check(red)).toMatchObject({ kind: 'failed', why: 'rounds' });
    expect((await check({ ...red, flakyTests: ['rounds'] })).kind).toBe('held');
  });
});

it('a worker is told what an implementer of coding mode is told', async () => {
  const order = { agents: { pin: [], forbid: [] }, tier: 'medium', runtime: 'api', turns: 41, minutes: 23 };
  const output = { outcome: 'done', summary: '', question: null, findings: [] };
  const { parts, asked } = fakeParts({ agent: () => ({ output }), diff: '+of an earlier step' });
  const context = {
    order,
    plan: { steps: [{ task: 'T-002', title: 'Write it', detail: 'All', owner: 'docs-writer', skills: [], check: 'It is there', command: 'node check.js', file: null }] },
    requestPlan: planWith({ scope: [{ name: 'rounds', reason: 'it is named' }] }),
    baseline: failingRun('rounds'),
    repositoryMap: 'src/price.mjs: roundPrice',
    conventions: 'Two spaces, no semicolons.',
    tasks: [taskOf('T-001', { kind: 'step', status: 'completed', note: 'wrote the tests' }), task],
  }; // prettier-ignore
  await stepStrategy(parts).run(new Visit(context).activity, { worktree: WORKTREE, startCommit: 'good' }, task);
  for (const words of [
    ...['src/price.mjs: roundPrice', 'Two spaces, no semicolons.', 'rounds', 'npm test', '+of an earlier step'],
    ...['wrote the tests', 'T-002 Title of T-002', 'node check.js', 'There is a dark mode', '41 turns'],
  ]) {
    expect(asked[0]?.prompt).toContain(words);
  }
});
