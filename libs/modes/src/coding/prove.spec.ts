import { describe, expect, it } from 'vitest';
import { eventOf, fakeParts, findingWith, taskOf, verifiedAs, Visit, WORKTREE } from './coding.fixture.js';
import { provenOrAsk } from './prove.js';

const known = { commit: 'now', verifiedAt: 'now', verification: verifiedAs('passed'), tasks: [taskOf('T-001', { status: 'completed', commit: 'now' })] }; // prettier-ignore
const left = (decision: string, cause = 'unproven'): object => ({
  block: { cause },
  decision: { gate: 'resolve-problem', decision },
});

async function proven(more: object = {}, verify = () => verifiedAs('passed'), left?: string) {
  const world = fakeParts({ verify, ...(left !== undefined && { left }) });
  const { activity } = new Visit({ ...known, ...more });
  const report = await provenOrAsk(world.parts, activity, WORKTREE, verifiedAs('passed'));
  return { ...eventOf(report), runs: world.cleanRuns.length };
}

describe('the end of EXECUTING', () => {
  it('takes the verification of the very commit that it is at', async () => {
    const { type, patch, runs } = await proven();
    expect([type, patch['isProven'], patch['doubt'], runs]).toEqual(['work:verified', true, null, 0]);
  });

  it('verifies again where the commit is another, or nobody has', async () => {
    expect((await proven({ verifiedAt: 'older' })).runs).toBe(1);
    expect((await proven({ verifiedAt: undefined, verification: undefined })).runs).toBe(1);
  });

  it('is no proof where something urgent was left unchanged, unless it does not hold or a person put it off', async () => {
    const done = taskOf('T-001', { status: 'completed', commit: 'now' });
    const task = taskOf('T-002', { kind: 'finding', status: 'deferred', finding: 'F-001' });
    const doubt = async (priority: 'P0' | 'P1', cause: string) => {
      const deferred = [{ title: 'A hole', cause, reason: '', problem: null, task: 'T-002' }];
      const findings = [findingWith('F-001', { priority, title: 'A hole' })];
      return (await proven({ tasks: [done, task], findings, deferred })).patch['doubt'];
    };
    expect(await doubt('P0', 'unchanged')).toBe('urgent, and nothing was changed for it: F-001 A hole');
    expect(await doubt('P1', 'unchanged')).toBeNull();
    expect(await doubt('P0', 'skipped')).toBeNull();
  });

  it('verifies again where a person comes back from a block', async () => {
    expect((await proven(left('resolve'))).runs).toBe(1);
    expect((await proven(left('RETRY'))).runs).toBe(1);
    expect((await proven(left('resolve', 'problem'))).runs).toBe(1);
  });

  it('is no proof without tests, without a change, or with failing tests: a person is asked', async () => {
    const cases = [
      await proven({ verification: verifiedAs('unproven', null) }),
      await proven({ tasks: [taskOf('T-001', { status: 'completed' })] }),
      await proven({ verification: verifiedAs('failed', { failed: 1 }) }),
      await proven({ verification: verifiedAs('passed', { passed: 2 }) }),
    ];
    for (const { type, patch } of cases) {
      expect([type, patch['isProven'], patch['block']]).toEqual([
        'work:blocked',
        false,
        expect.objectContaining({ cause: 'unproven' }),
      ]);
    }
    expect(cases.map(({ patch }) => patch['doubt'])).toEqual([
      'it unproven',
      'nothing was changed',
      expect.stringContaining('the tests fail'),
      'fewer tests ran than before the change: 2 instead of 3',
    ]);
  });

  it('goes on unproven with the consent of a person, and calls it that', async () => {
    const { type, patch, data } = await proven(left('resolve'), () => verifiedAs('unproven', null));
    expect([type, patch['isProven'], data['consent']]).toEqual(['work:verified', false, true]);
    expect(patch['doubt']).toBe('it unproven');
  });

  it('takes RETRY for another look and not for consent, nor consent to anything else', async () => {
    const nothing = () => verifiedAs('unproven', null);
    expect((await proven(left('RETRY'), nothing)).type).toBe('work:blocked');
    expect((await proven({ ...left('resolve', 'problem'), verifiedAt: 'older' }, nothing)).type).toBe('work:blocked');
  });

  it('commits what a person changed at the block, and judges that', async () => {
    const own = 'commit of Changed by a person while the project waited';
    const { type, patch } = await proven({ ...left('RETRY'), tasks: [] }, undefined, 'as-left');
    expect([type, patch['isProven']]).toEqual(['work:verified', true]);
    expect(patch).toMatchObject({ commit: own, verifiedAt: own, good: { commit: own }, needsProof: false });
    const worse = await proven(left('RETRY'), () => verifiedAs('failed', { failed: 1 }), 'as-left');
    expect([worse.type, worse.patch['commit'], worse.patch['isProven']]).toEqual(['work:blocked', own, false]);
  });

  it('is proven after all where tests came to be while it was blocked', async () => {
    const { type, patch } = await proven({ ...left('RETRY'), isProven: false });
    expect([type, patch['isProven']]).toEqual(['work:verified', true]);
  });
});
