import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { refuseStaleBuild } from '../harness/built.js';
import { cases, type OutcomeCase } from './cases/index.js';
import { runCase } from './run-case.js';
import { OutcomeServices } from './services.js';

/** The first case of each observed failure. */
const POINTS = Array.from({ length: 11 }, (_, index) => index + 1);
const chosen = POINTS.flatMap((point): OutcomeCase[] => cases.filter((one) => one.point === point).slice(0, 1));

describe('one case for each observed failure', () => {
  let services: OutcomeServices;
  beforeAll(async () => {
    refuseStaleBuild();
    services = await OutcomeServices.open(chosen);
  });
  afterAll(() => services.close());

  it.each(chosen)('point $point: $name ends as a $kind case must', async (one) => {
    const { outcome, why, isRight } = await runCase(services, one);
    expect({ outcome, why, isRight }).toMatchObject({ isRight: true });
  });
});
