import { describe, expect, it } from 'vitest';
import { defineMachine, report } from '#engine';
import { type ArchivedMachine, ModeRegistry } from './mode-registry.js';

const table = (version: number) =>
  defineMachine('m', version, { A: { do: 'a', on: { go: 'B' } }, B: { end: 'completed' } }, { abortTo: 'B' });
const mode = {
  name: 'm', machine: table(2), guards: {}, activities: { a: () => Promise.resolve(report('go')) }, childMachines: [],
  needsRepo: false, begin: () => ({}),
}; // prettier-ignore

const withArchive = (...answers: ArchivedMachine[]): ModeRegistry =>
  new ModeRegistry([mode], [], {
    keep: (_machine, hash) => Promise.resolve(hash),
    find: () => Promise.resolve(answers.shift() ?? { kind: 'unknown' }),
  });

describe('an older version of a machine', () => {
  it('runs by the table that was kept', async () => {
    const registry = withArchive({ kind: 'found', machine: table(1) });
    expect((await registry.runnableOf('m', 1)).machine).toEqual(table(1));
  });

  it('is unavailable with the reason while its table is damaged, and runs once it is mended', async () => {
    const registry = withArchive({ kind: 'damaged', reason: 'a bit flipped' }, { kind: 'found', machine: table(1) });
    expect(await registry.resolve('m', 1)).toEqual({ kind: 'unavailable', reason: 'a bit flipped' });
    expect(await registry.resolve('m', 1)).toMatchObject({ kind: 'runnable' });
  });

  it('is the world’s fault when somebody cannot do without it', async () => {
    await expect(withArchive().runnableOf('m', 1)).rejects.toMatchObject({
      name: 'WorldError',
      code: 'MACHINE_UNAVAILABLE',
      message: expect.stringContaining('m@1 was never seen') as string,
    });
  });
});
