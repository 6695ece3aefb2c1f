import { describe, expect, it } from 'vitest';
import { byRole, eventOf, fakeParts, Visit } from '../coding/coding.fixture.js';
import { ErrandContext, errandContextOf } from './context.js';
import { ROLE } from './prompt.js';
import { work } from './work.activity.js';

const order = { tier: 'medium', runtime: 'api', turns: 60, minutes: 30 };
const CLAIM = { outcome: 'done', summary: 'I changed nothing more.', wrongCheck: 'it asks for a name' };

async function worked(context: object, outcome: object, counters = {}, diff = '+moved') {
  const { parts, asked, resets } = fakeParts({ agent: byRole({ [ROLE]: () => outcome }), diff });
  const { type, patch } = eventOf(
    await work(parts)(new Visit({ order, ...context }, { state: 'WORKING', counters }).activity),
  );
  expect(ErrandContext.safeParse({ order, ...context, ...patch }).error?.issues ?? []).toEqual([]);
  return {
    type,
    said: patch['said'],
    claim: errandContextOf({ context: patch }).wrongCheck,
    earlier: patch['earlierHeals'],
    asked,
    resets,
    patch,
  };
}

describe('the implementer of an errand', () => {
  it('answers in free text as long as no check has failed', async () => {
    const { type, said, claim, asked } = await worked({}, { text: 'Done.', output: CLAIM });
    expect([type, claim, asked[0]?.output]).toEqual(['work:done', null, undefined]);
    expect(said).toBe('I changed nothing more.');
  });

  it('may say that a check is wrong after it has seen one fail', async () => {
    const { said, claim, asked } = await worked({ hasRedCheck: true }, { text: '{}', output: CLAIM });
    expect([said, claim, asked[0]?.output?.name]).toEqual([CLAIM.summary, CLAIM.wrongCheck, 'work']);
  });

  it('is heard with the beginning of a long claim', async () => {
    const output = { ...CLAIM, wrongCheck: 'x'.repeat(5_000) };
    expect((await worked({ hasRedCheck: true }, { output })).claim).toHaveLength(2_000);
  });

  it('is continued by a fresh conversation if its program crashes, and then by the next tier', async () => {
    const crash = {
      kind: 'failed',
      code: 'AGENT_KILLED',
      message: 'a signal ended it',
      said: '',
      commit: 'half',
    } as const;
    const refused = { ...crash, code: 'AGENT_FILES_REFUSED', message: 'giant.bin is too large' };
    const ends = [crash, refused, { text: 'Done.', commit: 'whole' }];
    const { parts, asked } = fakeParts({ agent: ({ attempt }) => ends[attempt - 1] ?? {} });
    const { type, patch } = eventOf(await work(parts)(new Visit({ order }, { state: 'WORKING' }).activity));
    expect([type, patch['commit'], asked.map(({ tier }) => tier)]).toEqual([
      'work:done',
      'whole',
      ['medium', 'medium', 'large'],
    ]);
    expect([asked[1]?.prompt, asked[2]?.prompt]).toEqual([
      expect.stringContaining('a signal ended it'),
      expect.stringContaining('giant.bin is too large'),
    ]);
  });

  const stuck = { kind: 'failed', code: 'AGENT_TURNS_EXHAUSTED', message: 'max turns reached', said: 'half of it' };

  it('asks a person if the first attempt comes to no end', async () => {
    expect((await worked({}, stuck)).type).toBe('work:blocked');
  });

  it('counts a heal that comes to no end as an attempt, so that the ladder goes on', async () => {
    const { type, said } = await worked({ firstCommit: 'first' }, stuck, { attempts: 1 });
    expect([type, said]).toEqual(['work:done', 'AGENT_TURNS_EXHAUSTED: max turns reached\nhalf of it']);
  });

  it('asks a person if no model answers in a heal', async () => {
    const outage = { ...stuck, code: 'MODEL_UNREACHABLE' };
    expect((await worked({ firstCommit: 'first' }, outage, { attempts: 1 })).type).toBe('work:blocked');
  });

  it('keeps what earlier heals tried, with diff and output, and shows it to the next one', async () => {
    const tried = { number: 2, tried: 'I renamed it.', why: 'still red', diff: '-a', output: 'red' };
    const context = {
      firstCommit: 'first',
      said: 'I moved it.',
      doubt: 'red again',
      doubtOutput: 'AssertionError',
      attempt: 3,
    };
    const { earlier, asked } = await worked({ ...context, earlierHeals: [tried] }, { text: 'ok' }, { attempts: 3 });
    expect(earlier).toMatchObject([
      tried,
      { number: 3, tried: 'I moved it.', why: 'red again', output: 'AssertionError' },
    ]);
    expect(asked[0]?.prompt).toContain('I renamed it.');
    expect((await worked({ ...context }, { text: 'ok' }, { attempts: 1 })).earlier).toEqual([]);
  });
});

