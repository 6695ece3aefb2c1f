import { describe, expect, it } from 'vitest';
import { type Command, defineMachine, initialSnapshot, type Signal, type Snapshot } from '#engine';
import { admitCommand, admitUndriven } from './admit-command.js';
import { commandEvent } from './command-events.js';

const machine = defineMachine(
  'm',
  1,
  {
    FIRST: { do: 'work', on: { done: 'SECOND', SKIP: 'SECOND' } },
    SECOND: { do: 'work', on: { done: 'ASKING', SKIP: 'ASKING' } },
    ASKING: { gate: { name: 'g', ask: '?', options: { go: 'going' } }, on: { going: 'DONE', RETRY: { to: 'FIRST', by: 'human' } } },
    DONE: { end: 'completed' },
  },
  { abortTo: 'DONE' },
); // prettier-ignore

const told = (command: Command, visit = 1): Signal => ({
  ...{ seq: 1, by: 'human' },
  body: { kind: 'command', id: command, command, visit },
});
const admit = (command: Command, inbox: readonly Signal[] = [], at: Partial<Snapshot> = {}, by: 'human' | 'service' = 'human') =>
  admitCommand({ machine, guards: {}, snapshot: { ...initialSnapshot(machine, {}), ...at }, inbox }, command, by); // prettier-ignore

describe('a command', () => {
  it('means the step that its sender sees', () => {
    expect(admit('SKIP', [], { visit: 7 })).toEqual({ kind: 'permitted', state: 'FIRST', visit: 7 });
  });

  it.each([
    ['a second PAUSE', 'PAUSE', [told('PAUSE')], 'refused'],
    ['a RESUME of a PAUSE that was not obeyed yet', 'RESUME', [told('PAUSE')], 'permitted'],
    ['a second ABORT', 'ABORT', [told('ABORT')], 'refused'],
    ['a PAUSE behind an ABORT', 'PAUSE', [told('ABORT')], 'refused'],
    ['a SKIP behind an ABORT', 'SKIP', [told('ABORT')], 'refused'],
    ['a SKIP behind a PAUSE', 'SKIP', [told('PAUSE')], 'refused'],
    ['a second SKIP of the same step, which will be noted', 'SKIP', [told('SKIP')], 'permitted'],
    ['a PAUSE behind a SKIP', 'PAUSE', [told('SKIP')], 'permitted'],
    ['a SKIP behind both of them', 'SKIP', [told('SKIP'), told('PAUSE')], 'refused'],
  ] as const)('is judged by what waits to be obeyed: %s', (_name, command, inbox, kind) => {
    expect(admit(command, inbox).kind).toBe(kind);
  });

  it('of a service that only a person may give is refused as that', () => {
    expect(admit('RETRY', [], { state: 'ASKING' }, 'service')).toEqual({
      ...{ kind: 'refused', code: 'HUMAN_REQUIRED', state: 'ASKING', allowed: ['PAUSE', 'ABORT', 'STATUS'] },
      why: 'RETRY in ASKING needs a human principal',
    });
  });

  it('that a block does not take is refused with what blocks it', () => {
    const table = defineMachine(
      'b',
      1,
      {
        WORK: { do: 'work', on: { done: 'DONE', stuck: 'BLOCKED' } },
        BLOCKED: {
          remembers: true,
          gate: { name: 'g', ask: '?', options: { go: 'going' } },
          on: { going: 'WORK', RETRY: { to: 'WORK', when: 'may-retry' } },
        },
        DONE: { end: 'completed' },
      },
      { abortTo: 'DONE' },
    );
    const why = 'the next call was not sent.\n\nRaise the budget to go on.';
    const snapshot = { ...initialSnapshot(table, { why }), state: 'BLOCKED', returnTo: 'WORK' };
    const standing = { machine: table, guards: { 'may-retry': () => false }, snapshot, inbox: [] };
    expect(admitCommand(standing, 'RETRY', 'human')).toMatchObject({
      kind: 'refused',
      why: 'RETRY leads nowhere from BLOCKED as the project stands now (the next call was not sent. Raise the budget to go on.)',
    });
  });

  it('to an ended project is refused as that, and STATUS is not', () => {
    const end = { state: 'DONE', ended: true };
    expect(admit('RESUME', [], end)).toMatchObject({ code: 'COMMAND_NOT_ALLOWED', allowed: ['STATUS'] });
    expect(admit('RESUME', [], end)).toMatchObject({ why: expect.stringContaining('has ended, it is completed') as string }); // prettier-ignore
    expect(admit('STATUS', [], end).kind).toBe('permitted');
  });

  it('to a project that nobody can drive is refused for that, and STATUS is not', () => {
    const why = 'checkpoint 3 cannot be used';
    expect(admitUndriven('STATUS', 'FIRST', why)).toEqual({ kind: 'permitted', state: 'FIRST', visit: 0 });
    expect(admitUndriven('ABORT', 'FIRST', why)).toEqual({
      ...{ kind: 'refused', code: 'COMMAND_NOT_ALLOWED', state: 'FIRST', why, allowed: ['STATUS'] },
    });
  });

  it('leaves who gave it, through which door and in which state, taken or not', () => {
    const given = { id: 'i', command: 'ESCALATE', door: 'api', by: 'human', key: 'k' } as const;
    expect(commandEvent(given, admit('PAUSE'))).toEqual({
      type: 'command.received',
      data: { ...given, state: 'FIRST' },
    });
    expect(commandEvent(given, admit('ESCALATE'))).toMatchObject({
      type: 'command.refused',
      data: {
        ...given,
        state: 'FIRST',
        why: 'FIRST does not accept ESCALATE',
        allowed: ['PAUSE', 'SKIP', 'ABORT', 'STATUS'],
      },
    });
  });
});
