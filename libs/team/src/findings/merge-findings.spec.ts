import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cpuMs } from '#testing';
import { Finding } from '#contracts';
import { LONGEST, MOST_MERGED } from '../bounds.js';
import { findingCounts, mergeFindings } from './merge-findings.js';
import { ALIKE, UNLIKE } from './phrased.fixture.js';
import type { RawFinding } from './raw-finding.js';

const raw = (title: string, more: Partial<RawFinding> = {}): RawFinding => ({
  priority: 'P1',
  title,
  body: '',
  file: null,
  line: null,
  confidence: 0.5,
  ...more,
});
const by = (agent: string, ...findings: readonly RawFinding[]) => ({ agent, findings });

describe('merging', () => {
  it('takes the same point of several agents for one, as the most urgent of them has it', () => {
    const merged = mergeFindings([
      by(
        'sde-iii',
        raw('User input is concatenated into SQL', {
          body: 'login() builds its query from raw input.',
          file: 'src/login.ts',
          line: 14,
          confidence: 0.6,
        }),
      ),
      by(
        'security-reviewer',
        raw('SQL injection in the login query', {
          priority: 'P0',
          body: 'The user name is concatenated into the SQL text.',
          file: 'src/login.ts',
          line: 12,
          confidence: 0.9,
        }),
      ),
      by('tester', raw('No test of the login', { priority: 'P2', file: 'src/login.ts', line: 13 })),
    ]);
    expect(merged.map((one) => Finding.parse(one))).toEqual(merged);
    expect(merged).toHaveLength(2);
    expect(merged[0]).toEqual({
      id: 'F-001',
      priority: 'P0',
      relation: 'aside',
      title: 'SQL injection in the login query',
      body: 'The user name is concatenated into the SQL text.\n\nsde-iii, line 14: User input is concatenated into SQL: login() builds its query from raw input.',
      file: 'src/login.ts',
      line: 12,
      confidence: 0.96,
      agents: ['security-reviewer', 'sde-iii'],
      outcome: { kind: 'open', commit: null, reason: null },
    });
    expect(merged[1]).toMatchObject({ id: 'F-002', agents: ['tester'], confidence: 0.5 });
    expect(findingCounts(merged)).toEqual({ P0: 1, P1: 0, P2: 1 });
  });

  it.each([
    [['aside', 'is-request', 'before'], 'is-request'],
    [['after', 'before', 'aside'], 'before'],
    [['aside', undefined, 'after'], 'after'],
    [[undefined, undefined], 'aside'],
  ] as const)('keeps the strongest relation to the request: of %j it is %s', (relations, strongest) => {
    const reviews = relations.map((relation, nth) =>
      by(`agent-${String(nth)}`, raw('Missing rate limits on the login', relation && { relation })),
    );
    for (const given of [reviews, reviews.toReversed()])
      expect(mergeFindings(given).map(({ relation }) => relation)).toEqual([strongest]);
  });

  it('takes very like titles for one where no file speaks against it, and the place of whoever knows it', () => {
    const merged = mergeFindings([
      by('a', raw('Missing rate limits on the login', { confidence: 0.8 })),
      by('b', raw('The login is missing a rate limit', { file: 'src/b.ts', line: 3 })),
      by('c', raw('Missing rate limit: login', { file: 'src/c.ts', line: 3, confidence: 0.4 })),
    ]);
    expect(merged.map(({ file, line, agents }) => ({ file, line, agents }))).toEqual([
      { file: 'src/b.ts', line: 3, agents: ['a', 'b'] },
      { file: 'src/c.ts', line: 3, agents: ['c'] },
    ]);
  });

  it('keeps apart what is about other lines in other words, or about the same lines in other words', () => {
    const at = (title: string, line: number): RawFinding => raw(title, { file: 'a.ts', line });
    const merged = mergeFindings([
      by('a', at('Lock is never freed', 10)),
      by('b', at('Password is logged', 11), at('Lock held during network call', 90)),
    ]);
    expect(merged).toHaveLength(3);
  });

  it('keeps apart what one agent lists twice, but not what it says twice', () => {
    const at = (line: number, body = ''): RawFinding => raw('Unused variable', { file: 'a.ts', line, body });
    expect(mergeFindings([by('a', at(10), at(12))])).toHaveLength(2);
    expect(mergeFindings([by('a', at(10), at(10, 'x is unused')), by('a', at(10))])).toMatchObject([{ agents: ['a'] }]);
  });

  it('loses no line that somebody named', () => {
    const at = (line: number | null): RawFinding =>
      raw('Missing null check', { file: 'a.ts', line, body: 'Check it.' });
    const [one, ...others] = mergeFindings([by('a', at(10)), by('b', at(200)), by('c', at(10)), by('d', at(null))]);
    expect(others).toEqual([]);
    expect(one).toMatchObject({ line: 10, body: 'Check it.\n\nb, line 200: Check it.', agents: ['a', 'b', 'c', 'd'] });
  });

  it('takes a line of no file for none', () => {
    const [one] = mergeFindings([by('a', raw('x', { line: 1 })), by('b', raw('x', { file: 'b.ts', confidence: 0.6 }))]);
    expect(one).toMatchObject({ file: 'b.ts', line: null, agents: ['b', 'a'] });
  });

  it('never counts one agent twice, and is never less sure than the surest', () => {
    const [alone] = mergeFindings([by('a', raw('x', { confidence: 0.33333 }), raw('x', { confidence: 0.2 }))]);
    expect(alone).toMatchObject({ confidence: 0.33333, agents: ['a'] });
    const sure = ['a', 'b', 'c'].map((agent) => by(agent, raw('x', { confidence: 1 })));
    expect(mergeFindings(sure)).toMatchObject([{ confidence: 1, agents: ['a', 'b', 'c'] }]);
  });

  it('numbers by priority, then confidence, then title', () => {
    const merged = mergeFindings([
      by(
        'a',
        raw('zebra', { confidence: 0.9 }),
        raw('cat'),
        raw('apple'),
        raw('low', { priority: 'P2', confidence: 1 }),
      ),
      by('b', raw('top', { priority: 'P0', confidence: 0.1 })),
    ]);
    expect(merged.map(({ id, title }) => `${id} ${title}`)).toEqual([
      'F-001 top', 'F-002 zebra', 'F-003 apple', 'F-004 cat', 'F-005 low',
    ]); // prettier-ignore
  });

  it('keeps the title of the more urgent point, and that of the other as a remark, where it takes two for one', () => {
    const at = (line: number, more: Partial<RawFinding>) => ({ file: 'date.js', line, ...more });
    const merged = mergeFindings([
      by('a', raw('Time zone is ignored: the day shifts in winter', at(7, { confidence: 0.99 }))),
      by('b', raw('Month is off by one: the day shifts in winter', at(6, { priority: 'P0', confidence: 0.2, body: 'x'.repeat(LONGEST.body) }))),
    ]); // prettier-ignore
    expect(merged).toHaveLength(1);
    expect(merged[0]).toMatchObject({
      priority: 'P0',
      title: 'Month is off by one: the day shifts in winter',
      line: 6,
      agents: ['a', 'b'],
    });
    expect(merged[0]?.body).toMatch(/…\n\na, line 7: Time zone is ignored: the day shifts in winter$/);
    expect(merged[0]?.body).toHaveLength(LONGEST.body);
  });

  it('tells most pairs of real findings about the same lines apart, or takes them for one, as a person would', () => {
    const isOne = ([file, ...said]: (typeof ALIKE)[number]): boolean => {
      const [title, body, otherTitle, otherBody] = said;
      const [one, other] = [raw(title, { body, file, line: 10 }), raw(otherTitle, { body: otherBody, file, line: 11 })];
      return mergeFindings([by('a', one), by('b', other)]).length === 1;
    };
    expect(ALIKE.filter(isOne).length / ALIKE.length).toBeGreaterThan(0.7);
    // What is taken for one by mistake is read as a remark at best: that has to be rare.
    expect(UNLIKE.filter(isOne).length / UNLIKE.length).toBeLessThan(0.12);
  });

  it('bounds what it says', () => {
    const agents = Array.from({ length: 50 }, (_, index) => `agent-${String(index)}`);
    const [one] = mergeFindings(
      agents.map((agent) => by(agent, raw('same', { body: `${agent} `.repeat(10) + 'z'.repeat(3_900) }))),
    );
    expect(one?.agents).toHaveLength(50);
    expect(one?.body.length).toBeLessThanOrEqual(LONGEST.body);
  });
});

