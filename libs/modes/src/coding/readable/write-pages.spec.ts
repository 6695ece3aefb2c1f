import { describe, expect, it } from 'vitest';
import { type Activity, report } from '#engine';
import { UserError, WorldError } from '#kernel';
import { eventOf, fakeParts, Visit } from '../coding.fixture.js';
import { withPages } from './write-pages.js';

const FULL = new WorldError('DISK_FULL', 'no space left on the disk');

/** Parts whose checkout takes no page. */
function partsWithout(error: Error) {
  const { parts } = fakeParts();
  return { ...parts, artefacts: { ...parts.artefacts, writeAll: () => Promise.reject(error) } };
}

/** An activity that is at work when the page has long failed. */
function slowly(end: () => ReturnType<Activity>) {
  const done: string[] = [];
  const activity: Activity = async (context) => {
    for (const step of ['work', 'verify', 'commit']) {
      await new Promise(setImmediate);
      await context.effect({ step, settle: { kind: 'repeat' }, run: async () => null });
      done.push(step);
    }
    return end();
  };
  return { activity, done };
}

describe('an activity with pages', () => {
  it('reports what it did, and the pages are written beside it', async () => {
    const { parts, pages } = fakeParts();
    const { activity, done } = slowly(async () => report('task:done'));
    expect(eventOf(await withPages(parts, activity)(new Visit({}).activity)).type).toBe('task:done');
    expect([done.length, pages.has('STATE.md')]).toEqual([3, true]);
  });

  it('is not cut off by a page that cannot be written: that is said when its work is done', async () => {
    const { activity, done } = slowly(async () => report('task:done'));
    await expect(withPages(partsWithout(FULL), activity)(new Visit({}).activity)).rejects.toBe(FULL);
    expect(done).toEqual(['work', 'verify', 'commit']);
  });

  it('reports what it did where the page never can be written', async () => {
    const { activity } = slowly(async () => report('task:done'));
    const [visit, parts] = [new Visit({}), partsWithout(new UserError('ARTEFACT_TOO_LARGE', 'too large'))];
    expect(eventOf(await withPages(parts, activity)(visit.activity)).type).toBe('task:done');
    expect(visit.told).toEqual(['artefacts.unwritten']);
  });

  it('fails with its own error, whatever else has failed before', async () => {
    const own = new WorldError('MODEL_AWAY', 'the model does not answer');
    const { activity } = slowly(() => Promise.reject(own));
    await expect(withPages(partsWithout(FULL), activity)(new Visit({}).activity)).rejects.toBe(own);
    await expect(withPages(fakeParts().parts, activity)(new Visit({}).activity)).rejects.toBe(own);
  });
});
