import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '#kernel';
import { beginCoding, CLASSIC_OPTIONS, CODING_OPTIONS } from './order.js';

const begun = (parameters: JsonObject = {}, options: JsonObject = {}, isClassic = false): JsonObject =>
  beginCoding(parameters, options, isClassic);
const refused = (parameters: JsonObject, isClassic = false): string => {
  try {
    begun(parameters, {}, isClassic);
  } catch (error) {
    return (error as { code: string }).code;
  }
  return 'taken';
};

describe('the context that a coding project begins with', () => {
  it('has what nobody asked for by default', () => {
    expect(begun()).toEqual({
      order: {
        runtime: 'api',
        agents: { pin: [], forbid: [] },
        variant: null,
        goal: null,
        asides: 'P1',
        commitArtifacts: false,
        tier: 'medium',
        turns: 60,
        minutes: 60,
        reviewSeconds: null,
        breakers: { recurrences: 3, orphans: 3 },
      },
      healAttempts: 5,
      uatRounds: 2,
    });
    expect(begun({}, {}, true)['order']).toMatchObject({ commitArtifacts: true });
  });

  it('has what was asked for, and leaves out what was not', () => {
    const agents = { pin: ['sde-iii'], count: 4 };
    const { order } = begun(
      { tier: 'small', reviewSeconds: 9 },
      { agents, verify: ['npm test'], setup: null, commitArtifacts: true },
    );
    expect(order).toMatchObject({ tier: 'small', reviewSeconds: 9, verify: ['npm test'], commitArtifacts: true });
    expect(order).toMatchObject({ agents: { pin: ['sde-iii'], forbid: [], count: 4 } });
    expect(order).not.toHaveProperty('setup');
    expect(begun({}, { goal: 'green', asides: 'none' })['order']).toMatchObject({ goal: 'green', asides: 'none' });
    expect(begun({}, { commitArtifacts: false }, true)['order']).toMatchObject({ commitArtifacts: false });
  });

  it.each([
    ['turns', 1, 500],
    ['minutes', 1, 1_440],
    ['healAttempts', 1, 20],
    ['uatRounds', 0, 10],
    ['reviewSeconds', 1, 7_200],
    ['clarifyTimeoutMs', 1_000, 86_400_000],
  ])('takes %s from %i to %i and nothing beside', (name, min, max) => {
    for (const value of [min, max]) expect(refused({ [name]: value }, true)).toBe('taken');
    const others: Json[] = [min - 1, max + 1, min + 0.5, String(min), true, [min], { min }, 1e300];
    for (const value of others) expect(refused({ [name]: value }, true)).toBe('PARAMETER_INVALID');
  });

  it('refuses parameters that it does not know, whatever they are called', () => {
    for (const name of ['__proto__', 'constructor', 'toString', 'Turns', '']) {
      expect(refused(JSON.parse(`{${JSON.stringify(name)}: 1}`) as JsonObject)).toBe('PARAMETER_INVALID');
    }
    expect(refused({ clarifyTimeoutMs: 5_000 })).toBe('PARAMETER_INVALID');
    for (const tier of ['huge', '', 1, ['small']]) expect(refused({ tier })).toBe('PARAMETER_INVALID');
    expect(() => begun({ haste: 1 })).toThrow('this mode has no parameter haste');
  });

  it('knows one variant, which classic mode is not asked for', () => {
    expect(begun({}, { variant: 'planning' })['order']).toMatchObject({ variant: 'planning' });
    for (const variant of ['Planning', '', 'quick', 1]) {
      expect(() => begun({}, { variant })).toThrow(expect.objectContaining({ code: 'VARIANT_UNKNOWN' }) as Error);
    }
    expect([CODING_OPTIONS.includes('variant'), CLASSIC_OPTIONS.includes('variant')]).toEqual([true, false]);
  });

  it('is refused as the caller’s fault, or is one, whatever the parameters are', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (parameters) => {
        expect(['taken', 'PARAMETER_INVALID']).toContain(refused(parameters as JsonObject, true));
      }),
    );
  });
});
