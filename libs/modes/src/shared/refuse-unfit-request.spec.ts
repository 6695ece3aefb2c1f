import { describe, expect, it } from 'vitest';
import { UserError } from '#kernel';
import type { ModelCandidate } from '#models';
import { refuseUnfitRequest } from './refuse-unfit-request.js';

const scope = { fits: (request: string) => request === 'Add dark mode toggle', examples: ['Add dark mode toggle'] };
const real: ModelCandidate = { provider: 'anthropic', model: 'm', isSimulated: false };
const simulated: ModelCandidate = { provider: 'playbook', model: 'playbook', isSimulated: true, scope };
const refusalOf = (request: string, ...candidates: ModelCandidate[]): unknown => {
  try {
    refuseUnfitRequest({ candidates: () => candidates }, { request, tiers: ['small', 'large'], models: {} });
    return null;
  } catch (error) {
    return error;
  }
};

describe('a request to a simulated model', () => {
  it('is refused with what the model can do and what to set, if the playbook does not fit', () => {
    const refusal = refusalOf('Fix the login', simulated);
    expect(refusal).toBeInstanceOf(UserError);
    expect(refusal).toMatchObject({ code: 'SIMULATED_MODEL_CANNOT_DO_THIS' });
    for (const words of [
      '"Add dark mode toggle"',
      'ANTHROPIC_API_KEY',
      'OPENAI_API_KEY',
      '_BASE_URL',
      'QRALPH_PLAYBOOK',
    ])
      expect(String(refusal)).toContain(words);
  });

  it('is taken if the playbook fits, or names no requests', () => {
    expect(refusalOf('Add dark mode toggle', simulated)).toBeNull();
    const { scope: _, ...boundless } = simulated;
    expect(refusalOf('Fix the login', boundless)).toBeNull();
  });

  it('is taken if a real model answers first', () => {
    expect(refusalOf('Fix the login', real, simulated)).toBeNull();
  });
});
