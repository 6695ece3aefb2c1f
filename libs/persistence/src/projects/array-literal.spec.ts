import { describe, expect, it } from 'vitest';
import { arrayLiteral } from './array-literal.js';

describe('an array literal', () => {
  it('carries numbers and plain words as they are', () => {
    expect(arrayLiteral([1, -2, 'STEP', '0199-ab', 'state.entered'])).toBe('{1,-2,STEP,0199-ab,state.entered}');
  });

  it('quotes whatever Postgres would read as something else', () => {
    expect(arrayLiteral(['', 'a,b', '{}', 'say "x"', 'back\\slash', ' '])).toBe(
      '{"","a,b","{}","say \\"x\\"","back\\\\slash"," "}',
    );
  });

  it('tells no value from the word', () => {
    expect(arrayLiteral([null, undefined, 'NULL', 'null', 'nullable'])).toBe('{NULL,NULL,"NULL","null",nullable}');
  });
});
