import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { headingsOf, hostileText } from '../shared/markdown.fixture.js';
import { assumptionsPage, planPage } from './plan-page.js';
import { numbered, settled } from './questions.js';

const minutes = { low: 5, expected: 10, high: 20 };
const plan = {
  summary: 'A module.',
  steps: [{ title: 'Write it', check: 'npm test', minutes }],
  risks: ['None known'],
};
const limits = { breakers: { recurrences: 3, orphans: 1 }, healAttempts: 5, uatRounds: 2, hasReviewers: true };
const facts = {
  name: '001-x',
  request: 'Add it',
  domains: ['frontend'],
  agents: ['sde-iii'],
  skillsByAgent: { 'sde-iii': ['testing', 'theming'], product: [] },
  limits,
  plan,
  isSimulated: false,
};

describe('PLAN.md', () => {
  it('has request, domains, skills, agents, steps with check and estimate, risks, and what a person is asked about', () => {
    expect(planPage(facts)).toBe(
      '# Plan of 001-x\n\n## Request\n\nAdd it\n\n## Domains\n\n- frontend\n\n## Skills\n\n- sde-iii: testing, theming\n\n## Agents\n\n- sde-iii\n\n## Summary\n\nA module.\n\n' +
        '## Steps\n\n1. Write it\n   - check: npm test\n   - estimate: 10 minutes, from 5 to 20\n\n## Risks\n\n- None known\n\n' +
        '## Escalation\n\nA person is asked if\n\n- its budget is spent, in USD or in tokens\n' +
        '- no reviewer hands in anything, after all tries\n- a problem is not fixed after 5 attempts\n' +
        '- the same error occurs 3 times\n- 1 process or more keep running after their command has ended\n' +
        '- a fix would touch secrets or drop data, or something is not permitted\n' +
        '- the result is not proven, and no attempt to fix that worked\n' +
        '- acceptance still fails after 2 rounds of fixes\n- the set-up fails, or no model answers\n',
    );
    expect(planPage({ ...facts, domains: [], plan: { ...plan, risks: [] } })).not.toMatch(/Domains|Risks/);
  });

  it('says what is not known: no skill, no estimate', () => {
    const [step] = plan.steps;
    const { minutes: _, ...open } = step ?? { title: '', check: '', minutes };
    const page = planPage({ ...facts, skillsByAgent: {}, plan: { ...plan, steps: [open] } });
    expect(page).toContain('## Skills\n\nNone: no skill that was found fits the request.\n');
    expect(page).toContain('- estimate: none given\n');
  });

  it('has estimates in whole minutes and in their order, whatever was said', () => {
    fc.assert(
      fc.property(fc.record({ low: fc.double(), expected: fc.double(), high: fc.double() }), (said) => {
        fc.pre(Object.values(said).every((one) => !Number.isNaN(one)));
        const page = planPage({ ...facts, plan: { ...plan, steps: [{ title: 'x', check: 'y', minutes: said }] } });
        const [, likely, least, most] = /estimate: (\d+) minutes, from (\d+) to (\d+)\n/.exec(page)?.map(Number) ?? [];
        expect([least, likely, most]).toEqual([least, likely, most].toSorted((one = 0, other = 0) => one - other));
      }),
    );
  });

  it('says that a model was simulated', () => {
    expect(planPage({ ...facts, isSimulated: true })).toContain('**Written by a simulated model.**');
  });

  it('has the headings that it has, whatever the words in it', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const said = { summary: text, steps: [{ title: text, check: text }], risks: [text] };
        const skillsByAgent = { [text]: [text] };
        const page = planPage({ ...facts, request: text, skillsByAgent, plan: said });
        const known = [
          '# Plan of 001-x',
          '## Request',
          '## Domains',
          '## Skills',
          '## Agents',
          '## Summary',
          '## Steps',
          '## Risks',
          '## Escalation',
        ];
        expect(headingsOf(page)).toEqual(known);
      }),
    );
  });

  it('is bounded', () => {
    const long = 'x '.repeat(1e5);
    const said = { summary: long, steps: [{ title: long, check: long }], risks: [long] };
    expect(planPage({ ...facts, request: long, plan: said }).length).toBeLessThan(10_000);
  });
});

describe('ASSUMPTIONS.md', () => {
  const questions = numbered({ questions: [{ question: 'Which?', why: 'it matters', fallback: 'light' }] });

  it('says what was answered and what was assumed', () => {
    expect(assumptionsPage('001-x', settled(questions, null), '')).toContain('- assumed, the safe default: light');
    expect(assumptionsPage('001-x', settled(questions, { Q1: 'dark' }), '')).toContain('- answered by a person: dark');
    expect(assumptionsPage('001-x', [], '')).toContain('None: the request left no question open.');
    expect(assumptionsPage('001-x', [], 'and soon')).toContain('## Said besides\n\n    and soon\n');
  });

  it('has one heading for each question, whatever is asked or answered', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const all = numbered({ questions: [{ question: `Which? ${text}`, why: text, fallback: text }] });
        const headings = headingsOf(assumptionsPage('001-x', settled(all, { Q1: text }), `a${text}`));
        expect(headings).toHaveLength(3);
        expect(headings[1]).toMatch(/^## Q1/);
      }),
    );
  });
});
