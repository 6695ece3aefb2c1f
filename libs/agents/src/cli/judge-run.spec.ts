import { describe, expect, it } from 'vitest';
import { noUsage } from '#models';
import { judgeRun, type RunFacts } from './judge-run.js';

const GOOD = { isGood: true, text: 'Done.', turns: 2, usage: null, costUsd: null };
const tally = {
  calls: 2,
  underWay: 0,
  usage: noUsage,
  costNanoUsd: 1n,
  unknownCosts: 0,
  overBudget: null,
  isLeaseLost: false,
  isOutOfCalls: false,
  rateLimit: null,
  budgetBusy: null,
  lastError: null,
  failing: { inRow: 0, forMs: 0 },
};
const breaker = { name: 'usd' as const, cap: '1', used: '1', reserved: '0', wanted: '1' };
const ran: RunFacts = {
  result: { exitCode: 0, endedBy: 'itself' },
  endedFor: null,
  endedAt: 1_000,
  end: GOOD,
  tally,
  complaint: 'a complaint',
  touchedGit: [],
};
const rateLimit = { resetAt: 5_000, words: 'later' };
const limited = { kind: 'waits', reason: 'rate-limit' };
const judge = (change: Partial<RunFacts>) =>
  judgeRun({ ...ran, ...change }, { turns: 10, wallMs: 1_000, idleMs: 500, maxOutputTokens: 1 });
const refusedKey = { status: 401, code: 'MODEL_BAD_KEY', remedy: 'give-up' as const, words: 'no key' };
const failing = { status: 500, code: 'MODEL_SERVER_ERROR', remedy: 'retry' as const, words: 'oops' };
const overrun = { status: 429, code: 'MODEL_RATE_LIMITED', remedy: 'wait' as const, words: 'later' };
const bad = { ...GOOD, isGood: false, text: 'API Error' };

