import { describe, expect, it } from 'vitest';
import type { Json } from '#kernel';
import { classicMachine } from './classic/machine.js';
import { codingMachine } from './coding/machine.js';
import { from, type Walk } from './walk.fixture.js';
import { workMachine } from './work/machine.js';

const machines = [codingMachine, workMachine, classicMachine].map((machine) => [machine.name, machine] as const);

describe('qralph-coding', () => {
  it('walks from INIT to TEAM_SHUTDOWN', () => {
    const walk = from(codingMachine, 'INIT').on('project:created').on('team:composed').on('reviews:synthesised');
    walk.on('plan:drafted').on('plan:ready').on('task:finished').on('work:verified').on('uat:passed');
    walk.on('project:finalised');
    expect(walk.path.join(' ')).toBe(
      'INIT DISCOVERING REVIEWING SCOPING SCOPING EXECUTING EXECUTING UAT COMPLETE TEAM_SHUTDOWN',
    );
    expect([walk.status, walk.ended()]).toEqual(['running', 'completed']);
  });

  it('in the planning variant goes from the plan to COMPLETE', () => {
    const walk = from(codingMachine, 'REVIEWING', { 'is-planning-variant': true });
    walk.on('reviews:synthesised').on('plan:ready');
    expect(walk.path).toEqual(['REVIEWING', 'SCOPING', 'COMPLETE']);
  });
});

describe.each(machines)('the gates of %s before EXECUTING and COMPLETE', (_name, machine) => {
  const execute = { 'execute-gate-is-on': true };
  const complete = { 'complete-gate-is-on': true, 'is-escalated': true };
  const planned = (context: Record<string, Json>): Walk =>
    from(machine, 'REVIEWING', context).on('reviews:synthesised').on('plan:ready');

  it('are passed by where nobody wanted them', () => {
    expect(planned({}).state).toBe('EXECUTING');
    expect(from(machine, 'UAT').on('uat:passed').state).toBe('COMPLETE');
  });

  it('let the work begin when a person approves, and end it when one rejects', () => {
    expect(planned(execute).status).toBe('waiting');
    expect(planned(execute).decides('execute', 'approve').state).toBe('EXECUTING');
    const rejected = planned(execute).decides('execute', 'reject');
    expect([rejected.state, rejected.ended()]).toEqual(['TEAM_SHUTDOWN', 'aborted']);
  });

  it('do not ask before EXECUTING again where acceptance or healing sends it back', () => {
    const walk = planned({ ...execute, ...complete }).decides('execute', 'approve');
    walk.on('decision:heeded').on('problem:found', { problem: 'p' }).on('problem:fixed').on('work:verified');
    walk.on('uat:failed').on('work:verified').on('uat:passed');
    expect(walk.path.filter((state) => state === 'BEFORE_EXECUTING')).toHaveLength(1);
    expect(walk.state).toBe('BEFORE_COMPLETE');
  });

  it('complete the project when a person approves, and not before', () => {
    const asked = from(machine, 'UAT', complete).on('uat:passed');
    expect([asked.state, asked.status, asked.isComplete]).toEqual(['BEFORE_COMPLETE', 'waiting', false]);
    const approved = asked.decides('complete', 'approve');
    expect([approved.state, approved.isComplete]).toEqual(['COMPLETE', true]);
  });

  it('send it back as often as a person wants, and each time ask again', () => {
    const walk = from(machine, 'UAT', complete).on('uat:passed');
    for (let round = 0; round < 10; round += 1) {
      walk.decides('complete', 'revise').on('decision:heeded').on('task:finished').on('work:verified').on('uat:passed');
    }
    expect([walk.state, walk.status]).toEqual(['BEFORE_COMPLETE', 'waiting']);
    const rejected = walk.decides('complete', 'reject');
    expect([rejected.state, rejected.ended(), rejected.isComplete]).toEqual(['TEAM_SHUTDOWN', 'aborted', false]);
  });

  it('stand in the way of what goes on after a block too', () => {
    const left = from(machine, 'EXECUTING', { ...execute, ...complete, 'work-awaits-acceptance': true });
    left.on('work:blocked').decides('resolve-problem', 'proceed').on('uat:passed');
    expect(left.state).toBe('BEFORE_COMPLETE');
    const lost = from(machine, 'REVIEWING', { ...execute, 'reviews-remain': true }).on('critical-reviewer:lost');
    lost.decides('resolve-problem', 'defer').on('item:deferred').on('reviews:synthesised').on('plan:ready');
    expect(lost.path).toEqual(['REVIEWING', 'BLOCKED', 'FUTURE_REQ', 'REVIEWING', 'SCOPING', 'BEFORE_EXECUTING']);
  });
});

