import { describe, expect, it } from 'vitest';
import { isWellFormed, wellFormed } from './text.js';

describe('wellFormed', () => {
  it('replaces half characters and nothing else', () => {
    expect(wellFormed('a\ud83d b\ude00 \ud83d\ude00')).toBe('a\ufffd b\ufffd \ud83d\ude00');
    expect([isWellFormed('a\ud83d'), isWellFormed('\ud83d\ude00')]).toEqual([false, true]);
  });
});
