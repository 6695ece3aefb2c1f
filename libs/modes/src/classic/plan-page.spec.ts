import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { headingsOf, hostileText } from '../shared/markdown.fixture.js';
import { assumptionsPage, feedbackPage, planPage } from './plan-page.js';
import { numbered, settled } from './questions.js';

const plan = { summary: 'A module.', steps: [{ title: 'Write it', check: 'npm test' }], risks: ['None known'] };
const facts = {
  name: '001-x',
  request: 'Add it',
  domains: ['frontend'],
  agents: ['sde-iii'],
  plan,
  isSimulated: false,
};

describe('PLAN.md', () => {
  it('has request, domains, agents, steps with their checks, and risks', () => {
    expect(planPage(facts)).toBe(
      '# Plan of 001-x\n\n## Request\n\nAdd it\n\n## Domains\n\n- frontend\n\n## Agents\n\n- sde-iii\n\n## Summary\n\nA module.\n\n' +
        '## Steps\n\n1. Write it\n   - check: npm test\n\n## Risks\n\n- None known\n',
    );
    expect(planPage({ ...facts, domains: [], plan: { ...plan, risks: [] } })).not.toMatch(/Domains|Risks/);
  });

  it('says that a model was simulated', () => {
    expect(planPage({ ...facts, isSimulated: true })).toContain('**Written by a simulated model.**');
  });

  it('has the headings that it has, whatever the words in it', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const said = { summary: text, steps: [{ title: text, check: text }], risks: [text] };
        const page = planPage({ ...facts, request: text, plan: said });
        const known = [
          '# Plan of 001-x',
          '## Request',
          '## Domains',
          '## Agents',
          '## Summary',
          '## Steps',
          '## Risks',
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
    expect(assumptionsPage('001-x', settled(questions, null))).toContain('- assumed, the safe default: light');
    expect(assumptionsPage('001-x', settled(questions, { Q1: 'dark' }))).toContain('- answered by a person: dark');
    expect(assumptionsPage('001-x', [])).toContain('None: the request left no question open.');
  });

  it('has one heading for each question, whatever is asked or answered', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const all = numbered({ questions: [{ question: text, why: text, fallback: text }] });
        const headings = headingsOf(assumptionsPage('001-x', settled(all, { Q1: text })));
        expect(headings).toHaveLength(2);
        expect(headings[1]).toMatch(/^## Q1/);
      }),
    );
  });
});

it('PLAN-FEEDBACK.md has what people said, numbered, each as text', () => {
  expect(feedbackPage(['Smaller.\n# No heading', 'Better.'])).toBe(
    '# Feedback on the plan\n\n## 1\n\n    Smaller.\n    # No heading\n\n## 2\n\n    Better.\n',
  );
  fc.assert(fc.property(hostileText, (text) => headingsOf(feedbackPage([`a${text}`])).length === 2));
});