describe('a run', () => {
  it('is good with a good end and a good exit', () => {
    expect(judge({})).toEqual({ kind: 'good', end: GOOD });
  });

  it('that ended well in spite of a call that was refused is good', () => {
    expect(judge({ tally: { ...tally, overBudget: breaker } })).toMatchObject({ kind: 'good' });
  });

  it.each([
    ['a bad exit voids a good end', { result: { exitCode: 1, endedBy: 'itself' } }, 'AGENT_FAILED'],
    ['a bad end counts in spite of a good exit', { end: bad }, 'AGENT_FAILED'],
    ['a signal voids a good end', { result: { exitCode: null, endedBy: 'itself' } }, 'AGENT_KILLED'],
    ['so does one that a shell reported', { result: { exitCode: 137, endedBy: 'itself' } }, 'AGENT_KILLED'],
    ['no end at all', { end: null }, 'AGENT_SILENT'],
    ['no call at all', { tally: { ...tally, calls: 0 } }, 'AGENT_DID_NOTHING'],
    ['too late', { result: { exitCode: null, endedBy: 'time-out' } }, 'AGENT_TIMED_OUT'],
    ['too silent', { result: { exitCode: null, endedBy: 'interruption' }, endedFor: { why: 'idle' } }, 'AGENT_IDLE'],
    ['too loud', { result: { exitCode: null, endedBy: 'output' } }, 'AGENT_TOO_MUCH_OUTPUT'],
    ['too large', { result: { exitCode: null, endedBy: 'memory' } }, 'AGENT_TOO_MUCH_MEMORY'],
    ['too many', { result: { exitCode: null, endedBy: 'processes' } }, 'AGENT_TOO_MANY_PROCESSES'],
    ['too much of the disk', { result: { exitCode: 0, endedBy: 'disk' } }, 'AGENT_TOO_MUCH_DISK'],
    ['git was touched', { touchedGit: ['config'] }, 'AGENT_TOUCHED_GIT'],
    ['a refusal of the provider’s', { end: bad, tally: { ...tally, lastError: refusedKey } }, 'MODEL_BAD_KEY'],
  ] as const)('%s', (_name, change, code) => {
    expect(judge(change)).toMatchObject({ kind: 'failed', code });
  });

  it('that failed past the cap is over budget, and one that failed at a rate limit waits', () => {
    expect(judge({ end: bad, tally: { ...tally, overBudget: breaker } })).toEqual({ kind: 'over-budget' });
    expect(judge({ end: bad, tally: { ...tally, rateLimit } })).toEqual({ ...limited, ...rateLimit });
  });

  it('that failed because others held the budget waits for them', () => {
    expect(judge({ end: bad, tally: { ...tally, budgetBusy: rateLimit } })).toEqual({
      kind: 'waits',
      reason: 'budget-busy',
      ...rateLimit,
    });
  });

  it('that was ended for a rate limit waits for it, though a call that was under way succeeded yet', () => {
    const result = { exitCode: null, endedBy: 'interruption' } as const;
    expect(judge({ end: null, result, endedFor: { why: 'rate-limit', rateLimit } })).toEqual({
      ...limited,
      ...rateLimit,
    });
  });

  it('that hung long after it could have asked again has hung', () => {
    const idle = { end: null, endedFor: { why: 'idle' }, tally: { ...tally, rateLimit } } as const;
    expect(judge({ ...idle, endedAt: rateLimit.resetAt })).toMatchObject({ kind: 'failed', code: 'AGENT_IDLE' });
    expect(judge({ ...idle, endedAt: rateLimit.resetAt - 1 })).toMatchObject(limited);
  });

  it('that a provider failed is one for another model, unless the request was refused for good', () => {
    expect(judge({ end: bad, tally: { ...tally, lastError: failing } })).toEqual({
      kind: 'failed',
      code: 'MODEL_SERVER_ERROR',
      message: 'the provider answered 500: oops',
      isModels: true,
    });
    expect(judge({ end: bad, tally: { ...tally, lastError: refusedKey } })).toMatchObject({ isModels: true });
    const refused = { ...refusedKey, status: 400, code: 'MODEL_BAD_REQUEST' };
    expect(judge({ end: bad, tally: { ...tally, lastError: refused } })).toMatchObject({ isModels: false });
  });

  const late = { result: { exitCode: null, endedBy: 'time-out' }, end: null } as const;
  const exhausted = { end: bad, tally: { ...tally, isOutOfCalls: true } };

  it.each([
    ['time', late],
    ['turns', exhausted],
  ])('that asked in vain until it had no more %s ended for what the provider said', (_name, change) => {
    const spent = { ...tally, ...('tally' in change && change.tally) };
    const judged = judge({ ...change, tally: { ...spent, lastError: failing } });
    expect(judged).toMatchObject({ code: 'MODEL_SERVER_ERROR', isModels: true });
    // The last time that it named has passed, and it would name another.
    const asked = { ...spent, lastError: overrun, rateLimit: { ...rateLimit, resetAt: ran.endedAt } };
    expect(judge({ ...change, tally: asked })).toMatchObject(limited);
    // What it asked for before it began to fail is past.
    expect(judge({ ...change, tally: { ...asked, lastError: failing } })).toMatchObject({ code: 'MODEL_SERVER_ERROR' });
    expect(judge({ ...change, tally: spent })).toMatchObject({ code: expect.stringMatching(/^AGENT_T/) as string });
  });

  it('that was ended because calls kept failing fails by the last of them, though one succeeded yet', () => {
    const result = { exitCode: null, endedBy: 'interruption' } as const;
    const endedFor = { why: 'failing', failure: failing, rateLimit: null } as const;
    expect(judge({ end: null, result, endedFor })).toMatchObject({ code: 'MODEL_SERVER_ERROR', isModels: true });
    expect(judge({ end: null, result, endedFor: { ...endedFor, failure: overrun, rateLimit } })).toMatchObject(limited);
  });

  it('that fell silent after a failed call has fallen silent', () => {
    const idle = { end: null, endedFor: { why: 'idle' }, tally: { ...tally, lastError: failing } } as const;
    expect(judge(idle)).toMatchObject({ code: 'AGENT_IDLE' });
  });
});
