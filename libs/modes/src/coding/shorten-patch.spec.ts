import { expect, it } from 'vitest';
import { shortenPatch } from './shorten-patch.js';

const section = (path: string, line: string): string =>
  `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -1,0 +1,1 @@\n+${line}\n`;

it('puts files that tools write behind all others before it cuts a patch', () => {
  const [lock, code] = [section('package-lock.json', 'x'.repeat(500)), section('src/theme.mjs', 'dark')];
  expect(shortenPatch(lock + code, 300)).toBe((code + lock).slice(0, 300));
});

it('leaves a patch that fits as it is', () => {
  const patch = section('yarn.lock', 'x') + section('src/theme.mjs', 'dark');
  expect(shortenPatch(patch, 1_000)).toBe(patch);
});
