import { expect, it } from 'vitest';
import type { CleanReport } from '#workspace';
import { eventOf, fakeParts, verifiedAs, Visit } from '../coding/coding.fixture.js';
import { measure } from './verify.activity.js';

const measured = async (report: CleanReport) =>
  eventOf(await measure(fakeParts({ clean: () => report }).parts)(new Visit({}, { state: 'MEASURING' }).activity));

it('asks a person if set-up fails on a fresh checkout of the commit: no later run would say anything', async () => {
  const setupFailure = { reason: 'There is no lock file.', output: 'npm error' };
  const { type, patch } = await measured({ ...verifiedAs('failed'), setupFailure });
  expect([type, patch['block']]).toEqual(['work:blocked', expect.objectContaining({ cause: 'setup' })]);
});

it('keeps what the tests say before the first change, and a map of the repository', async () => {
  const { type, patch } = await measured(verifiedAs('failed'));
  expect([type, patch['repositoryMap']]).toEqual(['baseline:known', 'map']);
  expect(patch['baseline']).toMatchObject({ verdict: 'failed' });
});
