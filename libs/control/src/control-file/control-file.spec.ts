import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { COMMANDS, defineMachine } from '#engine';
import { commandsOf, controlPage } from './control-page.js';
import { refusedMark, takenMark } from './mark.js';
import { entriesOf, isExact, withMarks } from './read-control.js';
import { reconciled, type TakenEntry } from './reconcile.js';

const AT = new Date('2026-11-17T09:00:00.000Z');
const words = (text: string): string[] => entriesOf(text).map(({ word }) => word);
const takes = (text: string): TakenEntry[] =>
  entriesOf(text).map(({ command, word }) => ({ command, word, mark: takenMark(word, AT) }));
const freshIn = (text: string, taken: readonly TakenEntry[]): string[] =>
  reconciled(text, taken).fresh.map(({ word }) => word);

describe('a command in CONTROL.md', () => {
  it.each([
    ['a line that is the word', 'PAUSE\n', ['PAUSE']],
    ['the same without an end of line', 'PAUSE', ['PAUSE']],
    ['with spaces around it', '  PAUSE\t\n', ['PAUSE']],
    ['with the line ends of Windows', 'one\r\nPAUSE\r\nSKIP\r\n', ['PAUSE', 'SKIP']],
    ['behind a mark of byte order', '\uFEFFPAUSE\n', ['PAUSE']],
    ['twice, each of them', 'PAUSE\nPAUSE\n', ['PAUSE', 'PAUSE']],
    ['in other letters, to be told so', 'pause\nPause\n', ['pause', 'Pause']],
    ['no mention in a sentence', 'Please PAUSE the project\nPAUSE now\nnot PAUSE\n', []],
    ['no item, no quotation, no heading', '- PAUSE\n* ABORT\n> PAUSE\n# PAUSE\n`PAUSE`\n**PAUSE**\n1. ABORT\n', []],
    ['no word with a stop', 'PAUSE.\nABORT!\nPAUSE,\n', []],
    ['no longer word', 'PAUSED\nUNPAUSE\nABORTED\n', []],
    ['no mark', `${takenMark('PAUSE', AT)}\n${refusedMark('pause', AT, 'in capitals')}\n`, []],
  ])('is %s', (_name, text, found) => {
    expect(words(text)).toEqual(found);
  });

  it('counts only in capitals', () => {
    expect(entriesOf('PAUSE\npause\nPaUSE').map(isExact)).toEqual([true, false, false]);
  });

  it.each(['qralph', '001-pause', 'PAUSE', 'abort'])('is nowhere in the page that %s begins with', (name) => {
    const page = controlPage(name, COMMANDS);
    expect(words(page)).toEqual([]);
    for (const command of COMMANDS) expect(page).toContain(`- ${command}: `);
  });
});

it('the page lists the commands that the machine knows', () => {
  const machine = defineMachine('m', 1, { A: { do: 'a', on: { done: 'B', SKIP: 'B' } }, B: { end: 'completed' } }, { abortTo: 'B' }); // prettier-ignore
  expect(commandsOf(machine)).toEqual(['PAUSE', 'RESUME', 'SKIP', 'ABORT', 'STATUS', 'RETRY']);
  expect(commandsOf(undefined)).toEqual(COMMANDS);
});

describe('a line that was taken', () => {
  it('is marked where it stands, and all else stays as it was', () => {
    const text = 'one\r\n  PAUSE \r\n\r\ntwo\rSKIP';
    const marks = new Map(takes(text).map(({ mark }, nth) => [entriesOf(text)[nth]?.line ?? -1, mark]));
    expect(withMarks(text, marks)).toBe(
      'one\r\nPAUSE  <- taken 2026-11-17T09:00:00.000Z\r\n\r\ntwo\rSKIP  <- taken 2026-11-17T09:00:00.000Z',
    );
  });

  it('stays one line whatever the reason says', () => {
    expect(refusedMark('RETRY', AT, 'a\nPAUSE\r\nb')).toBe('RETRY  <- not taken 2026-11-17T09:00:00.000Z: a PAUSE b');
  });

  it('is not taken again while its mark is missing', () => {
    const text = 'PAUSE\nRESUME\n';
    expect(reconciled(text, takes(text))).toMatchObject({
      fresh: [],
      unmarked: [{ word: 'PAUSE' }, { word: 'RESUME' }],
    });
  });

  it('is told from the same word that is written later', () => {
    const taken = takes('PAUSE\nRESUME\n');
    expect(freshIn('PAUSE\nRESUME\nPAUSE\n', taken)).toEqual(['PAUSE']);
    expect(freshIn('SKIP\nPAUSE\nRESUME\n', taken)).toEqual(['SKIP']);
    // Its mark is there: what is written now is new, also where nobody noted that it was marked.
    expect(freshIn(`${takenMark('PAUSE', AT)}\nPAUSE\n`, takes('PAUSE'))).toEqual(['PAUSE']);
    expect(freshIn('PAUSE\n', [])).toEqual(['PAUSE']);
  });

  it('is forgotten once it is gone: the word works again', () => {
    const taken = takes('PAUSE\n');
    const { fresh, unmarked } = reconciled('RESUME\n', taken);
    expect([fresh.map(({ word }) => word), unmarked]).toEqual([['RESUME'], []]);
  });
});

const line = fc.oneof(
  fc.constantFrom<string>(...COMMANDS),
  fc.constantFrom('pause', 'a sentence with PAUSE', ''),
  fc.string(),
);
const ends = fc.constantFrom('\n', '\r\n');
const file = fc.tuple(fc.array(line, { maxLength: 12 }), ends).map(([lines, end]) => lines.join(end) + end);

describe('whatever a file holds', () => {
  it('marking all that is in it leaves nothing to take, and a second look takes nothing', () => {
    fc.assert(
      fc.property(file, (text) => {
        const taken = takes(text);
        expect(reconciled(text, taken).fresh).toEqual([]);
        const marks = new Map(reconciled(text, taken).unmarked.map(({ line: at, mark }) => [at, mark]));
        const marked = withMarks(text, marks);
        expect(entriesOf(marked)).toEqual([]);
        expect(reconciled(marked, taken)).toEqual({ fresh: [], unmarked: [] });
      }),
    );
  });

  it('what is written below it is all that is new', () => {
    fc.assert(
      fc.property(file, file, (text, more) => {
        expect(freshIn(text + more, takes(text)).toSorted()).toEqual(words(more).toSorted());
      }),
    );
  });
});
