import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ProjectStatus, ProjectSummary } from '#contracts';
import { SecretBook } from '#kernel';
import { composeSummary } from './compose-summary.js';
import { tokensAtMost } from '#models';
import { fitSummary, MOST_TOKENS } from './fit-summary.js';
import { redactedSeen } from './redacted-seen.js';
import type { Seen } from './seen.js';
import { crowded, gateOf, ID, seenOf } from './summary.fixture.js';
import { summaryText } from './summary-text.js';

const summaryOf = (seen: Seen): ProjectSummary => fitSummary(composeSummary(seen));
const NASTY = ['"', '\\', '`', '\n', '|', '#', '日', '🙂', '\u0000', '\ud800', '<', '*', '1', 'z', ' '];
const hostile = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 3_000 }),
  fc.tuple(fc.constantFrom(...NASTY), fc.integer({ min: 1, max: 30_000 })).map(([one, times]) => one.repeat(times)),
  fc.array(fc.constantFrom(...NASTY, 'word '), { maxLength: 3_000 }).map((parts) => parts.join('')),
);

describe('a summary', () => {
  it('has fewer than 2,000 tokens, whatever is in it, and names who is waited for and the call that answers', () => {
    fc.assert(
      fc.property(hostile, fc.nat(300), fc.constantFrom(...ProjectStatus.options), (text, count, status) => {
        const seen = crowded(text, count, { status });
        const summary = summaryOf(seen);
        expect(ProjectSummary.safeParse(summary).success).toBe(true);
        const markdown = summaryText(summary);
        expect(tokensAtMost(JSON.stringify(summary))).toBeLessThan(MOST_TOKENS);
        expect(tokensAtMost(markdown)).toBeLessThan(MOST_TOKENS);
        const isOver = ['completed', 'aborted', 'failed'].includes(status);
        expect(summary.waitingFor?.answer ?? null).toBe(isOver ? null : seen.gate?.answer);
        expect(markdown.includes(`/v1/projects/${ID}/`)).toBe(true);
        if (!isOver) expect(markdown).toContain(seen.gate?.answer);
        expect(markdown.split('\n')[1]).toMatch(isOver ? /^Waits for nobody/ : /^Waits for a person/);
        expect(summary.next).toEqual(composeSummary(seen).next);
      }),
      { numRuns: 60 },
    );
  });

  it('counts what it leaves out, and what is done goes before what is to come', () => {
    const seen = crowded('a rather long title of something that somebody is to do one day', 200);
    const { plan, log, findings, uncommitted, unknown } = summaryOf(seen);
    expect([plan.items.length + plan.more, log.rows.length + log.more]).toEqual([200, 200]);
    expect([findings.open.length + findings.more, uncommitted.files.length + uncommitted.more]).toEqual([200, 200]);
    expect(unknown.items.length).toBeGreaterThan(0);
    expect(plan).toMatchObject({ done: 100, total: 200 });
    expect(plan.items.some(({ box }) => box === '~')).toBe(true);
    expect(plan.items.every(({ box }) => box === '~' || box === ' ')).toBe(true);
  });

  it('says in its first three lines how it stands, who is waited for and what to do', () => {
    const first = (seen: Seen): readonly string[] => summaryText(summaryOf(seen)).split('\n').slice(0, 3);
    expect(first(seenOf())).toEqual([
      '001-test (coding): EXECUTING, running. Add dark mode toggle',
      'Waits for nobody: it goes on by itself.',
      `Next: nothing: it goes on by itself. GET /v1/projects/${ID}/events shows it live.`,
    ]);
    expect(first(seenOf({ gate: gateOf() }, { status: 'waiting', state: 'USER_REVIEW' })).slice(1)).toEqual([
      'Waits for a person: Shall it be carried out?',
      `Next: POST /v1/projects/${ID}/gates/plan {"decision": …}, with approve, revise, reject`,
    ]);
    expect(first(seenOf({}, { status: 'paused' })).slice(1)).toEqual([
      'Waits for a person: It is paused.',
      `Next: POST /v1/projects/${ID}/commands {"command": "RESUME"}, with RESUME, ABORT`,
    ]);
    const plan = gateOf({
      why: '# Plan of 001-test\n\n**Simulated.**\n\nApproving sets the cap to 0.50 USD.\n\n## Steps',
    });
    expect(first(seenOf({ gate: plan }, { status: 'waiting' }))[1]).toBe(
      'Waits for a person: Shall it be carried out? Because: Approving sets the cap to 0.50 USD.',
    );
    const spent = gateOf({ why: 'Raise the budget to go on.' });
    expect(summaryOf(seenOf({ gate: spent }, { status: 'blocked' })).next).toEqual([
      `a spent budget is left by raising it: POST /v1/projects/${ID}/budget`,
      expect.stringContaining('/gates/plan {"decision": …}, with approve'),
    ]);
    const asked = { status: 'paused', waitingFor: { kind: 'gate', gate: 'plan' } } as const;
    expect(first(seenOf({}, asked))[1]).toBe('Waits for a person: It is paused, at the gate plan.');
    const decided = { decision: 'approve', by: 'human', at: '2026-01-03T00:00:00.000Z' } as const;
    expect(first(seenOf({ decided }, asked))[1]).toBe(
      'Waits for a person: It is paused, at the gate plan. approve is stored there, and taken up with RESUME.',
    );
    expect(first(seenOf({ decided }, { ...asked, status: 'waiting' }))[1]).toBe(
      'Waits for nobody: it goes on by itself.',
    );
    expect(first(seenOf({}, { waitingFor: { kind: 'pausing' } })).slice(1)).toEqual([
      'Is about to pause: It pauses: the step at hand comes to its next safe point first.',
      `Next: nothing: it pauses by itself. POST /v1/projects/${ID}/commands {"command": "RESUME"} takes that back.`,
    ]);
    expect(first(seenOf({}, { mode: 'work', escalated: true }))[0]).toMatch(/^001-test \(work, escalated\): /);
    expect(first(seenOf({}, { status: 'completed', repo: null, workspace: null })).slice(1)).toEqual([
      'Waits for nobody: it has ended, completed.',
      'Next: nothing.',
    ]);
    const repo = { path: '/x', ref: null };
    expect(first(seenOf({}, { status: 'aborted', repo }))[2]).toContain('nothing: how it ended is in SUMMARY.md');
  });

  it('says what is waited for that is no person, and of a child that waits for one', () => {
    const who = (waitingFor: Seen['project']['waitingFor']) => summaryOf(seenOf({}, { waitingFor })).waitingFor;
    expect(who({ kind: 'pausing' })).toMatchObject({ who: 'step' });
    expect(who({ kind: 'machine', reason: 'no activity heal' })).toMatchObject({ who: 'service', ask: 'no activity heal' }); // prettier-ignore
    const until = '2026-11-17T10:00:00.000Z';
    expect(who({ kind: 'rate-limit', until, words: 'too many' })).toMatchObject({
      who: 'time',
      ask: 'too many',
      until,
    });
    expect(who({ kind: 'rate-limit', until: '11111' })?.until).toBeNull();
    const child = { key: 'sde-iii', id: ID, status: 'running' };
    expect(who({ kind: 'children', children: [child, { ...child, status: 'completed' }] })).toMatchObject({ who: 'children', ask: 'For its parts: 1 of 2 have ended.' }); // prettier-ignore
    expect(who({ kind: 'children', children: [{ ...child, status: 'waiting' }] })).toMatchObject({ who: 'person', answer: `GET /v1/projects/${ID}/gates says how to answer it` }); // prettier-ignore
  });

  it('names the commit that keeps what was in the worktree at a restore', () => {
    const because = `restored checkpoint 4; what was in the worktree is kept as commit ${'c0ffee12'.repeat(5)}`;
    expect(summaryOf(seenOf({ log: [{ at: new Date(0), state: '', because }] })).log.rows[0]).toContain(because);
  });

  it('has the steps of the machine for a plan where there are no tasks', () => {
    const log = [{ at: new Date(0), state: 'INIT', because: 'created' }];
    expect(summaryOf(seenOf({ log })).plan.items).toEqual([
      { box: 'x', text: 'INIT' },
      { box: '~', text: 'EXECUTING' },
      { box: ' ', text: 'UAT' },
    ]);
    const none = summaryOf(seenOf({ log, steps: [] }));
    expect(none.plan).toEqual({ done: 0, total: 0, items: [], more: 0 });
    expect(summaryText(none)).not.toContain('## Plan');
  });

  it('has no secret in it, also not in the names of files and in what is asked, nor the beginning of one', () => {
    const secret = 'the-password-of-the-database-'.repeat(20);
    const book = new SecretBook([secret]);
    const text = `${'x'.repeat(60)} ${secret}`;
    for (const waitingFor of [null, { kind: 'rate-limit', words: text }, { kind: 'machine', reason: text }]) {
      const seen = crowded(text, 3, { status: 'running', waitingFor });
      const alone = { ...seen, tasks: [], findings: [], problems: [], ...(waitingFor && { gate: null }) };
      const project = { ...alone.project, repo: null, workspace: null, team: null };
      const options = { gate: alone.gate && { ...alone.gate, options: ['approve'] } };
      const log = alone.log.map((row) => ({ ...row, state: 'INIT' }));
      const unknown = alone.unknown.map(({ what }) => ({ what, then: 'ask again' }));
      const healing = { attempt: 0, model: null, problem: null };
      const whole = { ...alone, ...options, log, unknown, project: { ...project, healing } };
      const summary = summaryOf(redactedSeen(whole, book));
      expect(JSON.stringify(summary) + summaryText(summary)).not.toContain('the-password');
      expect(summary.uncommitted.files).toHaveLength(3);
    }
  });

  it('says where git cannot say what is uncommitted', () => {
    const summary = summaryOf(seenOf({ pending: { reason: 'git did not answer in time' } }));
    expect(summary.uncommitted.isKnown).toBe(false);
    expect(summaryText(summary)).toContain('STATUS UNKNOWN: git could not say all of it');
  });
});
