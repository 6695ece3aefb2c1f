import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cpuMs } from '#testing';
import { isWellFormed } from '#kernel';
import { LONGEST, MOST_FINDINGS } from '../bounds.js';
import { readReview } from './read-review.js';
import { ReviewOutput } from './review-output.js';

const point = {
  priority: 'P1',
  relation: 'before',
  title: 'Token is compared with ==',
  body: 'Use a comparison in constant time.',
  file: 'src/auth.ts',
  line: 12,
  confidence: 0.9,
};
const output = { summary: 'Looked at src/auth.ts.', findings: [point] };

describe('structured output', () => {
  it('is taken as it is', () => {
    expect(ReviewOutput.parse(output)).toEqual(output);
    expect(readReview(output, 'prose beside it')).toEqual({ ...output, notes: [] });
  });

  it('loses its bad entries alone, and says how many', () => {
    const bad = [null, 7, 'P1: x', [], {}, { priority: 'P9', title: 'x' }, { priority: 'P0', title: ' \u0000 ' }];
    const { findings, notes } = readReview({ summary: 's', findings: [...bad, point] }, '');
    expect(findings).toEqual([point]);
    expect(notes).toEqual(['entries that are no findings: 7']);
  });

  it('is mended where it can be', () => {
    const entry = { priority: 'p0', body: 'All of\nit', file: '../../etc/passwd', line: 3, confidence: 85 };
    const [finding] = readReview({ findings: [entry] }, '').findings;
    expect(finding).toEqual({
      priority: 'P0', relation: 'aside', title: 'All of it', body: 'All of\nit', file: null, line: null, confidence: 0.85,
    }); // prettier-ignore
    const odd = { ...point, file: 'src/a.ts:7', line: null, confidence: 'sure' };
    expect(readReview([odd], '').findings).toEqual([{ ...point, file: 'src/a.ts', line: 7, confidence: 0.5 }]);
    const lines = [-1, 0, 1.5, NaN, Infinity, '12', '1e9'].map((line) => readReview([{ ...point, line }], ''));
    expect(lines.map(({ findings: [one] }) => one?.line)).toEqual([null, null, null, null, null, 12, null]);
  });

  it.each([
    ['is-request', 'is-request'],
    [' Is_Request ', 'is-request'],
    ['After', 'after'],
    ['related', 'aside'],
    [undefined, 'aside'],
    [null, 'aside'],
    [['before'], 'aside'],
  ])('reads the relation %j as %s', (given, relation) => {
    expect(readReview([{ ...point, relation: given }], '').findings).toMatchObject([{ relation }]);
  });

  it('may leave the relation out', () => {
    const { relation: _, ...bare } = point;
    expect(ReviewOutput.parse({ ...output, findings: [bare] }).findings).toMatchObject([{ relation: 'aside' }]);
  });

  it('inherits nothing', () => {
    const inherited = Object.create(point) as unknown;
    expect(readReview({ findings: [inherited] }, '').findings).toEqual([]);
    expect(readReview(JSON.parse('{"__proto__":{"findings":[]}}'), '').notes).toEqual(['nothing was handed in']);
  });

  it('keeps the most urgent of too many, in a moment', () => {
    const many = Array.from({ length: 10_000 }, (_, index) => ({
      ...point,
      priority: index === 9_999 ? 'P0' : 'P2',
      title: `x${String(index)}${'y'.repeat(1_000)}`,
      confidence: (index % 100) / 100,
    }));
    expect(cpuMs(() => readReview({ findings: many }, ''))).toBeLessThan(1_000);
    const { findings, notes } = readReview({ findings: many }, '');
    expect(findings).toHaveLength(MOST_FINDINGS);
    expect(findings[0]?.priority).toBe('P0');
    expect(findings[1]?.confidence).toBe(0.99);
    expect(notes).toEqual(['findings beyond the first 200, left out: 9800']);
  });
});

