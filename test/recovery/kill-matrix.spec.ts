import { afterAll, describe, expect, it } from 'vitest';
import { casesOf, nameOfCase } from './support/cases.js';
import { KeptLabs } from './support/kept-labs.js';
import { settledInvariants, survive } from './support/kill-case.js';
import { rehearse } from './support/rehearsal.js';
import { Report } from './support/report.js';
import { StandbyLab } from './support/standby.js';

/** For work on one mode: QRALPH_MODES=errand leaves the others out, vitest's -t picks cases by their names. */
const rehearsal = await rehearse(process.env['QRALPH_MODES']?.split(',') ?? null);
const cases = casesOf(rehearsal);

describe('a worker that dies by kill -9', () => {
  // More than a machine of two cores has, though other specs run beside: each case waits for its takeover, a second or so.
  const labs = new KeptLabs(3, () => StandbyLab.open());
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

  it.concurrent.each(cases.map((one) => ({ ...one, name: nameOfCase(one) })))(
    'at $name, is survived by its project',
    ({ name, ...one }) =>
      labs.use(async (standby) => {
        const survival = await survive(standby, one);
        report.note(name, survival);
        expect(survival).toMatchObject({ killedBy: one.kills.map(() => 'SIGKILL'), wentThrough: true, broken: [] });
        expect(['completed', 'aborted']).toEqual(expect.arrayContaining([...survival.statuses]));
      }),
  );

  it('and its successor do no harm to what had ended before', async () => {
    expect(labs.whole.length).toBeGreaterThan(0);
    for (const { lab } of labs.whole) expect(await settledInvariants(lab)).toEqual([]);
  });
});
