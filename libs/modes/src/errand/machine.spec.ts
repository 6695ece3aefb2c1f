import { describe, expect, it } from 'vitest';
import { initialSnapshot, machineFaults, statusOf, transition } from '#engine';
import { from } from '../walk.fixture.js';
import { errandGuards, errandMachine } from './machine.js';

const toVerifying = () =>
  from(errandMachine, 'PREPARING')
    .on('worktree:ready')
    .on('setup:done')
    .on('baseline:known')
    .on('plan:ready')
    .on('work:done');

describe('the errand', () => {
  it('is sound', () => {
    expect(machineFaults(errandMachine)).toEqual([]);
  });

  it('goes from the worktree to the commit', () => {
    const walk = toVerifying().on('verify:passed').on('change:recorded');
    expect(walk.path.join(' ')).toBe('PREPARING SETTING_UP MEASURING SCOPING WORKING VERIFYING RECORDING DONE');
    expect(walk.ended()).toBe('completed');
  });

  it('climbs the ladder of five heals if the tests fail, then asks a person, who may send it back again', () => {
    const walk = toVerifying();
    for (let attempt = 0; attempt < 5; attempt += 1) walk.on('verify:failed').on('work:done');
    expect(walk.on('verify:failed').state).toBe('UNPROVEN');
    expect(walk.decides('unproven', 'revise').state).toBe('WORKING');
    expect(walk.on('work:done').on('verify:failed').state).toBe('UNPROVEN');
    expect(walk.decides('unproven', 'revise').on('work:done').on('verify:passed').state).toBe('RECORDING');
  });

  it('climbs the whole ladder again for a revision, which raises the bound', () => {
    const walk = toVerifying();
    for (let attempt = 0; attempt < 5; attempt += 1) walk.on('verify:failed').on('work:done');
    walk.on('verify:failed').decides('unproven', 'revise').knows({ attempts: 10 }).on('work:done');
    for (let attempt = 0; attempt < 5; attempt += 1) walk.on('verify:failed').on('work:done');
    expect(walk.on('verify:failed').state).toBe('UNPROVEN');
  });

  it('asks a person when nothing is proven, and only a person', () => {
    const walk = toVerifying().on('verify:unproven');
    expect([walk.state, walk.status]).toEqual(['UNPROVEN', 'waiting']);
    expect(() => walk.on('change:accepted')).toThrow('human');
    expect(() => walk.on('change:accepted', {}, 'service')).toThrow('human');
    expect(walk.decides('unproven', 'accept').state).toBe('RECORDING');
  });

  it('is discarded by a person who rejects it', () => {
    const walk = toVerifying().on('verify:unproven').decides('unproven', 'reject');
    expect([walk.state, walk.ended()]).toEqual(['DISCARDED', 'aborted']);
  });

  it('leaves a block by the budget only when the budget was raised, and by a person', () => {
    const blocked = {
      ...initialSnapshot(errandMachine, { block: { cause: 'budget', message: 'spent' } }),
      state: 'BLOCKED',
      returnTo: 'WORKING',
    };
    const told = (type: string, by: 'human' | 'service') =>
      transition(errandMachine, blocked, { type, by }, errandGuards).kind;
    expect(statusOf(errandMachine, blocked)).toBe('blocked');
    expect(told('RETRY', 'human')).toBe('refused');
    expect(told('problem:resolved', 'human')).toBe('refused');
    expect(told('budget:raised', 'service')).toBe('refused');
    expect(told('budget:raised', 'human')).toBe('moved');
  });

  it('leaves any other block by a person’s word', () => {
    const walk = from(errandMachine, 'SETTING_UP', { 'cause-is-not-the-budget': true }).on('work:blocked');
    expect(walk.returnTo).toBe('SETTING_UP');
    expect(walk.decides('resolve-problem', 'resolve').state).toBe('SETTING_UP');
  });
});
