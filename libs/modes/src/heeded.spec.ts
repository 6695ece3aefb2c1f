import { describe, expect, it } from 'vitest';
import { type JsonObject, UserError } from '#kernel';
import { mustHeed } from './heeded.js';

const errand = { name: 'errand', needsRepo: true, options: ['verify', 'runtime'], optionalGates: [] };
const drill = { name: 'drill', needsRepo: false, options: [], optionalGates: ['approval'] };

function refusalOf(mode: typeof errand | typeof drill, asked: JsonObject, gates: Record<string, boolean> = {}): string {
  try {
    mustHeed(mode, asked, gates);
  } catch (error) {
    if (error instanceof UserError) return `${error.code}: ${error.message}`;
    throw error;
  }
  return 'none';
}

describe('what a mode would not heed', () => {
  it.each<[JsonObject]>([
    [{ webhook: { url: 'https://example.org' } }],
    [{ commitArtifacts: true }],
    [{ variant: 'quick' }],
    [{ agents: { pin: ['reviewer'], forbid: [] } }],
    [{ agents: { pin: [], forbid: [], count: 2 } }],
  ])('is refused with its name: %j', (asked) => {
    const [name = ''] = Object.keys(asked);
    expect(refusalOf(errand, asked)).toBe(
      `OPTION_NOT_AVAILABLE: the mode errand has no option ${name}; it knows repo, verify, runtime`,
    );
    expect(refusalOf(drill, asked)).toBe(`OPTION_NOT_AVAILABLE: the mode drill has no option ${name}; it knows none`);
  });

  it('is refused all at once, also a repository of a mode that works on none', () => {
    expect(refusalOf(drill, { repo: { path: '/x' }, verify: ['true'] })).toContain('no option repo, verify;');
  });

  it('may be left out in as many words', () => {
    const nothing = { webhook: null, commitArtifacts: false, variant: null, agents: { pin: [], forbid: [] }, copy: [] };
    expect(refusalOf(drill, nothing)).toBe('none');
  });

  it('is not what the mode knows', () => {
    expect(refusalOf(errand, { repo: { path: '/x' }, verify: ['true'], runtime: 'api' })).toBe('none');
    expect(refusalOf(drill, {}, { approval: false })).toBe('none');
  });

  it('is no gate that the mode offers, be it on or off by default', () => {
    const both = { ...drill, offeredGates: ['execute'] };
    for (const isOn of [true, false]) expect(refusalOf(both, {}, { execute: isOn, approval: isOn })).toBe('none');
    expect(refusalOf(both, {}, { other: true })).toContain('other; it knows approval, execute');
  });

  it.each([true, false])('is a gate that can only be on, whether it is wanted on or not: %j', (isOn) => {
    expect(refusalOf(errand, {}, { unproven: isOn })).toBe(
      'OPTION_NOT_AVAILABLE: the mode errand has no switch for the gate unproven; it knows none',
    );
    expect(refusalOf(drill, {}, { constructor: isOn })).toContain('constructor; it knows approval');
  });
});
