import { describe, expect, it } from 'vitest';
import { defineMachine, initialSnapshot } from '#engine';
import { UserError, WorldError } from '#kernel';
import type { ControlWord, KeptControl } from '#persistence';
import { ControlFile, type ControlFileParts, type Entry } from './control-file.js';

const machine = defineMachine('m', 1, { WORK: { do: 'work', on: { done: 'DONE' } }, DONE: { end: 'completed' } }, { abortTo: 'DONE' }); // prettier-ignore
const project = { id: 'p', name: '001-controlled', repo: '/repo' };
const STANDING = { snapshot: initialSnapshot(machine, {}), version: 1, inbox: [], runnable: { machine, guards: {}, activities: {} } }; // prettier-ignore

/** A file and its record, in memory. */
function world(text: string | null, own: Partial<ControlFileParts> = {}, taken: Entry[] = []) {
  const it = { text, words: [] as ControlWord[], asked: 0, kept: { version: 0, taken, problem: null } as KeptControl<Entry> }; // prettier-ignore
  const file = new ControlFile({
    store: {
      load: () => Promise.resolve(it.kept),
      save: (_id, kept, words) => {
        if (kept.version !== it.kept.version) return Promise.resolve(false);
        it.kept = { ...kept, version: kept.version + 1 };
        it.words.push(...words);
        return Promise.resolve(true);
      },
    },
    artefacts: {
      peek: () => {
        const content = it.text === null ? null : Buffer.from(it.text);
        return Promise.resolve(content && { bytes: content.length, modifiedAt: new Date(0), content });
      },
      write: (_place, _name, written) => {
        it.text = written;
        return Promise.resolve();
      },
    },
    standing: () => Promise.resolve(STANDING),
    stateOf: () => Promise.resolve('WORK'),
    status: () => Promise.resolve(void (it.asked += 1)),
    counts: () => undefined,
    mostWaiting: 100,
    now: () => new Date('2026-11-17T09:00:00Z'),
    onLeft: () => undefined,
    ...own,
  });
  return Object.assign(it, { look: () => file.look(project, true) });
}

const failing = (error: Error) => (): Promise<never> => Promise.reject(error);

describe('CONTROL.md of a project whose newest checkpoint is held for a person', () => {
  const held = { standing: failing(new UserError('CHECKPOINT_CORRUPT', 'checkpoint 3 cannot be used')) };

  it('is answered: STATUS is taken and all else refused, each with its event, and nothing waits in the inbox', async () => {
    const one = world('STATUS\nABORT\npause\n', held);
    expect(await one.look()).toBe('done');
    const [status, abort, pause] = (one.text ?? '').split('\n');
    expect(status).toContain('STATUS  <- taken');
    expect(abort).toMatch(/^ABORT {2}<- not taken .*: checkpoint 3 cannot be used$/);
    expect(pause).toMatch(/^pause {2}<- not taken .*: a command is written in capitals: PAUSE$/);
    expect(one.words).toMatchObject([
      { event: { type: 'command.received', data: { command: 'STATUS', door: 'file', state: 'WORK' } } },
      { event: { type: 'command.refused', data: { command: 'ABORT', state: 'WORK', allowed: ['STATUS'] } } },
      { event: { type: 'command.refused', data: { command: 'PAUSE', state: 'WORK', allowed: ['STATUS'] } } },
    ]);
    expect([one.words.some(({ body }) => body), one.asked]).toEqual([false, 1]);
  });

  it('is made all the same', async () => {
    const one = world(null, held);
    await one.look();
    expect(one.text).toContain('- STATUS: ');
  });
});

it('a line of a project whose machine this worker does not have is left to one that has it', async () => {
  const one = world('PAUSE\n', { standing: failing(new WorldError('MACHINE_UNAVAILABLE', 'never seen')) });
  await expect(one.look()).rejects.toThrow('never seen');
  expect([one.text, one.words]).toEqual(['PAUSE\n', []]);
});

describe('where there is no file, what was taken of it and could not be marked', () => {
  const taken = (): Entry[] => [{ command: 'PAUSE', word: 'PAUSE', mark: 'PAUSE  <- taken' }];
  const writes = (error: Error): Partial<ControlFileParts> => ({
    artefacts: { peek: () => Promise.resolve(null), write: failing(error) },
  });

  it('is forgotten with the file', async () => {
    const one = world(null, {}, taken());
    await one.look();
    expect([one.kept.taken, one.text?.startsWith('# 001-controlled')]).toEqual([[], true]);
    const unwritable = world(null, writes(Object.assign(new Error('denied'), { code: 'EACCES' })), taken());
    await unwritable.look();
    expect(unwritable.kept).toMatchObject({ taken: [], problem: 'UNWRITTEN_EACCES' });
  });

  it('is remembered where the whole repository is not here: another host has both, and would take it again', async () => {
    const one = world(null, writes(new UserError('REPO_NOT_FOUND', 'no such folder')), taken());
    await one.look();
    expect([one.kept.taken, one.words]).toEqual([taken(), []]);
  });
});

describe('CONTROL.md of a project whose inbox is full', () => {
  it('is not taken, but for ABORT and STATUS, of which the latter is for no inbox', async () => {
    const inbox = [{ seq: 1, by: 'human', body: { kind: 'command', id: 'x', command: 'PAUSE', visit: 1 } } as const];
    const one = world('RESUME\nSTATUS\nABORT\n', {
      mostWaiting: 1,
      standing: () => Promise.resolve({ ...STANDING, inbox }),
    });
    await one.look();
    const [resume, status, abort] = (one.text ?? '').split('\n');
    expect(resume).toContain('<- not taken 2026-11-17T09:00:00.000Z: 1 commands wait to be obeyed already');
    expect([status, abort]).toEqual([expect.stringContaining('<- taken'), expect.stringContaining('<- taken')]);
    expect(one.words.map(({ body }) => body?.kind === 'command' && body.command)).toEqual([false, false, 'ABORT']);
  });
});
