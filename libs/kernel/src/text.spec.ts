import { describe, expect, it } from 'vitest';
import { durationInWords, isWellFormed, wellFormed } from './text.js';

describe('wellFormed', () => {
  it('replaces half characters and nothing else', () => {
    expect(wellFormed('a\ud83d b\ude00 \ud83d\ude00')).toBe('a\ufffd b\ufffd \ud83d\ude00');
    expect([isWellFormed('a\ud83d'), isWellFormed('\ud83d\ude00')]).toEqual([false, true]);
  });
});

describe('durationInWords', () => {
  it('says minutes instead of a long number', () => {
    const words = [20, 1_000, 90_000, 3_599_900, 3_600_000].map(durationInWords);
    expect(words).toEqual(['20 ms', '1 second', '90 seconds', '60 minutes', '60 minutes']);
  });
});
