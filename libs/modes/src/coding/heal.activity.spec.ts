import { describe, expect, it } from 'vitest';
import type { HealProblem } from '#contracts';
import { problemsOf } from './coding-context.js';
import { attemptOf, eventOf, fakeParts, problemOf, taskOf, verifiedAs, Visit } from './coding.fixture.js';
import { heal } from './heal.activity.js';

const DENIED = 'Error: EACCES: permission denied, open /etc/shadow';
const open = problemOf('P-003');
const same = (id: string): HealProblem => problemOf(id, { signature: open.signature, status: 'fixed', attempts: [attemptOf(1, { outcome: 'fixed' })] }); // prettier-ignore

interface World {
  readonly problems?: readonly HealProblem[];
  readonly output?: string;
  readonly orphans?: number;
  /** Attempts that the engine has counted. */
  readonly begun?: number;
  readonly more?: object;
  readonly verify?: () => ReturnType<typeof verifiedAs>;
}

async function healed({ problems = [open], output = 'boom', orphans = 0, begun = 1, more = {}, verify }: World) {
  const context = {
    problems,
    problem: 'P-003',
    trouble: { output },
    tasks: [taskOf('T-001', { status: 'in_progress' })],
    ...more,
  };
  const visit = new Visit(
    { baseline: verifiedAs('passed'), commit: 'now', ...context },
    { state: 'SELF_HEAL', counters: { 'heal-attempts/P-003': begun } },
  );
  const world = fakeParts({ orphans, ...(verify && { verify }) });
  return { ...eventOf(await heal(world.parts)(visit.activity)), ...world, visit };
}

describe('SELF_HEAL asks a person', () => {
  it('about what is never healed, before it looks at any breaker', async () => {
    const { type, patch, visit } = await healed({
      output: DENIED,
      problems: [same('P-001'), same('P-002'), open],
      orphans: 9,
    });
    expect([type, patch['block']]).toEqual(['problem:deferred', expect.objectContaining({ cause: 'never-healed' })]);
    expect(visit.steps).not.toContain('orphans');
  });

  it('about an error that has come back too often, before it counts processes', async () => {
    const { type, patch } = await healed({ problems: [same('P-001'), same('P-002'), open], orphans: 9 });
    expect([type, patch['block']]).toEqual([
      'problem:deferred',
      expect.objectContaining({ cause: 'breaker-signature' }),
    ]);
  });

  it('about processes that nobody ended', async () => {
    const { patch, resets } = await healed({ orphans: 3 });
    expect(patch['block']).toMatchObject({ cause: 'breaker-orphans' });
    expect([problemsOf({ context: patch })[0]?.status, resets]).toEqual(['open', []]);
  });

  it('not about a refusal that was in the output before the first change', async () => {
    const baseline = verifiedAs('passed', {}, DENIED);
    await expect(healed({ output: DENIED, more: { baseline } })).rejects.toMatchObject({ code: 'RUNTIME_UNKNOWN' });
  });
});

describe('SELF_HEAL after a person came back to it', () => {
  const resolved = { block: { cause: 'never-healed' }, decision: { gate: 'resolve-problem', decision: 'resolve' } };

  it('looks first whether it is mended', async () => {
    const { type, patch, data } = await healed({ output: DENIED, orphans: 9, more: resolved });
    expect([type, data['by']]).toEqual(['problem:fixed', 'a person']);
    expect(problemsOf({ context: patch })[0]?.status).toBe('fixed');
    expect(patch).toMatchObject({ healed: { commit: 'as-left' }, problem: null, failures: 0, block: null });
  });

  it('tries again where it is not, whatever it had asked about', async () => {
    const verify = () => verifiedAs('failed', { failed: 1 }, 'not ok 1 - a');
    await expect(healed({ output: DENIED, more: resolved, verify })).rejects.toMatchObject({ code: 'RUNTIME_UNKNOWN' });
  });
});

describe('SELF_HEAL', () => {
  it('has nothing to do without an open problem', async () => {
    const { type, patch } = await healed({ problems: [same('P-003')] });
    expect([type, patch['problem']]).toEqual(['problem:fixed', null]);
  });

  it.each([
    ['SKIP', 'a person skipped it'],
    ['RETRY', 'a person asked for the next attempt'],
  ])('counts an attempt that %s cut short, and puts the files back', async (command, why) => {
    const more = { command: { command, state: 'SELF_HEAL', visit: 4 } };
    const { patch, resets } = await healed({ orphans: 3, begun: 2, more });
    expect(problemsOf({ context: patch })[0]?.attempts).toEqual([
      expect.objectContaining({ outcome: 'skipped', why, number: 1 }),
    ]);
    expect(resets).toEqual(['now']);
  });
});
