import { expect, it } from 'vitest';
import { waitsFor } from './waits-for.js';

it.each([
  [null, 'nothing'],
  [
    { kind: 'gate', gate: 'plan', ask: 'Shall it be?', why: '# Plan', options: ['approve'] },
    'a person, at the gate plan',
  ],
  [{ kind: 'pausing', since: '2026-01-02T03:04:05.000Z' }, 'pausing, since 2026-01-02T03:04:05.000Z'],
  [{ kind: 'children', children: [{ key: 'sde-iii', id: 'c', status: 'running' }] }, 'children: sde-iii running'],
  [
    { kind: 'rate-limit', until: '2026-01-02T03:04:05.000Z', words: 'slow down' },
    'rate-limit, until 2026-01-02T03:04:05.000Z: slow down',
  ],
  [{ kind: 'step-failed', code: 'DISK_FULL', message: 'no space left' }, 'step-failed: DISK_FULL: no space left'],
])('STATUS.md says in words what is waited for', (wait, words) => {
  expect(waitsFor(wait)).toBe(words);
});
