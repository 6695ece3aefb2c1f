import { describe, expect, it } from 'vitest';
import { SABOTAGES, simulate } from '#testing';

const HISTORIES = 1_000;
const FIRST_SEED = Number(process.env['QRALPH_SEED'] ?? 1);

describe('the engine in a simulated world', () => {
  it(`keeps its invariants over ${String(HISTORIES)} histories of crashes, stalls, lost answers and clock jumps`, async () => {
    const broken: string[] = [];
    let takeovers = 0;
    let stale = 0;
    let completed = 0;
    let completedCoding = 0;
    for (let seed = FIRST_SEED; seed < FIRST_SEED + HISTORIES; seed += 1) {
      const history = await simulate(seed);
      takeovers += history.takeovers;
      stale += history.stale;
      completed += history.completed;
      completedCoding += history.completedCoding;
      if (history.broken.length > 0) broken.push(`seed ${String(seed)}: ${history.broken.join('; ')}`);
    }
    expect(broken).toEqual([]);
    // The histories were eventful: a quiet simulation would prove nothing.
    expect(takeovers).toBeGreaterThan(HISTORIES / 10);
    expect(stale).toBeGreaterThan(0);
    expect(completed).toBeGreaterThan(HISTORIES / 2);
    expect(completedCoding).toBeGreaterThan(HISTORIES / 10);
  });

  it('replays a seed exactly', async () => {
    for (const seed of [3, 77, 1_234]) expect(await simulate(seed)).toEqual(await simulate(seed));
  });

  it.each(SABOTAGES)('finds the deliberate fault: %s', async (sabotage) => {
    let found: readonly string[] = [];
    for (let seed = 1; seed <= 400 && found.length === 0; seed += 1) found = (await simulate(seed, sabotage)).broken;
    expect(found).not.toEqual([]);
  });
});
