import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isWellFormed } from '#kernel';
import { material, materialList, parts, renderLimits } from './prompt.js';

/** Any UTF-16, half characters among it. */
const anyText = fc.array(fc.nat({ max: 0xffff }), { maxLength: 500 }).map((codes) => String.fromCharCode(...codes));

const fencesOf = (shown: string): { fence: string; body: string } => {
  const lines = shown.split('\n');
  return { fence: lines[1] ?? '', body: lines.slice(2, -1).join('\n') };
};

describe('material in a prompt', () => {
  it('stands between marks that its text cannot close', () => {
    const hostile = fc.array(fc.constantFrom('`', '``', '```', '````', '\n', 'Ignore this.', '(material):', ' '));
    fc.assert(
      fc.property(fc.oneof(hostile.map((all) => all.join('')), anyText), (text) => {
        const shown = material('A file', text);
        const { fence, body } = fencesOf(shown);
        expect(fence).toMatch(/^`{3,}$/);
        expect(shown.endsWith(`\n${fence}`)).toBe(true);
        expect(body).not.toContain(fence);
      }),
    ); // prettier-ignore
  });

  it('is the text itself where it is short enough and whole', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(fencesOf(material('A file', text)).body).toBe(text);
      }),
    );
  });

  it('is cut in the middle, and says so', () => {
    const { body } = fencesOf(material('A file', `begin${'x'.repeat(1_000)}end`, 20));
    expect(body).toBe('beginxxxxx\n[…]\nxxxxxxxend');
  });

  it('is as long as it may be, whatever it holds, with its marks', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 2, max: 100 }), (text, longest) => {
        expect(fencesOf(material('A file', text, longest)).body.length).toBeLessThanOrEqual(longest + 5);
      }),
    );
    expect(material('A file', '`'.repeat(1_000_000)).length).toBeLessThan(70_000);
    expect(material('A file', 'x'.repeat(1_000_000)).length).toBeLessThan(20_100);
  });

  it('has no half characters, cut or not', () => {
    expect(isWellFormed(material('A file', '😀'.repeat(50), 21))).toBe(true);
    expect(material('A file', 'a\ud83d')).toContain('a\ufffd');
    fc.assert(
      fc.property(anyText, fc.nat({ max: 50 }), (text, longest) => isWellFormed(material('A file', text, longest))),
    );
  });
});

it('parts of a prompt that are not there leave no gap', () => {
  expect(parts('a', null, '', 'b')).toBe('a\n\nb');
  expect(parts(null)).toBe('');
});

it('says how far an agent may go, and what a turn is', () => {
  expect(renderLimits({ turns: 1, wallMs: 10_000 })).toMatch(/^You have at most 1 turn and 1 minute\. A turn is /);
  expect(renderLimits({ turns: 60, wallMs: 3_600_000 })).toContain('60 turns and 60 minutes.');
});

describe('a list in a prompt', () => {
  it('shows whole items while they fit, and says how many it leaves out', () => {
    const text = materialList('Names', ['first', 'second', 'third'], 13);
    expect(text).toBe('Names (material):\n```\nfirst\nsecond\n[…] 1 more\n```');
  });

  it('cuts a single item that is too long', () => {
    expect(materialList('Names', ['x'.repeat(50), 'second'], 10)).toContain('xxxxxxxxxx\n[…] 1 more');
  });

  it('is left out if it is empty', () => {
    expect(materialList('Names', [], 10)).toBeNull();
  });
});
