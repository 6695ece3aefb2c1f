import { describe, expect, it } from 'vitest';
import type { AgentOutcome, AgentTask } from '#agents';
import { eventOf, fakeParts, Visit } from '../coding.fixture.js';
import type { Review, ReviewBrief, Seat } from './review.js';
import { reviewCode } from './review-code.activity.js';

const seat: Seat = { agent: 'sde-iii', tier: 'medium', isCritical: true, tools: null, instructions: '', skills: [] };
const brief: ReviewBrief = {
  seat,
  order: { runtime: 'api', reviewSeconds: null },
  place: { projectId: 'p', name: '001-x', commit: 'base', incarnation: 1 },
  domains: [],
  files: ['src/theme.css'],
  memories: [],
  baseline: '',
  map: '',
  notes: '',
};
const SAID = `I read src/theme.css and its tests. ${'There is more to say about each of its rules. '.repeat(3)}`;
const late = (said: string, code = 'AGENT_TIMED_OUT'): Partial<AgentOutcome> => ({
  kind: 'failed',
  code,
  message: 'm',
  said,
  text: said,
});
const unshaped = (text: string): Partial<AgentOutcome> => late(text, 'AGENT_OUTPUT_INVALID');

/** What its agent ends with, and what is made of it. */
async function reviewed(outcome: Partial<AgentOutcome>, context: object = {}, visit = 1) {
  const tasks: AgentTask[] = [];
  const agent = (task: AgentTask): Partial<AgentOutcome> => {
    tasks.push(task);
    return outcome;
  };
  const { activity } = new Visit({ ...brief, ...context }, { state: 'READING', visit });
  const { type, patch } = eventOf(await reviewCode(fakeParts({ agent }).parts)(activity));
  return { type, patch, task: tasks[0], review: patch['result'] as unknown as Review };
}

