import { describe, expect, it } from 'vitest';
import { byRole, eventOf, fakeParts, Visit } from '../coding/coding.fixture.js';
import { contextOf } from '../coding/context.js';
import { ROLE } from './prompt.js';
import { work } from './work.activity.js';

const order = { tier: 'medium', runtime: 'api', turns: 60, minutes: 30 };
const CLAIM = { outcome: 'done', summary: 'I changed nothing more.', wrongCheck: 'it asks for a name' };

async function worked(context: object, outcome: object, counters = {}) {
  const { parts, asked } = fakeParts({ agent: byRole({ [ROLE]: () => outcome }), diff: '+moved' });
  const { type, patch } = eventOf(
    await work(parts)(new Visit({ order, ...context }, { state: 'WORKING', counters }).activity),
  );
  return {
    type,
    said: patch['said'],
    claim: contextOf({ context: patch }).wrongCheck,
    earlier: patch['earlierHeals'],
    asked,
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
