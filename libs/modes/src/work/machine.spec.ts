import { describe, expect, it } from 'vitest';
import type { Json } from '#kernel';
import { from, type Walk } from '../walk.fixture.js';
import { workMachine } from './machine.js';

describe('qralph-work', () => {
  it('plans, asks, executes and completes without acceptance scenarios', () => {
    const walk = from(workMachine, 'INIT').on('project:created').on('team:composed').on('plan:ready');
    expect(walk.status).toBe('waiting');
    walk.decides('plan', 'revise').on('plan:ready').decides('plan', 'approve').on('feedback:wanted');
    walk.decides('plan', 'approve').on('work:verified').on('project:finalised');
    expect(walk.path.slice(2).join(' ')).toBe(
      'PLANNING USER_REVIEW PLANNING USER_REVIEW EXECUTING USER_REVIEW EXECUTING COMPLETE TEAM_SHUTDOWN',
    );
  });

  it('scopes an approved plan before its first step, and one that was revised again', () => {
    const walk = from(workMachine, 'USER_REVIEW', { 'needs-scoping': true, 'is-small-team': true });
    walk.decides('plan', 'approve').on('decision:heeded').on('plan:drafted').on('plan:ready');
    walk.knows({ 'needs-scoping': false }).on('feedback:wanted').decides('plan', 'approve').on('decision:heeded');
    walk.on('feedback:wanted').decides('plan', 'revise').on('plan:ready').decides('plan', 'approve');
    walk.knows({ 'needs-scoping': true }).on('decision:heeded').on('plan:ready').on('work:verified');
    expect(walk.path.join(' ')).toBe(
      'USER_REVIEW EXECUTING SCOPING SCOPING EXECUTING USER_REVIEW EXECUTING EXECUTING USER_REVIEW PLANNING USER_REVIEW EXECUTING SCOPING EXECUTING COMPLETE',
    );
  });

  it('does not ask before EXECUTING if a person has approved the plan, unless it escalated', () => {
    const scoped = (context: Record<string, Json>): Walk =>
      from(workMachine, 'SCOPING', { ...context, 'execute-gate-is-on': true }).on('plan:ready');
    expect(scoped({ 'is-small-team': true }).state).toBe('EXECUTING');
    expect(scoped({}).state).toBe('BEFORE_EXECUTING');
  });

  it('ends as aborted when the plan is rejected', () => {
    const walk = from(workMachine, 'USER_REVIEW').decides('plan', 'reject');
    expect([walk.state, walk.ended()]).toEqual(['TEAM_SHUTDOWN', 'aborted']);
  });

  it.each([
    ['DISCOVERING', 'team:composed'],
    ['PLANNING', 'plan:ready'],
    ['EXECUTING', 'task:finished'],
    ['EXECUTING', 'problem:found'],
    ['EXECUTING', 'work:verified'],
    ['SELF_HEAL', 'attempt:failed'],
  ])('really asks in %s on %s whether it has outgrown its mode', (state, event) => {
    const walk = from(workMachine, state, { 'outgrew-work-mode': true }).on(event).on('team:composed');
    expect(walk.path).toEqual([state, 'ESCALATE', 'REVIEWING']);
  });

  it.each(['SKIP', 'RETRY'])('asks the same where a person ends an attempt by %s', (command) => {
    const walk = from(workMachine, 'SELF_HEAL', { 'outgrew-with-this-attempt': true }).on(command, {}, 'human');
    expect(walk.state).toBe('ESCALATE');
    expect(from(workMachine, 'SELF_HEAL').on(command, {}, 'human').state).toBe('SELF_HEAL');
  });

  it.each(['PLANNING', 'USER_REVIEW', 'SCOPING', 'EXECUTING'])('escalates from %s by command, once', (state) => {
    const walk = from(workMachine, state).on('ESCALATE', {}, 'human').on('team:composed');
    walk.on('reviews:synthesised').on('plan:ready');
    expect(walk.path).toEqual([state, 'ESCALATE', 'REVIEWING', 'SCOPING', 'EXECUTING']);
    expect(walk.allows()).not.toContain('ESCALATE');
    expect(walk.knows({ 'outgrew-work-mode': true, 'is-escalated': true }).on('work:verified').state).toBe('UAT');
  });
});
