import { describe, expect, it } from 'vitest';
import { keptOutput } from './kept-output.js';

const redactor = { redact: (text: string) => text.replaceAll('the-secret', '[secret]') };

describe('what is kept of an output', () => {
  it('is all of a short one, without secrets', () => {
    expect(keptOutput('a the-secret b', redactor)).toEqual({ output: 'a [secret] b', cut: 0 });
  });

  it('is the beginning and the end of a long one', () => {
    const { output, cut } = keptOutput(`begin${'x'.repeat(1_000_000)}end`, redactor);
    expect(output).toMatch(/^beginx+\n\[… \d+ characters left out …\]\nx+end$/);
    expect(output.length).toBeLessThan(66_000);
    expect(cut).toBeGreaterThan(900_000);
  });

  it('has no half of a secret at the cut', () => {
    const head = 16 * 1024;
    for (let shift = 0; shift < 12; shift += 1) {
      const text = `${'x'.repeat(head - shift)}the-secret${'y'.repeat(1_000_000)}`;
      expect(keptOutput(text, redactor).output).not.toContain('the-s');
    }
  });

  it('can be stored', () => {
    expect(keptOutput('a\u0000b\ud800c', redactor).output).toBe('a\ufffdb\ufffdc');
  });
});
