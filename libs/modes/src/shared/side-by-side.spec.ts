import { expect, it } from 'vitest';
import { sideBySide } from './side-by-side.js';

const fails = (words: string): Promise<never> => Promise.reject(new Error(words));

it('answers with both', async () => {
  expect(await sideBySide(Promise.resolve(1), Promise.resolve('two'))).toEqual([1, 'two']);
});

it('fails as the first does, and waits for the second all the same', async () => {
  let isOver = false;
  const second = new Promise<void>((resolve) =>
    setImmediate(() => {
      isOver = true;
      resolve();
    }),
  );
  await expect(sideBySide(fails('first'), second)).rejects.toThrow('first');
  expect(isOver).toBe(true);
});

it('fails where either does', async () => {
  await expect(sideBySide(Promise.resolve(1), fails('second'))).rejects.toThrow('second');
  await expect(sideBySide(fails('first'), fails('second'))).rejects.toThrow('first');
});
