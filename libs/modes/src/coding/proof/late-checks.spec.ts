import { describe, expect, it } from 'vitest';
import { byRole, fakeParts, Visit, WORKTREE } from '../coding.fixture.js';
import { contextOf } from '../context.js';
import { CHECK_AUTHOR } from '../scoping/author-checks.js';
import { authorLateChecks } from './late-checks.js';
import { checkWith, planWith, redRun } from './proof.fixture.js';

async function author(
  context: Readonly<Record<string, unknown>> = {},
  { isRed = true, judgedAs = 'behaviour' as const } = {},
) {
  const checks = [{ part: 1, title: 'It is dark', files: [], command: 'node late.mjs', why: '' }];
  const world = fakeParts({
    agent: byRole({ [CHECK_AUTHOR]: () => ({ output: { checks } }) }),
    ...(isRed && { verify: () => redRun() }),
  });
  const { activity } = new Visit(context);
  const late = await authorLateChecks(world.parts, activity, WORKTREE, { plan: planWith(), judgedAs, commit: 'done' });
  return { ...world, late, known: contextOf({ context: late.patch }) };
}

describe('checks that are written late', () => {
  it('are written by an author that sees the base only', async () => {
    const { known, asked, resets } = await author();
    expect([known.checks?.map(({ command }) => command), asked.length]).toEqual([['node late.mjs'], 1]);
    expect([resets[0], resets.at(-1)]).toEqual(['base', 'done']);
  });

  it('are not written if each part has one, or if a simulated model works', async () => {
    expect((await author({ checks: [checkWith('C-001')] })).asked).toEqual([]);
    expect((await author({ simulated: true })).asked).toEqual([]);
  });

  it('are asked for once for each result, also if none was found', async () => {
    const first = await author({}, { isRed: false });
    expect([first.known.checks, first.known.lateChecks]).toEqual([[], ['tree']]);
    const second = await author(first.late.patch, { isRed: false });
    expect([second.asked, second.late.patch]).toEqual([[], {}]);
  });

  it('may tell what a part is about, and leave the class of the plan as it was', async () => {
    const title = 'The README says so';
    const parts = [...planWith().parts, { title, interface: '', failingTests: [] }];
    const none = { part: 2, title, files: [], command: null, why: 'it is a text' };
    const world = fakeParts({ agent: byRole({ [CHECK_AUTHOR]: () => ({ output: { checks: [none] } }) }) });
    const plan = planWith({ class: 'document', parts });
    const { activity } = new Visit({ checks: [checkWith('C-001')] });
    const wish = { plan, judgedAs: 'behaviour', commit: 'done' } as const;
    const late = await authorLateChecks(world.parts, activity, WORKTREE, wish);
    expect(late).toMatchObject({ plan: { class: 'document', parts: [{}, { title, kind: 'document' }] } });
    expect(world.asked).toHaveLength(1);
  });

  it('are asked for twice in a project at most', async () => {
    expect((await author({ lateChecks: ['other'] })).known.lateChecks).toEqual(['other', 'tree']);
    expect((await author({ lateChecks: ['other', 'third'] })).asked).toEqual([]);
  });
});
