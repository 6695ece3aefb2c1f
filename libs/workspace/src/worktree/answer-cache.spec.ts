import { describe, expect, it, vi } from 'vitest';
import { AnswerCache } from './answer-cache.js';

describe('the cache of answers', () => {
  it('reads an answer once, also for those who ask at the same time', async () => {
    const read = vi.fn(() => Promise.resolve('answer'));
    const cache = new AnswerCache<string>();
    const answers = await Promise.all([cache.find('one', 'a', read), cache.find('one', 'a', read)]);
    expect(answers).toEqual(['answer', 'answer']);
    await cache.find('one', 'a', read);
    expect(read).toHaveBeenCalledTimes(1);
  });

  it('keeps the given number of answers for each project', async () => {
    const asked: string[] = [];
    const cache = new AnswerCache<string>(2);
    const ask = (project: string, question: string): Promise<string> =>
      cache.find(project, question, () => {
        asked.push(`${project} ${question}`);
        return Promise.resolve(question);
      });
    for (const question of ['a', 'b', 'a', 'c', 'c', 'a']) await ask('one', question);
    await ask('two', 'a');
    await ask('one', 'c');
    expect(asked).toEqual(['one a', 'one b', 'one c', 'one a', 'two a']);
  });

  it('asks again after a failure, and after the project was forgotten', async () => {
    const cache = new AnswerCache<string>();
    await expect(cache.find('one', 'a', () => Promise.reject(new Error('git is away')))).rejects.toThrow('git is away');
    expect(await cache.find('one', 'a', () => Promise.resolve('first'))).toBe('first');
    cache.forget('one');
    expect(await cache.find('one', 'a', () => Promise.resolve('second'))).toBe('second');
  });
});
