import { describe, expect, it } from 'vitest';
import type { AgentOutcome } from '#agents';
import { patched } from '#engine';
import { teamOf } from '../coding/coding-context.js';
import { eventOf, fakeParts, Visit } from '../coding/coding.fixture.js';
import { codingGuards } from '../coding/guards.js';
import { withPages } from '../coding/readable/write-pages.js';
import { plan } from './plan.activity.js';

const PLAN = { summary: 'A module', steps: [{ title: 'write it', check: 'npm test' }], risks: [] };
const FAILED: Partial<AgentOutcome> = { kind: 'failed', code: 'MODEL_DOWN', message: 'nobody answers', said: '' };
const revise = (feedback: string): object => ({ decision: { gate: 'plan', decision: 'revise', feedback } });
const resolve = { decision: { gate: 'resolve-problem', decision: 'resolve' } };
const questions = [{ id: 'Q1', question: 'Which?', why: 'so', fallback: 'light' }];

/** One visit of PLANNING after the other, each with what the one before left. */
class Planning {
  context: Readonly<Record<string, unknown>> = { questions };
  readonly prompts: string[] = [];
  pages = new Map<string, string>();

  async visit(more: object, outcome: Partial<AgentOutcome> = { output: PLAN }): Promise<string> {
    const world = fakeParts({
      agent: ({ prompt }) => {
        this.prompts.push(prompt);
        return outcome;
      },
    });
    const { activity } = new Visit({ ...this.context, ...more }, { state: 'PLANNING' });
    const { type, patch } = eventOf(await withPages(world.parts, plan(world.parts))(activity));
    this.context = patched(activity.context, patch);
    this.pages = world.pages;
    return type;
  }
}

describe('PLANNING', () => {
  it('settles the questions, seats five, and writes the plan that a person is shown', async () => {
    const planning = new Planning();
    expect(await planning.visit({ decision: { gate: 'clarify', decision: 'answer', answers: { Q1: 'dark' } } })).toBe(
      'plan:ready',
    );
    const { context, pages } = planning;
    expect(teamOf({ context: context as never })?.members).toHaveLength(5);
    expect(context).toMatchObject({ assumptions: 'Which? Answered: dark', plan: PLAN, why: pages.get('PLAN.md') });
    expect([...pages.keys()]).toEqual(expect.arrayContaining(['ASSUMPTIONS.md', 'PLAN.md', 'discovered-plugins.json']));
    expect(pages.has('PLAN-FEEDBACK.md')).toBe(false);
  });

  it('says by what limits of the project a person is asked', async () => {
    const planning = new Planning();
    const order = { agents: { pin: ['security-reviewer'], forbid: [] }, tier: 'medium', runtime: 'api', breakers: { recurrences: 4, orphans: 7 } }; // prettier-ignore
    await planning.visit({ order, healAttempts: 2 });
    const page = planning.pages.get('PLAN.md') ?? '';
    expect(page).toContain('a problem is not fixed after 2 attempts');
    expect(page).toContain('acceptance still fails after 2 rounds of fixes');
    expect(page).toContain('the same error occurs 4 times');
    expect(page).toContain('no reviewer hands in anything, after all tries');
  });

  it('knows all feedback at each revision, and still the answers', async () => {
    const planning = new Planning();
    await planning.visit({ decision: { gate: 'clarify', decision: 'answer', answers: { Q1: 'dark' } } });
    await planning.visit(revise('Make it smaller.'));
    await planning.visit(revise('Name it theme.'));
    expect(planning.prompts[2]).toMatch(/Answered: dark[^]*A module[^]*Make it smaller\.[^]*Name it theme\./);
    expect(planning.pages.get('PLAN-FEEDBACK.md')).toContain(
      '## 1\n\n    Make it smaller.\n\n## 2\n\n    Name it theme.\n',
    );
    expect(planning.pages.get('ASSUMPTIONS.md')).toContain('answered by a person: dark');
  });

  it('loses nothing of what a person said with the answers, over all revisions', async () => {
    const planning = new Planning();
    const answers = { Q1: 'dark' };
    await planning.visit({ decision: { gate: 'clarify', decision: 'answer', answers, feedback: 'And soon.' } });
    await planning.visit(revise('Make it smaller.'));
    for (const prompt of planning.prompts) expect(prompt).toMatch(/Answered: dark[^]*And soon\./);
    expect(planning.context['assumptions']).toBe('Which? Answered: dark\nSaid besides: And soon.');
    expect(planning.pages.get('ASSUMPTIONS.md')).toContain('## Said besides\n\n    And soon.\n');
  });

  it('keeps the feedback over a block, once', async () => {
    const planning = new Planning();
    await planning.visit({});
    expect(await planning.visit(revise('Make it smaller.'), FAILED)).toBe('work:blocked');
    expect(await planning.visit(resolve)).toBe('plan:ready');
    expect(planning.prompts[2]?.split('Make it smaller.')).toHaveLength(2);
    expect(planning.context['feedback']).toEqual(['Make it smaller.']);
  });

  it('that is blocked and put off leads past nobody who has to approve it', async () => {
    for (const before of [0, 1]) {
      const planning = new Planning();
      for (let nth = 0; nth < before; nth += 1) await planning.visit({});
      await planning.visit({}, FAILED);
      for (const guard of ['reviews-remain', 'more-work-remains', 'work-awaits-acceptance', 'is-complete']) {
        expect(codingGuards[guard]?.(planning.context as never, {}, {})).toBe(false);
      }
    }
  });
});
