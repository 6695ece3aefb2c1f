import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Gate } from '#contracts';
import { clean, cleanText, jsonText } from './clean.js';
import { gateLines } from './gate-lines.js';
import { Output } from './output.js';
import { bold, green } from './style.js';
import { tableLines } from './table.js';

/** Everything a terminal obeys: its own colours are the only exception. */
const OBEYED = /[^\P{Cc}\t]|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
const COLOURS = new RegExp(`${String.fromCharCode(27)}\\[\\d+m`, 'g');

function said(tell: (out: Output) => void, { isTerminal = false, mayColor = true, isJson = false } = {}): string[] {
  const lines: string[] = [];
  const take = (line: string): void => void lines.push(line);
  tell(new Output({ out: take, err: take, isTerminal }, isJson, mayColor));
  return lines;
}

const HOSTILE = 'a\u001b[2J\u001b]0;owned\u0007b\rc\u009b31md\u202ee\u0000f\u007fg\ufdd1h\u2028i';
const hostile = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc
    .array(fc.constantFrom('\u001b[31m', '\u009b2J', '\n', '\r', '\u202e', '\u061c', '\ufdd2', 'x', '\ud800'))
    .map((all) => all.join('')),
);

describe('what is printed', () => {
  it('is coloured on a terminal only, and not where NO_COLOR is set', () => {
    const tell = (out: Output): void => out.lines(`${bold('a')} ${green('b')}`);
    expect(said(tell, { isTerminal: true })).toEqual(['\u001b[1ma\u001b[0m \u001b[32mb\u001b[0m']);
    expect(said(tell)).toEqual(['a b']);
    expect(said(tell, { isTerminal: true, mayColor: false })).toEqual(['a b']);
  });

  it('obeys nothing that somebody else wrote, on whichever way it is told', () => {
    fc.assert(
      fc.property(hostile, fc.boolean(), (text, isTerminal) => {
        const all = said(
          (out) => {
            out.lines(bold(cleanText(text)));
            out.text(text);
            out.note(text);
            out.json({ [text]: text });
            out.jsonLine([text]);
          },
          { isTerminal },
        ).flatMap((line) => line.split('\n'));
        expect(all.filter((line) => OBEYED.test(line.replaceAll(COLOURS, '')))).toEqual([]);
        // Nobody's words colour anything: of the colours there are only those around the bold ones.
        const colours = all.flatMap((line) => line.match(COLOURS) ?? []);
        expect(colours.length).toBeLessThanOrEqual(2);
      }),
    );
  });

  it('is one line for one text: nobody can write a line of ours', () => {
    expect(said((out) => out.lines(`title\n→ qralph approve 001-x`))).toEqual(['title → qralph approve 001-x']);
    expect(said((out) => out.text('a\r\nb\nc\n'))).toEqual(['a', 'b', 'c']);
  });

  it('is the same in JSON for whoever reads it back', () => {
    fc.assert(
      fc.property(fc.jsonValue(), hostile, (value, text) => {
        const whole = [value, text];
        expect(JSON.parse(jsonText(whole))).toEqual(JSON.parse(JSON.stringify(whole)));
      }),
    );
  });

  it('keeps the words of a hostile text', () => {
    expect(clean({ deep: [HOSTILE] })).toEqual({ deep: ['a[2J]0;ownedb\nc31mdefgh\ni'] });
  });
});

describe('a table', () => {
  it('is as wide as its cells, and a cell is one line', () => {
    expect(
      said((out) =>
        out.lines(
          ...tableLines(
            ['a', 'b'],
            [
              ['long', 'x\ny'],
              [green('s'), 'z'],
            ],
          ),
        ),
      ),
    ).toEqual(['a     b', 'long  x y', 's     z']);
  });
});

describe('what waits for a person', () => {
  const gate: Gate = {
    name: 'plan',
    kind: 'gate',
    project: { id: '01990000-0000-7000-8000-000000000000', name: '002-date-libraries', parent: null },
    ask: 'Is the plan good?',
    why: 'PLAN.md is written\n\nwith two steps',
    options: ['approve', 'revise', 'other'],
    consequences: { approve: 'the work begins' },
    default: { does: 'it is rejected', at: '2026-01-02T03:04:05.678Z' },
    openedAt: '2026-01-02T03:04:05.678Z',
    answer: 'POST …',
    checkpoint: { seq: 12, checksum: `sha256:${'0'.repeat(64)}` },
    decided: null,
  };
  const lines = (one: Gate): string[] => said((out) => out.lines(...gateLines(one)));

  it('comes with the very lines that answer it on what was looked at, and what each leads to', () => {
    expect(lines(gate)).toEqual([
      '002-date-libraries  plan: Is the plan good?',
      '  │ PLAN.md is written',
      '  │ with two steps',
      '  → qralph approve 002-date-libraries plan --checkpoint 12',
      '      the work begins',
      "  → qralph revise 002-date-libraries plan --checkpoint 12 --feedback '…'",
      '  → qralph decide 002-date-libraries plan other --checkpoint 12',
      '  if nobody decides by 2026-01-02T03:04:05.678Z: it is rejected',
    ]);
  });

  it('has the first lines of a long why, and says where the others are', () => {
    const why = Array.from({ length: 15 }, (_, nth) => `line ${String(nth + 1)}`).join('\n');
    const shown = lines({ ...gate, why });
    expect(shown.slice(12, 14)).toEqual([
      '  │ line 12',
      '  │ … and 3 more lines, in: qralph show 002-date-libraries PLAN.md',
    ]);
  });

  it('shows one screen whole, and says where the rest of a longer one is', () => {
    const why = (count: number) => Array.from({ length: count }, (_, nth) => `line ${String(nth + 1)}`).join('\n');
    const asked = (count: number) => lines({ ...gate, name: 'resolve-problem', why: why(count) });
    expect(asked(60).join('\n')).not.toContain('more lines');
    expect(asked(63)[61]).toBe('  │ … and 3 more lines, in --json');
  });

  it('has no line that answers it where a decision is stored and waits to be taken up', () => {
    const decided = { decision: 'approve', by: 'human', at: '2026-01-03T00:00:00.000Z' } as const;
    expect(lines({ ...gate, decided })).toEqual([
      '002-date-libraries  plan: Is the plan good?',
      '  approve is stored since 2026-01-03T00:00:00.000Z: taken up at once, or at RESUME where the project is paused',
    ]);
  });

  it('is answered by commands where it is a step that failed', () => {
    const failed: Gate = { ...gate, kind: 'step-failed', why: null, default: null };
    const consequences = { RETRY: 'it is tried again' };
    expect(lines({ ...failed, options: ['RETRY', 'ABORT'], consequences }).slice(1)).toEqual([
      '  → qralph retry 002-date-libraries',
      '      it is tried again',
      '  → qralph abort 002-date-libraries',
    ]);
    expect(lines({ ...failed, options: ['RETRY'], consequences: {} }).slice(1)).toEqual([
      '  → qralph retry 002-date-libraries',
    ]);
  });
});
