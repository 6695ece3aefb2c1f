import { describe, expect, it } from 'vitest';
import type { AgentOutcome } from '#agents';
import { acceptText } from './accept-text.js';

const failed = (code: string): AgentOutcome => ({
  kind: 'failed',
  code,
  message: 'the text is not JSON',
  said: 'First I read. A toggle with its test.',
  text: 'A toggle with its test.',
  commit: 'c1',
  isSimulated: false,
});

describe('acceptText', () => {
  it('takes the last message of an implementer that never answered in JSON as its summary', () => {
    const outcome = acceptText(failed('AGENT_OUTPUT_INVALID'));
    expect(outcome).toMatchObject({ kind: 'finished', text: 'A toggle with its test.', output: null, commit: 'c1' });
  });

  it('keeps every other failure', () => {
    const outcome = failed('AGENT_TURNS_EXHAUSTED');
    expect(acceptText(outcome)).toBe(outcome);
  });
});
