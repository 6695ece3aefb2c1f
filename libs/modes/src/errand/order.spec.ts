import { describe, expect, it } from 'vitest';
import { UserError } from '#kernel';
import { beginErrand } from './order.js';

const refusalOf = (parameters: Parameters<typeof beginErrand>[0]): string => {
  try {
    beginErrand(parameters, {}, {});
  } catch (error) {
    if (error instanceof UserError) return `${error.code}: ${error.message}`;
    throw error;
  }
  return 'none';
};

describe('what an errand begins with', () => {
  it('has an order with limits, even when nothing was asked for', () => {
    expect(beginErrand({}, {}, {})).toEqual({
      order: { runtime: 'api', goal: null, tier: 'medium', turns: 60, minutes: 60 },
      attempts: 5,
    });
  });

  it('takes over what was ordered, and nothing else', () => {
    const options = {
      setup: ['npm ci'],
      verify: ['npm test'],
      copy: null,
      sandbox: 'auto',
      runtime: 'codex',
      budget: {},
    };
    expect(beginErrand({ tier: 'large', turns: 5, attempts: 0 }, {}, options)).toEqual({
      order: {
        setup: ['npm ci'], verify: ['npm test'], sandbox: 'auto', runtime: 'codex', goal: null, tier: 'large', turns: 5,
        minutes: 60,
      },
      attempts: 0,
    }); // prettier-ignore
    expect(beginErrand({}, {}, { goal: 'green' })).toMatchObject({ order: { goal: 'green' } });
  });

  it.each([
    [{ rounds: 3 }, 'PARAMETER_INVALID: an errand has no parameter rounds'],
    [{ tier: 'huge' }, 'PARAMETER_INVALID: tier must be one of small, medium, large'],
    [{ turns: 0 }, 'PARAMETER_INVALID: turns must be a whole number from 1 to 500'],
    [{ minutes: '5' }, 'PARAMETER_INVALID: minutes must be a whole number from 1 to 1440'],
  ])('refuses %j', (parameters, refusal) => {
    expect(refusalOf(parameters)).toBe(refusal);
  });
});
