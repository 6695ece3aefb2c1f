import { describe, expect, it } from 'vitest';
import type { AgentOutcome } from '#agents';
import { nextTier, nextTry } from './next-try.js';

const failed = (code: string): AgentOutcome => ({
  kind: 'failed',
  code,
  message: 'm',
  said: '',
  commit: 'left',
  isSimulated: false,
});

describe('the next try of an agent', () => {
  it.each([
    ['AGENT_TURNS_EXHAUSTED', 'turns'],
    ['AGENT_TIMED_OUT', 'time'],
    ['AGENT_IDLE', 'time'],
    ['MODEL_CONTEXT_EXCEEDED', 'context'],
    ['MODEL_REQUEST_TOO_LARGE', 'context'],
    ['AGENT_OUTPUT_INVALID', 'output'],
    ['AGENT_ANSWER_CUT', 'output'],
    ['AGENT_SILENT', 'output'],
    ['AGENT_FAILED', 'crash'],
    ['AGENT_KILLED', 'crash'],
    ['AGENT_DID_NOTHING', 'crash'],
    ['AGENT_TOO_MUCH_OUTPUT', 'crash'],
    ['AGENT_TOO_MUCH_MEMORY', 'crash'],
    ['AGENT_TOO_MUCH_DISK', 'crash'],
    ['AGENT_TOO_MANY_PROCESSES', 'crash'],
    ['AGENT_FILES_REFUSED', 'files'],
  ])('after %s is a fresh conversation of the same tier, then of the next tier, then none', (code, why) => {
    expect(nextTry(failed(code), ['small'], 'start')).toEqual({ tier: 'small', from: 'left', why });
    expect(nextTry(failed(code), ['small', 'small'], 'start')).toEqual({ tier: 'medium', from: 'left', why });
    expect(nextTry(failed(code), ['small', 'small', 'medium'], 'start')).toBeNull();
  });

  it('is none after the second try of the large tier', () => {
    expect(nextTry(failed('AGENT_TURNS_EXHAUSTED'), ['large'], 'start')).toMatchObject({ tier: 'large' });
    expect(nextTry(failed('AGENT_TURNS_EXHAUSTED'), ['large', 'large'], 'start')).toBeNull();
  });

  it('after a refusal has the next tier at once, and is none after the large tier', () => {
    expect(nextTry(failed('MODEL_REFUSED'), ['small'], 'start')).toEqual({
      tier: 'medium',
      from: 'left',
      why: 'refusal',
    });
    expect(nextTry(failed('MODEL_REFUSED'), ['small', 'medium'], 'start')).toMatchObject({ tier: 'large' });
    expect(nextTry(failed('MODEL_REFUSED'), ['small', 'small'], 'start')).toMatchObject({ tier: 'medium' });
    expect(nextTry(failed('MODEL_REFUSED'), ['large'], 'start')).toBeNull();
  });

  it.each(['MODEL_CONTEXT_EXCEEDED', 'MODEL_REQUEST_TOO_LARGE'])(
    'after %s has the next tier at once if nothing was changed: the same prompt would not fit again',
    (code) => {
      expect(nextTry(failed(code), ['small'], 'left')).toMatchObject({ tier: 'medium', why: 'context' });
      expect(nextTry(failed(code), ['small', 'medium'], 'left')).toMatchObject({ tier: 'large' });
      expect(nextTry(failed(code), ['large'], 'left')).toMatchObject({ tier: 'large' });
      expect(nextTry(failed('AGENT_TURNS_EXHAUSTED'), ['small'], 'left')).toMatchObject({ tier: 'small' });
    },
  );

  it.each(['MODEL_UNREACHABLE', 'AGENT_TOUCHED_GIT', 'AGENT_UNAVAILABLE'])('is none after %s', (code) => {
    expect(nextTry(failed(code), ['small'], 'start')).toBeNull();
  });

  it('is none if the agent finished, waits, or has spent the budget', () => {
    const left = { commit: 'left', isSimulated: false };
    const others: AgentOutcome[] = [
      { kind: 'finished', text: '', output: null, promise: null, turns: 1, ...left },
      { kind: 'waits', reason: 'rate-limit', ms: 1, words: '' },
      { kind: 'over-budget', breaker: {}, ...left },
    ];
    for (const outcome of others) expect(nextTry(outcome, ['small'], 'start')).toBeNull();
  });
});

it('the tiers end with large', () => {
  expect([nextTier('small'), nextTier('medium'), nextTier('large')]).toEqual(['medium', 'large', null]);
});