describe.each(machines)('scoping in %s', (_name, machine) => {
  it('comes between the reviews and the work, and cannot draft for ever', () => {
    const walk = from(machine, 'REVIEWING').on('reviews:synthesised');
    expect(walk.state).toBe('SCOPING');
    for (let n = 0; walk.state === 'SCOPING' && n < 100; n += 1) walk.on('plan:drafted');
    expect([walk.state, walk.returnTo]).toEqual(['BLOCKED', 'SCOPING']);
  });
});

describe('the planning variant', () => {
  const planning = { 'is-planning-variant': true, 'delivery-gate-is-on': true };
  const asked = (): Walk => from(codingMachine, 'REVIEWING', planning).on('reviews:synthesised').on('plan:ready');

  it('asks before COMPLETE where a gate is wanted, with nothing to revise', () => {
    expect([asked().state, asked().status]).toEqual(['BEFORE_DELIVERY', 'waiting']);
    expect(asked().decides('complete', 'approve').state).toBe('COMPLETE');
    expect(() => asked().decides('complete', 'revise')).toThrow('no option revise');
    expect(asked().decides('complete', 'reject').ended()).toBe('aborted');
  });
});

describe.each(machines)('healing in %s', (_name, machine) => {
  const heal = (problem: string): Walk => from(machine, 'EXECUTING').on('problem:found', { problem });

  it('makes five attempts at a problem, then blocks', () => {
    const walk = heal('p1');
    let attempts = 0;
    for (; walk.state === 'SELF_HEAL'; attempts += 1) walk.on('attempt:failed', { problem: 'p1' });
    expect([attempts, walk.state, walk.returnTo]).toEqual([5, 'BLOCKED', 'SELF_HEAL']);
  });

  it('counts on when the problem comes back, and apart for another one', () => {
    const walk = heal('p1');
    for (let round = 0; round < 4; round += 1) walk.on('problem:fixed').on('problem:found', { problem: 'p1' });
    expect(walk.state).toBe('SELF_HEAL');
    walk.on('problem:fixed').on('problem:found', { problem: 'p2' });
    expect(walk.state).toBe('SELF_HEAL');
    walk.on('problem:fixed').on('problem:found', { problem: 'p1' });
    expect(walk.state).toBe('BLOCKED');
  });

  it('counts a skipped attempt, and one that was cut short by RETRY', () => {
    const walk = heal('p1').knows({ problem: 'p1' }).on('SKIP').on('RETRY').on('SKIP').on('RETRY');
    expect(walk.state).toBe('SELF_HEAL');
    expect(walk.on('attempt:failed', { problem: 'p1' }).state).toBe('BLOCKED');
  });

  it('takes the number of attempts from the project where it has one', () => {
    const walk = from(machine, 'EXECUTING', { healAttempts: 1 }).on('problem:found', { problem: 'p1' });
    expect(walk.on('attempt:failed', { problem: 'p1' }).state).toBe('BLOCKED');
  });

  it('cannot run for ever on ever new problems', () => {
    const walk = from(machine, 'EXECUTING');
    for (let n = 0; walk.state === 'EXECUTING'; n += 1) {
      walk.on('problem:found', { problem: `p${String(n)}` }).on('problem:fixed');
    }
    expect(walk.state).toBe('BLOCKED');
  });
});

