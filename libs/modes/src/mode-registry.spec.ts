import { describe, expect, it } from 'vitest';
import { defineMachine, type Machine, report } from '#engine';
import type { Mode, PlannedMode } from './mode.js';
import { type ArchivedMachine, ModeRegistry } from './mode-registry.js';

const table = (version: number) =>
  defineMachine('m', version, { A: { do: 'a', on: { go: 'B' } }, B: { end: 'completed' } }, { abortTo: 'B' });
/** With a gate of the time before gates had consequences. */
const silent = (version: number): Machine =>
  defineMachine(
    'm',
    version,
    {
      A: { do: 'a', on: { go: 'ASK' } },
      ASK: { gate: { name: 'g', ask: 'Go on?', options: { yes: 'agreed' } }, on: { agreed: 'B' } },
      B: { end: 'completed' },
    },
    { abortTo: 'B' },
  );
const mode = {
  name: 'm', machine: table(2), guards: {}, activities: { a: () => Promise.resolve(report('go')) }, childMachines: [],
  needsRepo: false, options: [], optionalGates: [], roles: [], begin: () => ({}),
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

  it('runs also where its gates do not say what their options lead to', async () => {
    const old = silent(1);
    const registry = withArchive({ kind: 'found', machine: old });
    expect((await registry.runnableOf('m', 1)).machine).toEqual(old);
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

/** Loops for ever without a bound or a person: found by the validator alone, whoever provides what. */
const endless: Machine = defineMachine(
  'endless',
  1,
  { A: { do: 'a', on: { go: 'B' } }, B: { do: 'a', on: { go: 'A', stop: 'C' } }, C: { end: 'completed' } },
  { abortTo: 'C' },
);

const task = { machine: { ...table(1), name: 'task' }, guards: {}, activities: mode.activities };

const refusals: [what: string, modes: Mode[], planned: PlannedMode[], fault: RegExp][] = [
  ['a table with a loop that nothing bounds', [{ ...mode, machine: endless }], [], /endless.*loop/],
  ['a gate that does not say what it leads to', [{ ...mode, machine: silent(2) }], [], /ASK does not say what yes/],
  ['the same in a table that is only planned', [mode], [{ name: 'later', machine: silent(1) }], /ASK does not say/],
  ['an activity that nobody provides', [{ ...mode, activities: {} }], [], /activity a\b/],
  ['a faulty machine of its children', [{ ...mode, childMachines: [{ ...task, activities: {} }] }], [], /activity a\b/],
  ['a faulty table that is only planned', [mode], [{ name: 'later', machine: endless }], /endless.*loop/],
  ['two modes with one machine’s name', [mode, { ...mode, name: 'n' }], [], /two machines are named m$/],
  ['a child machine named like the mode’s', [{ ...mode, childMachines: [mode] }], [], /two machines are named m$/],
]; // prettier-ignore

describe('the service refuses to start', () => {
  const archive = {
    keep: (_machine: Machine, hash: string) => Promise.resolve(hash),
    find: () => Promise.reject(new Error('nobody asks')),
  };

  it.each(refusals)('with %s', (_what, modes, planned, fault) => {
    const open = (): ModeRegistry => new ModeRegistry(modes, planned, archive);
    expect(open).toThrow(
      expect.objectContaining({
        name: 'EngineBug',
        code: 'MACHINE_REFUSED',
        details: { faults: expect.arrayContaining([expect.stringMatching(fault)]) as string[] },
      }),
    );
  });

  it('with a table that is not the one kept under its version', async () => {
    const other = { ...archive, keep: () => Promise.resolve('another hash') };
    await expect(new ModeRegistry([mode], [], other).open()).rejects.toMatchObject({
      code: 'MACHINE_REFUSED',
      details: { faults: ['m@2 was changed without a new version'] },
    });
  });

  it('but not with sound ones, whose names it then offers', async () => {
    const registry = new ModeRegistry(
      [{ ...mode, childMachines: [task] }],
      [{ name: 'later', machine: table(1) }],
      archive,
    );
    await registry.open();
    expect(registry.names).toEqual(['m']);
    expect(registry.newest('task')).toBe(task);
  });
});

describe('the plan of a mode without tasks', () => {
  const archive = {
    keep: (_machine: Machine, hash: string) => Promise.resolve(hash),
    find: () => Promise.resolve({ kind: 'unknown' } as const),
  };

  it('is what its machine does, and that of one with tasks is not its machine', async () => {
    expect(await new ModeRegistry([mode], [], archive).stepsOf('m', 2)).toEqual(['A']);
    expect(await new ModeRegistry([{ ...mode, hasTasks: true }], [], archive).stepsOf('m', 2)).toEqual([]);
    expect(await new ModeRegistry([mode], [], archive).stepsOf('m', 1)).toEqual([]);
  });
});
