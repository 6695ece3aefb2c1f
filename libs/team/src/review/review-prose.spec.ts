import { describe, expect, it } from 'vitest';
import { readReview } from './read-review.js';

const read = (...lines: readonly string[]) => readReview(null, lines.join('\n'));
const titles = (...lines: readonly string[]) => read(...lines).findings.map(({ priority, title }) => [priority, title]);

describe('a review in prose', () => {
  it('has a summary, and bullets below headings of priorities', () => {
    const review = read(
      '# Security',
      'I read src/auth.ts.',
      '',
      '### P0',
      '- **Token in the log** (`src/auth.ts:12`, confidence 0.9): it is printed',
      '  on every request.',
      '  - also in tests',
      '',
      '### P1 (should fix)',
      '1. No rate limit - anybody can guess passwords',
      '2. Second',
      '### P2',
      '- None.',
      '## Verdict',
      'Do not merge.',
    );
    expect(review.findings).toEqual([
      {
        priority: 'P0',
        relation: 'aside',
        title: 'Token in the log',
        body: '(`src/auth.ts:12`, confidence 0.9): it is printed\n  on every request.\n  - also in tests',
        file: 'src/auth.ts',
        line: 12,
        confidence: 0.9,
      },
      { priority: 'P1', relation: 'aside', title: 'No rate limit', body: 'anybody can guess passwords', file: null, line: null, confidence: 0.5 },
      { priority: 'P1', relation: 'aside', title: 'Second', body: '', file: null, line: null, confidence: 0.5 },
    ]); // prettier-ignore
    expect(review.summary).toBe('I read src/auth.ts.\n\nDo not merge.');
    expect(review.notes).toEqual([]);
  });

  it('may mark each line instead', () => {
    expect(
      titles('P1: one', '- **P0**: two', '[P2] three', '* (P1) four', '**P1:** five', '### P0: six', 'p2 – seven'),
    ).toEqual([
      ['P0', 'two'], ['P0', 'six'], ['P1', 'one'], ['P1', 'four'], ['P1', 'five'], ['P2', 'three'], ['P2', 'seven'],
    ]); // prettier-ignore
  });

  it('may have paragraphs, or headings of their own, below a priority', () => {
    expect(titles('## P1', 'These are to be fixed:', '', 'The lock leaks.', 'It is never freed.', '## Rest', 'Fine.')).toEqual(
      [['P1', 'The lock leaks.']],
    ); // prettier-ignore
    expect(titles('## P0 – Critical issues', '### Lock leaks', 'Never freed.', '### Races', '- twice', 'P1:', '- x')).toEqual([
      ['P0', 'Lock leaks'], ['P0', 'Races'], ['P0', 'twice'], ['P1', 'x'],
    ]); // prettier-ignore
  });

  it('has no findings where it says so, and no note about it', () => {
    const review = read(
      'I read src/a.ts and found it sound.',
      '### P0',
      '- none',
      '### P1',
      'No issues found.',
      '### P2',
    );
    expect(review).toEqual({ summary: 'I read src/a.ts and found it sound.', findings: [], notes: [] });
    expect(titles('### P0', '- None of the inputs is checked')).toEqual([['P0', 'None of the inputs is checked']]);
  });

  it('is a summary where nothing tells its findings apart', () => {
    expect(read('The API is risky.', 'P1 support and the map2 are fine; p0rn is not.')).toEqual({
      summary: 'The API is risky.\nP1 support and the map2 are fine; p0rn is not.',
      findings: [],
      notes: ['no findings could be told apart in what it wrote'],
    });
    expect(read('', ' ').notes).toEqual(['nothing was handed in']);
  });

  it('quotes code without meaning it', () => {
    expect(titles('### P1', '- A', '```md-it', '### P0', '- quoted', '```', '- B', '', '    - P0: indented')).toEqual([
      ['P1', 'A'],
      ['P1', 'B'],
    ]);
    expect(titles('```markdown', '### P1', '- A', '```')).toEqual([['P1', 'A']]);
    expect(titles('```', '### P1', '- never closed')).toEqual([['P1', 'never closed']]);
  });
});
