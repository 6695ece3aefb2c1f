import { describe, expect, it } from 'vitest';
import { contentWords, likeness } from './words.js';

describe('content words', () => {
  it('leaves out words without meaning and takes one and many for the same', () => {
    expect([...contentWords('The Users are in a class with the status of USER')]).toEqual(['user', 'class', 'status']);
  });

  it('finds words in scripts that write no spaces', () => {
    expect(likeness(contentWords('登录接口存在注入漏洞'), contentWords('注入漏洞: 登录'))).toBeGreaterThan(0.4);
  });

  it('has none in signs alone', () => {
    expect(contentWords('🙂 --- !').size).toBe(0);
    expect(likeness(new Set(), new Set())).toBe(0);
  });

  it('knows nothing of the prototype', () => {
    expect([...contentWords('__proto__ constructor')]).toEqual(['__proto__', 'constructor']);
  });
});
