import { describe, expect, it } from 'vitest';
import { provenOf } from './proven.js';

const facts = { isProven: true, isSimulated: false, isCompleted: true };

describe('whether a result is proven', () => {
  it('is what its last proof said', () => {
    expect(provenOf(facts)).toBe('yes');
    expect(provenOf({ ...facts, isProven: false })).toBe('no');
  });

  it('is not known until it is judged', () => {
    expect(provenOf({ ...facts, isProven: undefined })).toBeNull();
    expect(provenOf({ ...facts, isProven: 'true' })).toBeNull();
  });

  it('is no if a person left something out of its acceptance', () => {
    expect(provenOf({ ...facts, isWhollyAccepted: false })).toBe('no');
    for (const isWhollyAccepted of [true, null, undefined]) {
      expect(provenOf({ ...facts, isWhollyAccepted })).toBe('yes');
    }
  });

  it('is neither yes nor no with a simulated model', () => {
    const simulated = { ...facts, isSimulated: true, isWhollyAccepted: false };
    expect(provenOf(simulated)).toBe('simulated');
    expect(provenOf({ ...simulated, isProven: undefined })).toBe('simulated');
    expect(provenOf({ ...simulated, isProven: undefined, isCompleted: false })).toBeNull();
  });
});
