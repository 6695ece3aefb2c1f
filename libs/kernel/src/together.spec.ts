import { describe, expect, it } from 'vitest';
import { together } from './together.js';

describe('work that is done together', () => {
  it('begins after everybody whom it serves has asked, and never twice at once', async () => {
    const [begun, ended]: [number[], number[]] = [[], []];
    let asked = 0;
    const ask = together(async () => {
      begun.push(asked);
      expect(begun.length - ended.length).toBe(1);
      await new Promise((resolve) => setImmediate(resolve));
      ended.push(asked);
      return asked;
    });
    const one = async (): Promise<void> => {
      asked += 1;
      const number = asked;
      const before = begun.length;
      await ask();
      expect(begun.slice(before).some((known) => known >= number)).toBe(true);
    };
    const first = [one(), one(), one()];
    await Promise.resolve().then(() => Promise.resolve());
    await Promise.all([...first, one(), one()]);
    await one();
    expect(begun.length).toBeLessThanOrEqual(3);
  });

  it('fails for those who asked for that run, and for nobody else', async () => {
    let runs = 0;
    const ask = together(() => {
      runs += 1;
      return runs === 1 ? Promise.reject(new Error('broken')) : Promise.resolve(runs);
    });
    const both = await Promise.allSettled([ask(), ask()]);
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await ask()).toBe(2);
  });
});
