import { describe, expect, it } from 'vitest';
import { fitSchema, propertiesOf } from './fit-schema.js';

const text = { type: 'string' };
const object = (properties: Record<string, object>, required = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
});

describe('fitSchema', () => {
  it('keeps what the schema names and drops the rest', () => {
    expect(fitSchema({ a: 'x', b: 1 }, object({ a: text }))).toEqual({ a: 'x' });
  });

  it('fills in required properties only', () => {
    const schema = object({ a: text, b: { type: 'array', items: text }, c: { type: 'integer' }, d: text }, [
      'a',
      'b',
      'c',
    ]);
    expect(fitSchema({}, schema)).toEqual({ a: '', b: [], c: 0 });
  });

  it('takes null if it is allowed, in either notation', () => {
    expect(fitSchema({}, object({ a: { anyOf: [text, { type: 'null' }] }, b: { type: ['string', 'null'] } }))).toEqual({
      a: null,
      b: null,
    });
    expect(fitSchema('x', { anyOf: [text, { type: 'null' }] })).toBe('x');
  });

  it('replaces a word that is not in the list', () => {
    expect(fitSchema('other', { enum: ['pass', 'fail'] })).toBe('pass');
    expect(fitSchema('fail', { enum: ['pass', 'fail'] })).toBe('fail');
  });

  it('fits the items of a list', () => {
    expect(fitSchema([{ a: 'x', z: 1 }], { type: 'array', items: object({ a: text }) })).toEqual([{ a: 'x' }]);
  });

  it('names the properties of a schema', () => {
    expect([propertiesOf(object({ a: text })), propertiesOf(null)]).toEqual([['a'], []]);
  });
});
