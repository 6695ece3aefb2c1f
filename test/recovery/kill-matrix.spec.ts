import { afterAll, describe, expect, it } from 'vitest';
import type { Moment } from '#engine';
import { type KillCase, settledInvariants, survive } from './support/kill-case.js';
import { rehearse } from './support/rehearsal.js';
import { Report } from './support/report.js';
import { StandbyLabs } from './support/standby-labs.js';

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
  const labs = new StandbyLabs(3);
  const report = new Report();
  afterAll(async () => {
    report.print('kill matrix, lease 1000 ms:');
    await labs.close();
  });

  it('is killed at every state that can be left, of every machine the service offers', () => {
    expect(rehearsal.unreached).toEqual([]);
    expect(rehearsal.places.length).toBeGreaterThan(0);
    expect(rehearsal.effects.length).toBeGreaterThan(0);
  });

  it.concurrent.each(cases.map((one) => ({ ...one, name: nameOf(one) })))(
    'at $name, is survived by its project',
    ({ name, ...one }) =>
      labs.use(async (standby) => {
        const survival = await survive(standby, one);
        report.note(name, survival);
        expect(survival).toMatchObject({ killedBy: 'SIGKILL', wentThrough: true, broken: [] });
        expect(['completed', 'aborted']).toEqual(expect.arrayContaining([...survival.statuses]));
      }),
  );

  it('and its successor do no harm to what had ended before', async () => {
    expect(labs.whole.length).toBeGreaterThan(0);
    for (const { lab } of labs.whole) expect(await settledInvariants(lab)).toEqual([]);
  });
});
