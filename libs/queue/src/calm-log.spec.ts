import { expect, it } from 'vitest';
import { calmLog } from './calm-log.js';

it('lets each message through once per interval and then tells how many it held back', () => {
  let now = 0;
  const lines: unknown[] = [];
  const log = calmLog(
    (level, message, details) => lines.push([level, message, details]),
    1_000,
    () => now,
  );
  log('warn', 'away', { error: 'a' });
  log('warn', 'away', { error: 'b' });
  log('error', 'away', {});
  log('warn', 'away', { error: 'c' });
  now = 1_000;
  log('warn', 'away', { error: 'd' });
  expect(lines).toEqual([
    ['warn', 'away', { error: 'a' }],
    ['error', 'away', {}],
    ['warn', 'away', { error: 'd', heldBack: 2 }],
  ]);
});