describe('the implementer of an errand that a person sent back', () => {
  const decision = { gate: 'unproven', decision: 'revise', feedback: 'Use CSS.' };
  const failed = {
    commit: 'last',
    firstCommit: 'first',
    said: 'I moved it.',
    doubt: 'red',
    verification: {},
    attempts: 5,
  };
  const revised = { ...failed, decision };
  /** What the project knows after the revision. */
  const after = async () => ({ ...revised, ...(await worked(revised, { commit: 'revised' }, { attempts: 5 })).patch });

  it('works on from the last files with the ordered tier, and has the whole ladder again', async () => {
    const { patch, asked, resets } = await worked(revised, { commit: 'revised' }, { attempts: 5 });
    expect([asked[0]?.tier, resets]).toEqual(['medium', []]);
    expect(patch).toMatchObject({
      decision: null,
      revision: { said: ['Use CSS.'], healsBefore: 5 },
      attempts: 10,
      firstCommit: 'revised',
    });
  });

  it('is healed by the ladder, from the files of the revision', async () => {
    const known = await after();
    const tiers: unknown[] = [];
    for (const [heals, start] of [
      [1, 'revised'],
      [2, 'revised'],
      [3, 'revised'],
      [4, 'base'],
      [5, 'base'],
    ] as const) {
      const { asked, resets } = await worked(
        { ...known, commit: 'other' },
        { commit: 'healed' },
        { attempts: 5 + heals },
      );
      tiers.push(asked[0]?.tier);
      expect(resets).toEqual([start]);
      expect(asked[0]?.prompt).toContain('Use CSS.');
    }
    expect(tiers).toEqual(['small', 'small', 'medium', 'medium', 'large']);
  });

  it('is told what earlier heals of the revision tried', async () => {
    const { earlier } = await worked(
      { ...(await after()), commit: 'other', said: 'I renamed it.' },
      {},
      { attempts: 7 },
    );
    expect(earlier).toMatchObject([{ tried: 'I renamed it.' }]);
  });

  it('keeps every word and counts from the last revision if it is sent back again', async () => {
    const again = { ...(await after()), decision: { ...decision, feedback: 'In one file.' } };
    const { patch, asked } = await worked(again, { commit: 'again' }, { attempts: 8 });
    expect(patch).toMatchObject({
      revision: { said: ['Use CSS.', 'In one file.'], healsBefore: 8 },
      attempts: 13,
      firstCommit: 'again',
    });
    expect([asked[0]?.tier, asked[0]?.prompt]).toEqual(['medium', expect.stringMatching(/Use CSS\.[^]*In one file\./)]);
  });

  it('keeps the revision if its agent comes to no end, so that it is none when a person resolves the block', async () => {
    const stuck = { kind: 'failed', code: 'AGENT_TURNS_EXHAUSTED', message: 'm', said: '', commit: 'half' };
    const { type, patch } = await worked(revised, stuck, { attempts: 5 });
    expect([type, patch['attempts'], patch['decision']]).toEqual(['work:blocked', 10, null]);
    const resolved = {
      ...revised,
      ...patch,
      decision: { gate: 'resolve-problem', decision: 'resolve', feedback: 'Go on.' },
    };
    const { asked, resets, patch: later } = await worked(resolved, { commit: 'whole' }, { attempts: 5 });
    expect([asked[0]?.tier, resets, later['firstCommit'], later['attempts']]).toEqual([
      'medium',
      [],
      'whole',
      undefined,
    ]);
    expect(asked[0]?.prompt).toMatch(/Use CSS\.[^]*Go on\./);
  });
});

describe('a heal that changes what only a person may change', () => {
  const SECRET = 'diff --git a/.env b/.env\n--- /dev/null\n+++ b/.env\n@@ -0,0 +1 @@\n+API_KEY=1\n';
  const healing = { commit: 'last', firstCommit: 'first' };

  it('is kept apart with the reason, for a person to decide', async () => {
    const { type, patch } = await worked(healing, { commit: 'healed' }, { attempts: 1 }, SECRET);
    expect([type, patch['commit']]).toEqual(['work:done', 'healed']);
    expect(patch['neverHealed']).toMatchObject({
      why: expect.stringContaining('.env') as string,
      startCommit: 'first',
    });
  });

  it('counts also if its agent came to no end', async () => {
    const stuck = { kind: 'failed', code: 'AGENT_TURNS_EXHAUSTED', message: 'm', said: '', commit: 'half' };
    const { patch } = await worked(healing, stuck, { attempts: 1 }, SECRET);
    expect(patch['neverHealed']).toMatchObject({ startCommit: 'first' });
  });

  it('is none if the request was carried out that way: nobody healed anything', async () => {
    expect((await worked({}, { commit: 'first' }, {}, SECRET)).patch['neverHealed']).toBeNull();
  });

  it('is taken back if a person sends it back', async () => {
    const decision = { gate: 'unproven', decision: 'revise', feedback: 'Without the key.' };
    const known = { ...healing, decision, neverHealed: { why: 'it changes .env', startCommit: 'first' } };
    const { resets, patch } = await worked(known, { commit: 'revised' }, { attempts: 1 }, SECRET);
    expect([resets, patch['neverHealed'], patch['firstCommit']]).toEqual([['first'], null, 'revised']);
  });
});