describe.each(machines)('a block in %s', (_name, machine) => {
  const blocked = (state: string, context: Record<string, Json> = {}): Walk =>
    from(machine, state, context).on('work:blocked');
  const budget = { 'cause-is-the-budget': true };
  const other = { 'cause-is-not-the-budget': true };

  it.each(['REVIEWING', 'SCOPING', 'EXECUTING', 'SELF_HEAL', 'UAT'])(
    'returns to %s when a person resolves it or retries',
    (state) => {
      expect(blocked(state, other).status).toBe('blocked');
      expect(blocked(state, other).decides('resolve-problem', 'resolve').state).toBe(state);
      expect(blocked(state, other).on('RETRY', {}, 'human').state).toBe(state);
      expect(() => blocked(state, other).on('RETRY', {}, 'service')).toThrow('needs a human principal');
    },
  );

  it('by the budget is left by raising the cap', () => {
    expect(() => blocked('EXECUTING', budget).decides('resolve-problem', 'resolve')).toThrow('leads nowhere');
    expect(blocked('EXECUTING', budget).allows()).not.toContain('RETRY');
    expect(() => blocked('EXECUTING', budget).on('budget:raised', {}, 'service')).toThrow('needs a human principal');
    expect(blocked('EXECUTING', budget).on('budget:raised', {}, 'human').state).toBe('EXECUTING');
  });

  it('goes on with the rest only where there is something to accept', () => {
    const something = { 'work-awaits-acceptance': true };
    expect(blocked('EXECUTING', something).decides('resolve-problem', 'proceed').state).toBe('UAT');
    expect(() => blocked('REVIEWING').decides('resolve-problem', 'proceed')).toThrow('leads nowhere');
  });

  it.each([
    ['reviews-remain', 'REVIEWING'],
    ['more-work-remains', 'EXECUTING'],
    ['work-awaits-acceptance', 'UAT'],
    ['is-complete', 'TEAM_SHUTDOWN'],
  ])('deferred while %s passes on to %s', (guard, next) => {
    const walk = blocked('EXECUTING', { [guard]: true })
      .decides('resolve-problem', 'defer')
      .on('item:deferred');
    expect([walk.state, walk.ended()]).toEqual([next, next === 'TEAM_SHUTDOWN' ? 'completed' : 'running']);
  });

  it('deferred with nothing done and nothing left does not count as completed', () => {
    const walk = blocked('EXECUTING').decides('resolve-problem', 'defer').on('item:deferred');
    expect([walk.state, walk.ended()]).toEqual(['TEAM_SHUTDOWN', 'aborted']);
  });
});

describe.each(machines)('acceptance in %s', (_name, machine) => {
  it('sends failed scenarios back for two rounds, then blocks', () => {
    const walk = from(machine, 'UAT', { 'is-escalated': true });
    walk.on('uat:failed').on('work:verified').on('uat:failed').on('work:verified').on('uat:failed');
    expect(walk.path).toEqual(['UAT', 'EXECUTING', 'UAT', 'EXECUTING', 'UAT', 'BLOCKED']);
    expect(walk.returnTo).toBe('UAT');
  });

  it('tries scenarios one a visit, and cannot go on trying for ever', () => {
    const walk = from(machine, 'UAT');
    for (let n = 0; walk.state === 'UAT' && n < 10_000; n += 1) walk.on('uat:continues');
    expect([walk.state, walk.returnTo, walk.status]).toEqual(['BLOCKED', 'UAT', 'blocked']);
    expect(walk.path.length).toBe(202);
  });

  it('counts trials over all rounds: going back to work does not begin anew', () => {
    const walk = from(machine, 'UAT', { uatRounds: 1_000, 'is-escalated': true });
    for (let n = 0; walk.state === 'UAT' && n < 10_000; n += 1) {
      walk.on('uat:continues');
      if (walk.state === 'UAT') walk.on('uat:failed').on('work:verified');
    }
    expect(walk.state).toBe('BLOCKED');
    expect(walk.path.filter((state) => state === 'EXECUTING')).toHaveLength(200);
  });
});

describe('qralph-classic', () => {
  it('clarifies, plans and asks before it reviews', () => {
    const walk = from(classicMachine, 'INIT').on('project:created').decides('clarify', 'answer').on('plan:ready');
    expect(walk.decides('plan', 'approve').path).toEqual([
      'INIT',
      'CLARIFYING',
      'PLANNING',
      'USER_REVIEW',
      'REVIEWING',
    ]);
  });

  it('takes the safe defaults after ten minutes, or when a person skips', () => {
    expect(classicMachine.states['CLARIFYING']?.timer).toMatchObject({ ms: 600_000, parameter: 'clarifyTimeoutMs' });
    expect(from(classicMachine, 'CLARIFYING').on('answers:overdue').state).toBe('PLANNING');
    expect(from(classicMachine, 'CLARIFYING').on('SKIP', {}, 'human').state).toBe('PLANNING');
  });

  it('does not wait for answers to no questions', () => {
    expect(from(classicMachine, 'INIT', { 'nothing-to-clarify': true }).on('project:created').state).toBe('PLANNING');
  });

  it('passes the plan gate only where a person switched it off', () => {
    expect(from(classicMachine, 'PLANNING', { 'plan-gate-is-off': true }).on('plan:ready').state).toBe('REVIEWING');
    expect(from(classicMachine, 'PLANNING').on('plan:ready').status).toBe('waiting');
  });
});
