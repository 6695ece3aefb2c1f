import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  describeParts,
  hasBwrap,
  hasCurl,
  hasRedis,
  partsLeftOut,
  refuseIfRequiredPartIsMissing,
} from './system-parts.js';

describe('a machine without any of the parts', () => {
  beforeEach(() => vi.stubEnv('PATH', ''));
  afterEach(() => vi.unstubAllEnvs());

  it('is told which tests it leaves out and how to have them', () => {
    expect([hasRedis(), hasCurl(), hasBwrap()]).toEqual([false, false, false]);
    expect(describeParts(partsLeftOut()).split('\n')).toEqual([
      '  redis-server (install it with: apt-get install redis-server): the queue on Redis, and its faults',
      '  curl (install it with: apt-get install curl): the walk of the README',
      '  bwrap (install it with: apt-get install bubblewrap, on a machine that allows user namespaces): the sandbox of commands, and attempts to escape from it',
    ]);
  });

  it.each(['redis', 'curl', 'bwrap', 'redis,bwrap'])('does not run with QRALPH_REQUIRE=%s', (names) => {
    vi.stubEnv('QRALPH_REQUIRE', names);
    expect(refuseIfRequiredPartIsMissing).toThrow(
      /^required by QRALPH_REQUIRE, but missing:\n.*\(install it with: apt-get/,
    );
    vi.stubEnv('QRALPH_REQUIRE', '');
    refuseIfRequiredPartIsMissing();
  });

  it('is told when QRALPH_REQUIRE names a part that there is not', () => {
    vi.stubEnv('QRALPH_REQUIRE', 'radish');
    expect(refuseIfRequiredPartIsMissing).toThrow('unknown parts: radish');
  });
});