describe('JSON within a text', () => {
  const json = JSON.stringify(output, null, 2);

  it.each([
    ['alone', json],
    ['in a fence', `Here it is:\n\n\`\`\`json\n${json}\n\`\`\`\nThat is all {really}.`],
    ['in prose with braces', `I read {a, b} and { "x": 1 }, then { "y wrote ${json}`],
    ['after an example of it', `You asked for {"summary":"…","findings":[{"priority":"P0","title":"x"}]}.\n${json}`],
    ['in something around it', `{"result": ${json}}`],
  ])('is found %s', (_, text) => {
    expect(readReview(null, text)).toEqual({ ...output, notes: [] });
    expect(readReview(undefined, text).findings).toHaveLength(1);
  });

  it('may be the findings alone, or a text in place of the output', () => {
    expect(readReview(null, `Findings: ${JSON.stringify([point])}`).findings).toEqual([point]);
    expect(readReview(json, '').findings).toEqual([point]);
    expect(readReview(null, '{"summary":"All well in a.ts","findings":[]}')).toMatchObject({
      summary: 'All well in a.ts',
      findings: [],
      notes: [],
    });
  });

  it('counts for less than prose with findings, where it is an empty one', () => {
    const text = 'The fixture holds {"findings": []}.\n\n### P0\n\n- The gate is open\n';
    expect(readReview(null, text).findings.map(({ title }) => title)).toEqual(['The gate is open']);
  });

  it.each([
    ['braces that never close', '{"'.repeat(500_000)],
    ['braces in braces', '{'.repeat(1_000_000)],
    ['deep lists', `{"findings":${'['.repeat(400_000)}${']'.repeat(400_000)}}`],
    ['deep objects', `${'{"a":'.repeat(150_000)}1${'}'.repeat(150_000)}`],
    ['white space', `{${' '.repeat(900_000)}`],
    ['one long line', 'P1'.repeat(500_000)],
    ['one long heading', `### P1 ${'none '.repeat(200_000)}`],
    ['a mark and blanks', `[P1]${' '.repeat(500_000)}\u2028x`],
    ['many marks', 'P1: x\n'.repeat(150_000)],
    ['a line of stars', `- ${'*'.repeat(900_000)}`],
    ['a line of bold', `### P1\n- **${'\\a'.repeat(400_000)}`],
    ['backticks', `### P1\n- ${'`'.repeat(900_000)}`],
    ['fences', '```\n'.repeat(200_000)],
    ['more than is read', 'x'.repeat(3_000_000)],
    ['unspaced script', '漏洞'.repeat(300_000)],
  ])('is not looked for for ever: %s', (_, text) => {
    let count = 0;
    const ms = cpuMs(() => {
      count = readReview(null, text).findings.length;
    });
    expect(ms).toBeLessThan(2_000);
    expect(count).toBeLessThanOrEqual(MOST_FINDINGS);
  });
});

describe('whatever is handed in', () => {
  it('is read without an error, within its bounds', () => {
    const title = fc.string({ unit: 'binary' });
    const entry = fc.record(
      {
        priority: fc.constantFrom('P0', 'P1', 'P2'),
        title,
        body: fc.oneof(title, fc.string({ unit: 'grapheme' })),
        file: fc.oneof(title, fc.constant('a/b.ts')),
        line: fc.double(),
        confidence: fc.double(),
      },
      { requiredKeys: ['priority'] },
    );
    const anyGiven = fc.oneof(
      fc.anything({ withNullPrototype: true, withSparseArray: true, withBigInt: true }),
      fc.record({ summary: fc.anything(), findings: fc.array(fc.oneof(entry, fc.anything())) }),
    );
    const pieces = fc.constantFrom(
      '### P0',
      '- ',
      'P1: ',
      '{"findings":[',
      ']}',
      '```',
      '\n',
      '**',
      ' — ',
      'a.ts:3',
      '\ud800',
    );
    const text = fc.array(fc.oneof(pieces, fc.string({ unit: 'binary' }))).map((parts) => parts.join(''));
    fc.assert(
      fc.property(anyGiven, text, (given, said) => {
        const { summary, findings } = readReview(given, said);
        expect(isWellFormed(summary)).toBe(true);
        for (const one of findings) {
          expect(Object.keys(one)).toEqual(['priority', 'relation', 'title', 'body', 'file', 'line', 'confidence']);
          expect(one.title).not.toBe('');
          expect(one.title.length).toBeLessThanOrEqual(LONGEST.title);
          expect(isWellFormed(`${one.title}${one.body}${one.file ?? ''}`)).toBe(true);
          expect(`${one.title}${one.body}${one.file ?? ''}`).not.toContain('\u0000');
          expect(one.confidence >= 0 && one.confidence <= 1).toBe(true);
        }
      }),
      { numRuns: 100 },
    );
  });
});
