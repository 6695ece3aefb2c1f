import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Finding } from '#contracts';
import { readReview, type Review } from '../review/read-review.js';
import { foundAs, memberOf, teamOf } from '../team.fixture.js';
import { agentPage } from './agent-page.js';
import { type Synthesis, synthesisPage } from './synthesis-page.js';

const review: Review = {
  summary: 'Read src/login.ts.\n# Not a heading',
  findings: [
    { priority: 'P0', relation: 'is-request', title: 'Token *in* the | log #1', body: 'Printed.\n\n### P0\n- no bullet', file: 'src/login.ts', line: 3, confidence: 0.9 },
    { priority: 'P2', relation: 'aside', title: 'Long names', body: '', file: null, line: null, confidence: 0.5 },
  ],
  notes: ['entries that are no findings: 1'],
}; // prettier-ignore
const member = memberOf('security-reviewer', { tier: 'large', isCritical: true });
const synthesis: Synthesis = {
  request: 'Add a rate limit\n# to the login',
  team: teamOf(member, memberOf('ux-designer', { reasons: ['a | b'] })),
  skillsByAgent: { 'ux-designer': ['frontend-design'], 'security-reviewer': [] },
  reviews: [
    { agent: 'security-reviewer', health: 'good', ...review },
    { agent: 'ux-designer', health: 'silent', summary: '', findings: [], notes: [] },
  ],
  findings: [
    foundAs('F-001', 'P0', { agents: ['security-reviewer', 'sde-iii'], file: 'a.ts', line: 3 }),
    foundAs('F-002', 'P2'),
  ],
};

