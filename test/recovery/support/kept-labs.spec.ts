import { describe, expect, it } from 'vitest';
import { KeptLabs } from './kept-labs.js';

class FakeLab {
  isClosed = false;
  isRestless = false;
  cases: string[] = [];
  hold(): Promise<void> {
    return this.isRestless ? Promise.reject(new Error('it does not rest')) : Promise.resolve();
  }
  close(): Promise<void> {
    this.isClosed = true;
    return Promise.resolve();
  }
}

function openLabs(width: number) {
  const opened: FakeLab[] = [];
  const labs = new KeptLabs(width, () => {
    const lab = new FakeLab();
    opened.push(lab);
    return Promise.resolve(lab);
  });
  const run = (name: string): Promise<void> =>
    labs.use(async (lab) => {
      lab.cases.push(name);
      await new Promise(setImmediate);
      if (name === 'fails') throw new Error('the case failed');
      lab.isRestless = name === 'does not rest';
    });
  return { opened, labs, run };
}

describe('labs that outlive their cases', () => {
  it('are as many as there are lanes, with one case at a time in each', async () => {
    const { opened, labs, run } = openLabs(2);
    await Promise.all(['a', 'b', 'c', 'd'].map(run));
    expect(opened.map(({ cases }) => cases.length)).toEqual([2, 2]);
    expect(labs.whole).toHaveLength(2);
    await labs.close();
    expect(opened.map(({ isClosed }) => isClosed)).toEqual([true, true]);
  });

  it.each(['fails', 'does not rest'])(
    'are thrown away after a case that %s: the next one has a fresh one',
    async (bad) => {
      const { opened, labs, run } = openLabs(1);
      const outcomes = await Promise.allSettled(['good', bad, 'next'].map(run));
      expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
      expect(opened.map(({ cases }) => cases)).toEqual([['good', bad], ['next']]);
      expect(opened.map(({ isClosed }) => isClosed)).toEqual([true, false]);
      expect(labs.whole).toEqual([opened[1]]);
    },
  );
});
