import { afterEach, expect, it, vi } from 'vitest';
import { describeParts, hasBubblewrap, hasRedis, missingParts, refuseIfRequiredPartIsMissing } from './system-parts.js';

afterEach(() => {
  vi.unstubAllEnvs();
});

it('names what is missing and how to install it', () => {
  vi.stubEnv('PATH', '');
  expect([hasRedis(), hasBubblewrap()]).toEqual([false, false]);
  expect(describeParts(missingParts())).toMatch(/apt-get install redis-server[^]*apt-get install bubblewrap/);
});

it('refuses to run without a part that QRALPH_REQUIRE names', () => {
  vi.stubEnv('PATH', '');
  vi.stubEnv('QRALPH_REQUIRE', '');
  refuseIfRequiredPartIsMissing();
  vi.stubEnv('QRALPH_REQUIRE', 'redis');
  expect(refuseIfRequiredPartIsMissing).toThrow('redis-server (install it with');
  vi.stubEnv('QRALPH_REQUIRE', 'radish');
  expect(refuseIfRequiredPartIsMissing).toThrow('unknown parts: radish');
});