describe('the page of an agent', () => {
  it('has its summary, and its findings by priority', () => {
    expect(agentPage(member, review, 'good')).toBe(`# security-reviewer

- teammate: security-reviewer-agent
- tier: large
- critical: yes
- health: good
- note: entries that are no findings: 1

## Summary

    Read src/login.ts.
    # Not a heading

## Findings

### P0

- **Token \\*in\\* the \\| log \\#1** (src/login.ts:3, is-request, confidence 0.9)

      Printed.

      ### P0
      - no bullet

### P1

- none

### P2

- **Long names** (aside, confidence 0.5)
`);
  });

  it('says that it was simulated, and what it lacks', () => {
    const page = agentPage(member, { summary: '', findings: [], notes: [] }, 'silent', true);
    expect(page).toContain('**Done by a simulated model.**');
    expect(page).toContain('- health: silent\n');
    expect(page).toContain('## Summary\n\nNothing.\n');
  });

  it('says why a review was left out, and keeps what was said before', () => {
    const late = { summary: '', findings: [], notes: [], why: 'AGENT_TIMED_OUT: 300 s', partial: 'So far:\n# a token' };
    const page = agentPage(member, late, 'good');
    expect(page).toContain('- left out: AGENT_TIMED_OUT: 300 s\n');
    expect(page).toMatch(/## What it had said by then\n\n {4}So far:\n {4}# a token\n$/);
    expect(readReview(null, page).findings).toEqual([]);
  });

  it('can be read again', () => {
    const again = readReview(null, agentPage(member, review, 'good')).findings;
    const places = (of: Review['findings']) => of.map(({ body, ...rest }) => rest);
    expect(places(again)).toEqual(places(review.findings));
  });
});

describe('the synthesis', () => {
  it('says what becomes of each finding by its relation to the request, and names each once', () => {
    const [first] = synthesis.findings;
    if (!first) throw new Error('The synthesis has no finding.');
    const related = (id: string, relation: Finding['relation'], priority: Finding['priority']) => {
      return { ...first, id, relation, priority };
    };
    const findings = [
      related('F-001', 'before', 'P0'),
      related('F-002', 'is-request', 'P2'),
      related('F-003', 'after', 'P1'),
      related('F-004', 'aside', 'P0'),
      related('F-005', 'before', 'P2'),
    ];
    const actions = synthesisPage({ ...synthesis, findings }).split('## Recommended actions')[1] ?? '';
    expect(actions).toContain('- block (fixed first: the request waits for them): F-001\n');
    expect(actions).toContain('- fix (part of the request): F-002\n');
    expect(actions).toContain('- fix (after the request, on its result): F-003\n');
    expect(actions).toMatch(/- fix last \(about something else: .* never hold up the request\): F-004\n/);
    expect(actions).toContain('- consider (left to people): F-005\n');
  });

  it('has request, team, skills, what each says, findings with who supports them, and what to do', () => {
    const page = synthesisPage(synthesis);
    const headings = page.split('\n').filter((line) => /^#{1,6} /.test(line));
    expect(headings).toEqual([
      '# Synthesis', '## Request', '## Team', '## Skills used', '## What each agent says', '### security-reviewer',
      '### ux-designer', '## Consolidated findings', '### P0', '### P1', '### P2', '## Recommended actions',
    ]); // prettier-ignore
    expect(page).toContain('\n    Add a rate limit\n    # to the login\n');
    expect(page).toContain('| security-reviewer | large | yes | 1 | domain: backend |\n');
    expect(page).toContain('| ux-designer | medium | no | 1 | a \\| b |\n');
    expect(page).toContain('## Skills used\n\n- ux-designer: frontend-design\n');
    expect(page).toContain('### ux-designer\n\nIt handed in nothing that counts (silent).\n');
    const skipped = synthesis.reviews.map((one) => ({ ...one, why: 'a person skipped it' }));
    expect(synthesisPage({ ...synthesis, reviews: skipped })).toContain('nothing that counts (a person skipped it).');
    expect(page).toContain('## Consolidated findings\n\nP0: 1, P1: 0, P2: 1\n');
    expect(page).toContain(
      '- **F-001: Title of F-001** (a.ts:3, aside, confidence 0.5) [security-reviewer, sde-iii]\n',
    );
    expect(page).toMatch(/- consider \(left to people\): F-002\n$/);
    expect(page).not.toContain('simulated');
    expect(synthesisPage({ ...synthesis, isSimulated: true })).toContain('**Done by a simulated model.**');
  });

  it('has no counts of a review that was lost, however much it had said', () => {
    const [first, ...others] = synthesis.reviews.map((one) => ({ ...one, findings: [], why: 'AGENT_TIMED_OUT' }));
    const page = synthesisPage({ ...synthesis, reviews: [{ ...first, health: 'good' }, ...others] as never });
    expect(page).toContain('### security-reviewer\n\nIt handed in nothing that counts (AGENT_TIMED_OUT).\n');
  });

  it('has the counts of partial output, and says that it is partial', () => {
    const [first, ...others] = synthesis.reviews;
    if (!first) throw new Error('a review is expected');
    const late = { ...first, status: 'partial' as const, why: 'AGENT_TIMED_OUT' };
    const page = synthesisPage({ ...synthesis, reviews: [late, ...others] });
    expect(page).toContain('### security-reviewer\n\nPartial output only (AGENT_TIMED_OUT). P0: 1, P1: 0, P2: 1\n');
    expect(agentPage(member, late, 'good')).toContain('- partial output: AGENT_TIMED_OUT\n');
  });

  it('says what could not be read of a review', () => {
    expect(synthesisPage(synthesis)).toContain('P0: 1, P1: 0, P2: 1\n- note: entries that are no findings: 1\n');
  });

  it('stays of a size that a person can open', () => {
    const long = '#|`*'.repeat(5_000);
    const findings = Array.from({ length: 500 }, (_, at) =>
      foundAs(`F-${String(at)}`, 'P1', { title: long, body: long }),
    );
    const page = synthesisPage({ ...synthesis, request: 'x'.repeat(1_000_000), findings });
    expect(page.length).toBeLessThan(700_000);
  });
});

describe('whatever agents write', () => {
  const sign = fc.constantFrom(
    '#',
    '# ',
    '\n',
    '\n## ',
    '|',
    '---',
    '===',
    '```',
    '<b>',
    '- ',
    '> ',
    '1. ',
    '\u2028',
    '\u0000',
    '[a](b)',
  );
  const text = fc
    .array(fc.oneof(sign, fc.string({ unit: 'binary', maxLength: 4 })), { maxLength: 12 })
    .map((all) => all.join(''));
  /** The lines that make the page what it is; what is indented is a quotation. */
  const structure = (page: string): readonly string[] => {
    const kept = page
      .split(/[\n\r\u0085\u2028\u2029]/)
      .filter((line) => !line.startsWith('    ') && line.trim() !== '');
    return kept.map((line) => /^(?:#{1,6} |\|(?: --- \|)*|- |P0: |None|Nothing|It handed)/.exec(line)?.[0] ?? 'text');
  };

  it('changes nothing about how the pages are built', () => {
    const cells = (page: string): number => page.replaceAll(/\\[\\|]/g, '').split('|').length;
    const pageWith = (said: string): string =>
      synthesisPage({
        ...synthesis,
        request: `r${said}`,
        team: { ...teamOf(memberOf(`a${said}`, { reasons: [said, said] })), name: `n${said}`, domains: [said] },
        skillsByAgent: { [`x${said}`]: [said] },
        reviews: [{ agent: said, health: 'good', ...review, summary: `s${said}` }],
        findings: [foundAs('F-001', 'P0', { title: said, body: `b${said}`, file: said, agents: [said] })],
      }) + agentPage(memberOf(said), { ...review, summary: `s${said}`, notes: [said] }, 'good');
    const plain = pageWith('x');
    fc.assert(
      fc.property(text, (said) => {
        const page = pageWith(said);
        expect(structure(page)).toEqual(structure(plain));
        const table = (of: string): string =>
          of
            .split('\n')
            .filter((line) => line.startsWith('|'))
            .join('\n');
        expect(cells(table(page))).toBe(cells(table(plain)));
      }),
      { numRuns: 300 },
    );
  });
});
