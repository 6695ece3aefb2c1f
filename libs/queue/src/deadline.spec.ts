import { describe, expect, it } from 'vitest';
import { answerWithin, endsWithin } from './deadline.js';

const never = (): Promise<never> => new Promise(() => undefined);

describe('a deadline', () => {
  it('tells work that ended, well or badly, from work that goes on', async () => {
    expect(await endsWithin(1_000, Promise.resolve())).toBe(true);
    expect(await endsWithin(1_000, Promise.reject(new Error('no')))).toBe(true);
    expect(await endsWithin(5, never())).toBe(false);
  });

  it('turns silence and refusal of the backend into QUEUE_AWAY, and passes an answer on', async () => {
    expect(await answerWithin(1_000, 'counting', Promise.resolve(7))).toBe(7);
    await expect(answerWithin(5, 'counting', never())).rejects.toMatchObject({ code: 'QUEUE_AWAY' });
    const cause = new Error('refused');
    const refused = answerWithin(1_000, 'counting', Promise.reject(cause));
    await expect(refused).rejects.toMatchObject({ code: 'QUEUE_AWAY', isRetryable: true, cause });
  });
});
