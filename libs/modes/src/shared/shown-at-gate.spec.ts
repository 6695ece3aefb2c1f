import { expect, it } from 'vitest';
import { shownAtGate } from './shown-at-gate.js';

it('shows a page at a gate whole, or says where it was cut and where the rest is', () => {
  expect(shownAtGate(['PLAN.md', 'a plan'])).toBe('a plan');
  expect(shownAtGate(['PLAN.md', 'x'.repeat(6_000)])).toHaveLength(6_000);
  const cut = shownAtGate(['PLAN.md', `${'x'.repeat(5_999)}😀 and more`]);
  expect(cut.slice(5_990)).toBe(
    `${'x'.repeat(9)}\ufffd\n\n[Cut here, after 6000 of 6010 characters: the whole is in PLAN.md.]`,
  );
});