const word = fc.constantFrom('lock', 'leak', 'sql', 'login', 'token', 'race', '👍', 'שלום', '__proto__', 'constructor');
const anyRaw: fc.Arbitrary<RawFinding> = fc.record({
  priority: fc.constantFrom('P0' as const, 'P1' as const, 'P2' as const),
  title: fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' ')),
  body: fc.array(word, { maxLength: 5 }).map((words) => words.join(' ')),
  file: fc.constantFrom(null, 'a.ts', 'b.ts', '__proto__'),
  line: fc.option(fc.integer({ min: 1, max: 12 }), { nil: null }),
  confidence: fc.constantFrom(0, 0.2, 0.5, 0.9, 1),
});
const anyReviews = fc.array(
  fc.record({ agent: fc.constantFrom('a', 'b', 'c', '__proto__'), findings: fc.array(anyRaw, { maxLength: 8 }) }),
  { maxLength: 5 },
);

describe('whatever is merged', () => {
  it('comes out the same in any order, and when it is handed in twice', () => {
    const shuffled = anyReviews.chain((reviews) =>
      fc.record({
        reviews: fc.constant(reviews),
        other: fc.shuffledSubarray(
          reviews.flatMap(({ agent, findings }) => findings.map((one) => by(agent, one))),
          { minLength: reviews.flatMap(({ findings }) => findings).length },
        ),
      }),
    );
    fc.assert(
      fc.property(shuffled, ({ reviews, other }) => {
        const merged = mergeFindings(reviews);
        expect(mergeFindings(other)).toEqual(merged);
        expect(mergeFindings([...reviews, ...other])).toEqual(merged);
      }),
      { numRuns: 500 },
    );
  });

  it('loses no agent and no urgency, invents nothing, and contradicts no file', () => {
    fc.assert(
      fc.property(anyReviews, (reviews) => {
        const merged = mergeFindings(reviews);
        const given = reviews.flatMap(({ agent, findings }) => findings.map((one) => ({ ...one, agent })));
        expect(new Set(merged.flatMap(({ agents }) => agents))).toEqual(new Set(given.map(({ agent }) => agent)));
        expect(findingCounts(merged).P0 > 0).toBe(given.some(({ priority }) => priority === 'P0'));
        expect(merged.length).toBeLessThanOrEqual(given.length);
        for (const one of merged) {
          expect(given.map(({ title }) => title)).toContain(one.title);
          expect(new Set(one.agents).size).toBe(one.agents.length);
          expect(one.confidence).toBeLessThanOrEqual(1);
        }
        for (const { file } of given.filter((one) => one.file !== null)) {
          expect(merged.some((one) => one.file === file)).toBe(true);
        }
      }),
    );
  });

  it.each([
    [
      'all different',
      (at: number) => raw(`finding ${String(at)} about thing${String(at % 97)}`, { file: `f${String(at)}.ts` }),
    ],
    ['all the same', () => raw('the very same thing', { body: 'and the same body '.repeat(200) })],
    ['the same in other files', (at: number) => raw('missing test here', { file: `f${String(at)}.ts`, line: 1 })],
    [
      'the same with other bodies',
      (at: number) => raw('missing test', { body: `${String(at)} ${'word '.repeat(700)}` }),
    ],
    [
      'at one place',
      (at: number) =>
        raw(`w${String(at)} v${String(at)}`, { file: 'a.ts', line: 1, body: `u${String(at)} `.repeat(50) }),
    ],
    [
      'of the same few words',
      (at: number) => raw(at.toString(2).replaceAll('0', 'lock ').replaceAll('1', 'race '), {}),
    ],
  ])('takes ten thousand findings in a moment: %s', (_, one) => {
    const agents = ['a', 'b', 'c', 'd', 'e'];
    const reviews = agents.map((agent, nth) =>
      by(agent, ...Array.from({ length: 2_000 }, (__, index) => one(nth * 2_000 + index))),
    );
    let count = 0;
    const ms = cpuMs(() => {
      count = mergeFindings(reviews).length;
    });
    expect(ms).toBeLessThan(4_000);
    expect(count).toBeGreaterThan(0);
    expect(count).toBeLessThanOrEqual(MOST_MERGED);
  });
});
