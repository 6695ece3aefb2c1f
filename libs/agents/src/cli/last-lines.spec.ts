import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LastLines } from './last-lines.js';

it('the last whole lines are kept, as many as there is room for, and all that is missing is counted', () => {
  const line = fc.string({ maxLength: 12 }).map((text) => `${text.replaceAll('\n', '')}\n`);
  fc.assert(
    fc.property(fc.array(line, { maxLength: 40 }), fc.integer({ min: 1, max: 80 }), (lines, most) => {
      const last = new LastLines(most);
      for (const one of lines) last.add(Buffer.from(one));
      const { kept, leftOut } = last.rest();
      let expected = '';
      for (const one of lines.toReversed()) {
        if (Buffer.byteLength(one + expected) > most) break;
        expected = one + expected;
      }
      expect(kept.toString()).toBe(expected);
      expect(kept.length + leftOut).toBe(Buffer.byteLength(lines.join('')));
    }),
  );
});
