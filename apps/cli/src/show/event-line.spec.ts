import { describe, expect, it } from 'vitest';
import type { ProjectEvent } from '#contracts';
import { eventLine } from './event-line.js';
import { rendered } from './style.js';

const lineOf = (type: string, data: ProjectEvent['data']): string =>
  rendered(eventLine({ seq: 1, version: 1, type, data, at: '2026-01-02T03:04:05.678Z' }) ?? '', false).trim();

describe('an event as a person reads it', () => {
  it('says what was said to whom, and whom it reached', () => {
    const note = { note: 'id', number: 2 };
    const given = { ...note, agent: null, text: 'use the theme tokens', by: 'human', key: 'k' };
    expect(lineOf('note.given', given)).toBe('note     2 to all agents: use the theme tokens');
    expect(lineOf('note.given', { ...given, agent: 'healer' })).toBe('note     2 to healer: use the theme tokens');
    const delivered = { ...note, role: 'implementer', purpose: 'task', call: '1/2/chat' };
    expect(lineOf('note.delivered', delivered)).toBe('note     2 reached implementer');
  });

  it('says of a restore where to, and where the work is that was in the worktree', () => {
    const data = { from: 9, to: 6, as: 10, rule: 'asked-by-a-person' };
    expect(lineOf('checkpoint.restored', data)).toBe('restored went back to checkpoint 6');
    expect(lineOf('checkpoint.restored', { ...data, kept: 'c0ffee' })).toBe(
      'restored went back to checkpoint 6; what was in the worktree is kept as commit c0ffee',
    );
  });

  it('says of a budget what it is now', () => {
    const changed = (to: ProjectEvent['data']): string => lineOf('budget.changed', { from: { usd: null }, to });
    expect(changed({ usd: '0.50', tokens: 500_000 })).toBe('budget   the cap is 0.50 USD and 500,000 tokens now');
    expect(changed({ usd: '0.50', tokens: null })).toBe('budget   the cap is 0.50 USD now');
    expect(changed({ usd: null, tokens: null })).toBe('budget   the cap is lifted now');
  });

  it('says that an agent continues in a fresh conversation, and with which tier', () => {
    const data = { role: 'implementer', why: 'turns', tier: 'large', try: 3 };
    expect(lineOf('agent.continued', data)).toBe('agent    implementer continues in a fresh conversation, large tier');
  });

  it('shows tests by their counts, and a check by its command', () => {
    const tests = { verdict: 'passed', passed: 7, failed: 0, sandbox: 'bubblewrap' };
    expect(lineOf('workspace.verified', tests)).toBe('tests    passed (7 passed, 0 failed) in bubblewrap');
    const check = { ...tests, passed: 0, verdict: 'failed', command: 'node .qralph-checks/a.mjs', exitCode: 1 };
    expect(lineOf('workspace.verified', check)).toBe('ran      node .qralph-checks/a.mjs: exit code 1 in bubblewrap');
  });

  it('says how the result was judged', () => {
    expect(lineOf('proof.judged', { proven: 'no', rules: ['c'] })).toBe('proof    the result is judged, proven: no');
  });

  it('says of a command that was refused why', () => {
    const data = { command: 'SKIP', by: 'service', why: 'SKIP is not for INIT', allowed: ['PAUSE'] };
    expect(lineOf('command.refused', data)).toBe('command  SKIP was refused: SKIP is not for INIT');
  });
});
