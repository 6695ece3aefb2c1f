import { describe, expect, expectTypeOf, it } from 'vitest';
import { Command, type ProjectStatus } from '#contracts';
import { COMMANDS, type Status } from '#engine';

describe('the contract and the engine', () => {
  it('know the same commands and statuses', () => {
    expect(Command.options).toEqual([...COMMANDS]);
    expectTypeOf<ProjectStatus>().toEqualTypeOf<Status>();
  });
});
