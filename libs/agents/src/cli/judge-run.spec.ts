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
  lastError: null,
};
const breaker = { name: 'usd' as const, cap: '1', used: '1', reserved: '0', wanted: '1' };
const ran: RunFacts = {
  result: { exitCode: 0, endedBy: 'itself' },
  endedFor: null,
  end: GOOD,
  tally,
  complaint: 'a complaint',
  touchedGit: [],
};
const judge = (change: Partial<RunFacts>) =>
  judgeRun({ ...ran, ...change }, { turns: 10, wallMs: 1_000, idleMs: 500, maxOutputTokens: 1 });
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
    ['too silent', { result: { exitCode: null, endedBy: 'interruption' }, endedFor: 'idle' }, 'AGENT_IDLE'],
    ['too loud', { result: { exitCode: null, endedBy: 'output' } }, 'AGENT_TOO_MUCH_OUTPUT'],
    ['too large', { result: { exitCode: null, endedBy: 'memory' } }, 'AGENT_TOO_MUCH_MEMORY'],
    ['too many', { result: { exitCode: null, endedBy: 'processes' } }, 'AGENT_TOO_MANY_PROCESSES'],
    ['git was touched', { touchedGit: ['config'] }, 'AGENT_TOUCHED_GIT'],
    [
      'the provider’s words are kept',
      { end: bad, tally: { ...tally, lastError: { status: 401, words: 'no key' } } },
      'MODEL_FAILED',
    ],
  ] as const)('%s', (_name, change, code) => {
    expect(judge(change)).toMatchObject({ kind: 'failed', code });
  });

  it('that failed past the cap is over budget, and one that failed at a rate limit waits', () => {
    const rateLimit = { resetAt: 5, words: 'later' };
    expect(judge({ end: bad, tally: { ...tally, overBudget: breaker } })).toEqual({ kind: 'over-budget' });
    expect(judge({ end: bad, tally: { ...tally, rateLimit } })).toEqual({ kind: 'waits', ...rateLimit });
  });
});
