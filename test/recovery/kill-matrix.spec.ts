import { afterAll, describe, expect, it } from 'vitest';
import type { Moment } from '#engine';
import { type KillCase, survive } from './support/kill-case.js';
import { Lanes } from './support/lanes.js';
import { rehearse } from './support/rehearsal.js';
import { Report } from './support/report.js';

const rehearsal = await rehearse();
const AROUND_A_COMMIT: readonly Moment[] = ['before-commit', 'committed', 'handed-over'];
const AROUND_AN_EFFECT: readonly Moment[] = ['effect-started', 'effect-ran'];

const cases: readonly KillCase[] = [
  ...rehearsal.places.flatMap((place) => AROUND_A_COMMIT.map((moment) => ({ ...place, moment }))),
  ...rehearsal.effects.flatMap((effect) => AROUND_AN_EFFECT.map((moment) => ({ ...effect, moment }))),
];
const nameOf = ({ machine, state, moment, step }: KillCase): string =>
  `${machine} ${state}, ${moment}${step === undefined ? '' : ` ${step}`}`;

describe('a worker that dies by kill -9', () => {
  const lanes = new Lanes(3);
  const report = new Report();
  afterAll(() => report.print('kill matrix, lease 1000 ms:'));

  it('is killed at every state that can be left, of every machine the service offers', () => {
    expect(rehearsal.unreached).toEqual([]);
    expect(rehearsal.places.length).toBeGreaterThan(0);
    expect(rehearsal.effects.length).toBeGreaterThan(0);
  });

  it.concurrent.each(cases.map((one) => ({ ...one, name: nameOf(one) })))(
    'at $name, is survived by its project',
    async ({ name, ...one }) => {
      const survival = await lanes.run(() => survive(one));
      report.note(name, survival);
      expect(survival).toMatchObject({ killedBy: 'SIGKILL', wentThrough: true, broken: [] });
      expect(['completed', 'aborted']).toEqual(expect.arrayContaining([...survival.statuses]));
    },
  );
});