describe('a reviewer', () => {
  it('only reads, for as long as its tier may take or the project allows', async () => {
    const wall = async (tier: Seat['tier'], reviewSeconds?: number) => {
      const order = { runtime: 'api', ...(reviewSeconds !== undefined && { reviewSeconds }) };
      const { task } = await reviewed({ text: SAID }, { seat: { ...seat, tier }, order });
      expect([task?.access, task?.mayRun, task?.promptVersion]).toEqual(['read', true, 'review@5']);
      expect(task?.prompt).toContain('You have at most 30 turns and ');
      return task?.limits.wallMs;
    };
    expect([await wall('small'), await wall('medium'), await wall('large')]).toEqual([120_000, 300_000, 600_000]);
    expect(await wall('large', 7)).toBe(7_000);
  });

  it.each([
    ['missing', 'wrote nothing before it failed', late('', 'MODEL_REFUSED')],
    ['silent', 'ended without a word', { text: '' }],
    ['stale', 'had said next to nothing when its time was up', late('I read src/theme.css')],
    ['hollow', 'speaks of nothing that it was given', { text: 'All of it looks good to me. '.repeat(9) }],
    ['good', 'had said much when its time was up, and not come to its end', late(SAID)],
  ] as const)('is %s where it %s, and is seated again', async (health, _words, outcome) => {
    const { type, review } = await reviewed(outcome);
    expect([type, review.status, review.health]).toEqual(['review:unusable', 'lost', health]);
    expect(review.why).not.toBeNull();
    expect(review.findings).toEqual([]);
  });

  it('finds what it had said before, on its second try, and both stay', async () => {
    const first = await reviewed(late(SAID));
    expect(first.patch['partial']).toBe(SAID);
    const second = await reviewed(late('And no further.'), first.patch, 2);
    expect(second.task?.prompt).toContain(SAID);
    expect(second.task?.prompt).toContain(first.review.why);
    expect(second.review.partial).toBe(`${SAID}\nAnd no further.`);
  });

  const plain = { seat: { ...seat, isCritical: false } };

  it('that is critical has its seat in the next tier after it failed twice, with the time of that tier', async () => {
    const first = await reviewed(late(SAID));
    expect(first.patch['raisedFrom']).toBeUndefined();
    const second = await reviewed(late('And no further.'), first.patch, 2);
    expect(second.type).toBe('review:unusable');
    expect(second.patch).toMatchObject({ raisedFrom: 'medium', seat: { agent: 'sde-iii', tier: 'large' } });
    const third = await reviewed({ text: SAID }, { ...first.patch, ...second.patch }, 3);
    expect([third.type, third.review.status]).toEqual(['review:handed-in', 'done']);
    expect(third.task).toMatchObject({ tier: 'large', attempt: 3, limits: { wallMs: 600_000 } });
    expect(third.task?.prompt).toContain('And no further.');
  });

  it('that is critical hands in its partial output after the last try, marked as partial', async () => {
    const said = `${SAID}\n\n### P0\n- **The token is printed** (\`src/theme.css:3\`)\n`;
    const context = { raisedFrom: 'medium', seat: { ...seat, tier: 'large' }, partial: said };
    const { type, review } = await reviewed(late('And no further.'), context, 3);
    expect([type, review.status, review.why]).toEqual(['review:handed-in', 'partial', 'AGENT_TIMED_OUT: m']);
    expect(review.findings.map(({ title }) => title)).toEqual(['The token is printed']);
    const silent = await reviewed(late(''), { ...context, partial: '' }, 3);
    expect([silent.type, silent.review.status]).toEqual(['review:unusable', 'lost']);
  });

  it('that is critical and of the largest tier hands in its partial output after the second try', async () => {
    const large = { seat: { ...seat, tier: 'large' } };
    expect((await reviewed(late(SAID), large)).type).toBe('review:unusable');
    expect(await reviewed(late(SAID), large, 2)).toMatchObject({
      type: 'review:handed-in',
      review: { status: 'partial' },
    });
  });

  it('that is not critical is lost after the second try, whatever it had said', async () => {
    const { type, review, patch } = await reviewed(late(SAID), plain, 2);
    expect([type, review.status, patch['raisedFrom']]).toEqual(['review:unusable', 'lost', undefined]);
  });

  it('stays simulated if any of its tries was', async () => {
    const first = await reviewed({ ...late(SAID), isSimulated: true });
    expect((await reviewed({ text: SAID }, first.patch, 2)).review.isSimulated).toBe(true);
  });

  it('is read where only the shape of its answer was wrong', async () => {
    const { type, review } = await reviewed(unshaped('I read src/theme.css.\n\n### P1\n- **No dark colours**'));
    expect([type, review.findings.map(({ title }) => title)]).toEqual(['review:handed-in', ['No dark colours']]);
  });

  it('is asked once more for prose in which nobody can tell findings, and is then shown with a note', async () => {
    const prose = 'In src/theme.css the token is printed, and anybody can read it.';
    const first = await reviewed(unshaped(prose));
    expect([first.type, first.patch['partial']]).toEqual(['review:unusable', prose]);
    const large = { partial: prose, invalidAnswers: 1, seat: { ...seat, tier: 'large' } };
    const { type, review } = await reviewed(unshaped(prose), large, 2);
    expect([type, review.summary, review.findings]).toEqual(['review:handed-in', prose, []]);
    expect(review.notes).toEqual(['no findings could be told apart in what it wrote']);
  });

  describe.each([true, false])('whose answer is invalid twice (critical: %s)', (isCritical) => {
    const prose = 'In src/theme.css the token is printed, and anybody can read it.';
    const own = { seat: { ...seat, isCritical } };
    const raised = async (text: string) => {
      const first = await reviewed(unshaped(text), own);
      const second = await reviewed(unshaped(text), { ...own, ...first.patch }, 2);
      return { ...second, context: { ...own, ...first.patch, ...second.patch } };
    };

    it.each([prose, 'All of it looks good to me. '.repeat(9)])('has its seat in the next tier: %s', async (text) => {
      const { type, patch, context } = await raised(text);
      expect([type, patch]).toMatchObject(['review:unusable', { raisedFrom: 'medium', seat: { tier: 'large' } }]);
      const output = { summary: 'I read src/theme.css: all is well.', findings: [] };
      const third = await reviewed({ output, text: JSON.stringify(output) }, context, 3);
      expect([third.type, third.review.status, third.task?.tier]).toEqual(['review:handed-in', 'done', 'large']);
    });

    it('is shown as it is after the next tier, with a note', async () => {
      const { review } = await reviewed(unshaped(prose), (await raised(prose)).context, 3);
      expect([review.status, review.summary]).toEqual(['done', prose]);
      expect(review.notes).toEqual(['no findings could be told apart in what it wrote']);
    });

    it('hands in what it had said if the next tier comes to no end', async () => {
      const { type, review } = await reviewed(late(''), (await raised(prose)).context, 3);
      expect([type, review.status]).toEqual(['review:handed-in', 'partial']);
    });
  });

  it('that is not critical keeps its tier if only one of two answers was invalid', async () => {
    const first = await reviewed(late(SAID), plain);
    const second = await reviewed(unshaped('All of it looks good to me. '.repeat(9)), { ...plain, ...first.patch }, 2);
    expect([second.type, second.patch['raisedFrom']]).toEqual(['review:unusable', undefined]);
  });

  it('is not asked again where it found nothing and says so in its shape', async () => {
    const output = { summary: 'I read src/theme.css: all is well.', findings: [] };
    expect((await reviewed({ output, text: JSON.stringify(output) })).type).toBe('review:handed-in');
  });

  it('is not seated again where the budget is spent', async () => {
    const { type, review } = await reviewed({ kind: 'over-budget', breaker: { kind: 'usd' } });
    expect([type, review.status]).toEqual(['review:unaffordable', 'over-budget']);
  });
});
