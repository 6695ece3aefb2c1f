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
      '  claude (install it with: npm i -g @anthropic-ai/claude-code): runs of the real claude through the metering proxy',
      '  codex (install it with: npm i -g @openai/codex): runs of the real codex through the metering proxy',
      '  opencode (install it with: npm i -g opencode-ai): runs of the real opencode through the metering proxy',
      '  droid (install it with: npm i -g droid): runs of the real droid through the metering proxy',
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
