import { describe, expect, it } from 'vitest';
import type { Context } from './prisma-contexts.js';
import { proofView } from './proof-view.js';

const provenOf = (status: string, context: Context, isSimulated = false) =>
  proofView({ status }, context, isSimulated).proven;

describe('the proof of a project', () => {
  it('is null until the project is judged', () => {
    expect(proofView({ status: 'running' }, {}, false)).toEqual({ proven: null, proof: null });
    expect(provenOf('completed', {})).toBeNull();
    expect(provenOf('running', { isProven: 'true' })).toBeNull();
  });

  it('is yes or no once the project is judged', () => {
    expect(provenOf('running', { isProven: true })).toBe('yes');
    expect(provenOf('blocked', { isProven: false })).toBe('no');
  });

  it('is no if a person left something out of the acceptance, as SUMMARY.md says', () => {
    expect(provenOf('completed', { isProven: true, isWhollyAccepted: false })).toBe('no');
    expect(provenOf('completed', { isProven: true, isWhollyAccepted: true })).toBe('yes');
  });

  it('is simulated, never yes or no, if a simulated model took part', () => {
    expect(provenOf('running', { isProven: true }, true)).toBe('simulated');
    expect(provenOf('blocked', { isProven: false }, true)).toBe('simulated');
    expect(provenOf('completed', {}, true)).toBe('simulated');
    expect(provenOf('running', {}, true)).toBeNull();
  });

  it('shows the evidence without secrets', () => {
    const key = `sk-ant-${'aB3dE5gH7jK9'.repeat(4)}`;
    const { proof } = proofView({ status: 'completed' }, { isProven: true, evidence: ['npm test passed', key] }, false);
    expect(proof).toEqual({ evidence: ['npm test passed', '[secret]'] });
  });

  it.each([['no list'], [[1]], [{ evidence: [] }], [null]])(
    'leaves out evidence of the wrong shape: %j',
    (evidence) => {
      expect(proofView({ status: 'completed' }, { evidence }, false).proof).toBeNull();
    },
  );
});
