import { describe, expect, it } from 'vitest';
import type { AgentOutcome, AgentTask } from '#agents';
import type { HealProblem } from '#contracts';
import { problemsOf } from './coding-context.js';
import { attemptOf, fakeParts, problemOf, taskOf, verifiedAs, Visit, WORKTREE } from './coding.fixture.js';
import { healed, open } from './heal.fixture.js';
import { readBaseSettings } from './proof/base-settings.js';
import { sortChangedFiles } from './proof/changed-files.js';
import { fileOf } from './proof/proof.fixture.js';

const DENIED = 'Error: EACCES: permission denied, open /etc/shadow';
const same = (id: string): HealProblem => problemOf(id, { signature: open.signature, status: 'fixed', attempts: [attemptOf(1, { outcome: 'fixed' })] }); // prettier-ignore

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

  it('about those processes once: what nobody has asked about yet is what counts', async () => {
    const { patch } = await healed({ orphans: 5, more: { orphansSeen: 2 } });
    expect([patch['block'], patch['orphansSeen']]).toEqual([expect.objectContaining({ cause: 'breaker-orphans' }), 5]);
    await expect(healed({ orphans: 5, more: { orphansSeen: 3 } })).rejects.toMatchObject({ code: 'RUNTIME_UNKNOWN' });
  });

  it('as often as its user said', async () => {
    const order = { agents: { pin: [], forbid: [] }, tier: 'medium', runtime: 'api' };
    const more = { order: { ...order, breakers: { recurrences: 2, orphans: 1 } } };
    expect((await healed({ orphans: 1, more })).patch['block']).toMatchObject({ cause: 'breaker-orphans' });
    const { patch } = await healed({ problems: [same('P-001'), open], more });
    expect(patch['block']).toMatchObject({ cause: 'breaker-signature' });
  });

  it('not about words in the files of a check, which nobody printed', async () => {
    const trouble = {
      output: 'it is light',
      isCheck: true,
      checkFiles: `assert.throws(open, '${DENIED}');\n${DENIED}`,
    };
    await expect(healed({ more: { trouble } })).rejects.toMatchObject({ code: 'RUNTIME_UNKNOWN' });
  });

  it('not about a refusal that was in the output before the first change', async () => {
    const baseline = verifiedAs('passed', {}, DENIED);
    await expect(healed({ output: DENIED, more: { baseline } })).rejects.toMatchObject({ code: 'RUNTIME_UNKNOWN' });
  });
});

describe('SELF_HEAL after a person came back to it', () => {
  const resolved = { block: { cause: 'never-healed' }, decision: { gate: 'resolve-problem', decision: 'resolve' } };

  it('looks first whether it is mended', async () => {
    const { type, patch, data } = await healed({ output: DENIED, orphans: 9, more: resolved, left: 'as-left' });
    expect([type, data['by']]).toEqual(['problem:fixed', 'a person']);
    expect(problemsOf({ context: patch })[0]?.status).toBe('fixed');
    expect(patch).toMatchObject({ healed: { commit: 'as-left' }, problem: null, failures: 0, block: null });
  });

  it('tries again where it is not, whatever it had asked about', async () => {
    const verify = () => verifiedAs('failed', { failed: 1 }, 'not ok 1 - a');
    await expect(healed({ output: DENIED, more: resolved, verify })).rejects.toMatchObject({ code: 'RUNTIME_UNKNOWN' });
  });

  it('goes on from what they changed, and puts the next attempt back to it', async () => {
    const verify = () => verifiedAs('failed', { failed: 1 }, 'not ok 1 - a');
    const { type, patch, resets } = await healed({ more: resolved, verify, left: 'as-left', agent: () => ({}) });
    expect([type, patch['commit'], resets.at(-1)]).toEqual(['attempt:failed', 'as-left', 'as-left']);
  });

  it('tells the next attempt what they said', async () => {
    const prompts: string[] = [];
    const agent = ({ prompt }: AgentTask) => (prompts.push(prompt), {});
    const verify = () => verifiedAs('failed', { failed: 1 }, 'not ok 1 - a');
    const decision = { ...resolved.decision, feedback: 'The port is 4000 now.' };
    await healed({ more: { ...resolved, decision }, verify, agent });
    expect(prompts).toEqual([expect.stringContaining('A person says: The port is 4000 now.')]);
  });

  it('does not roll back what they changed for failures before it', async () => {
    const verify = () => verifiedAs('failed', { failed: 1 }, 'not ok 1 - a');
    const more = { ...resolved, failures: 2 };
    const { patch } = await healed({ more, verify, left: 'as-left', agent: () => ({}) });
    expect(patch).toMatchObject({ commit: 'as-left', failures: 1, leftByPerson: ['as-left'] });
    const untouched = await healed({ more, verify, agent: () => ({}) });
    expect([untouched.patch['commit'], untouched.patch['failures']]).toEqual(['base', 0]);
  });

  describe('after a rollback, where nothing fails', () => {
    const more = { ...resolved, isRolledBack: true };
    const retried = { block: { cause: 'problem' }, command: { command: 'RETRY', state: 'BLOCKED', visit: 4 }, isRolledBack: true };

    it('has it done by somebody who changed something and says that it is resolved', async () => {
      expect((await healed({ more, left: 'as-left' })).type).toBe('problem:fixed');
    });

    it('has an attempt begin with it on RETRY, which says nothing', async () => {
      const starts: string[] = [];
      const agent = (task: AgentTask) => (starts.push(task.role), {});
      await healed({ more: retried, left: 'as-left', agent, begun: 5 });
      expect(starts).toEqual(['healer']);
    });

    it('tries again where nothing was changed, whatever is said', async () => {
      await expect(healed({ more })).rejects.toMatchObject({ code: 'RUNTIME_UNKNOWN' });
    });
  }); // prettier-ignore

  describe('after an attempt that was cut short right before the block', () => {
    const cut = { ...resolved, block: { cause: 'problem' } };
    const retried = { block: { cause: 'problem' }, command: { command: 'RETRY', state: 'BLOCKED', visit: 4 } };

    it('takes nothing from it on RETRY, though it would pass', async () => {
      const { type, patch, resets } = await healed({ more: retried, begun: 5, left: 'of the agent', agent: () => ({ commit: 'now' }) });
      expect(type).toBe('problem:fixed');
      expect([patch['commit'], resets[0], patch['leftByPerson']]).toEqual(['now', 'now', ['of the agent']]);
    });

    it('takes what is there from somebody who says that it is resolved, unless nobody but a person may change that', async () => {
      const { data } = await healed({ more: cut, begun: 5, left: 'of a person' });
      expect(data['by']).toBe('a person');
      const diff = 'diff --git a/.env b/.env\n--- /dev/null\n+++ b/.env\n@@ -0,0 +1 @@\n+API_KEY=1\n';
      await expect(healed({ more: cut, begun: 5, left: 'of the agent', diff })).rejects.toMatchObject({ code: 'RUNTIME_UNKNOWN' });
    });
  }); // prettier-ignore
});

describe('a fix that nobody but a person may make', () => {
  const DROPS =
    'diff --git a/migrations/2.sql b/migrations/2.sql\n+++ b/migrations/2.sql\n@@ -0,0 +1 @@\n+DROP TABLE users;\n';

  it.each([
    ['at the end of a long change', `diff --git a/a.txt b/a.txt\n${'+a line\n'.repeat(5_000)}${DROPS}`],
    ['in a change that is too large to be looked at', '+'.repeat(100_001)],
  ])('is taken back, and asked about: %s', async (_where, diff) => {
    const { type, patch, resets } = await healed({ agent: () => ({}), diff });
    expect([type, patch['block']]).toEqual(['problem:deferred', expect.objectContaining({ cause: 'never-healed' })]);
    expect(resets.at(-1)).toBe('now');
  });
});

describe('an attempt that ends at a block', () => {
  it('leaves nothing in the files: what is there afterwards is of a person', async () => {
    const agent = () => ({ kind: 'over-budget', breaker: 'cost' }) as unknown as Partial<AgentOutcome>;
    const { type, patch, resets } = await healed({ agent });
    expect([type, resets, patch['isCutShort']]).toEqual(['work:blocked', ['now'], false]);
  });

  it('leaves what a person had left there before it', async () => {
    const agent = () => ({ kind: 'over-budget', breaker: 'cost' }) as unknown as Partial<AgentOutcome>;
    const verify = () => verifiedAs('failed', { failed: 1 }, 'not ok 1 - a');
    const more = { block: { cause: 'never-healed' }, decision: { gate: 'resolve-problem', decision: 'resolve' } };
    const { patch, resets } = await healed({ agent, verify, more, left: 'as-left' });
    expect([patch['commit'], patch['leftByPerson'], resets.at(-1)]).toEqual(['as-left', ['as-left'], 'as-left']);
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

describe('an attempt that takes back the change of its task', () => {
  it('is no fix, though all tests pass', async () => {
    const { type, patch } = await healed({ agent: () => ({}), changed: [] });
    expect(type).toBe('attempt:failed');
    expect(problemsOf({ context: patch })[0]?.attempts[0]?.why).toMatch(/^it removed the change of the task/);
  });
});

describe('an attempt that a larger tier continued', () => {
  it('is of the tier that ended it', async () => {
    const tiers: string[] = [];
    const agent = (task: AgentTask): Partial<AgentOutcome> => {
      if (task.role === 'healer') tiers.push(task.tier);
      return tiers.length < 3 ? { kind: 'failed', code: 'AGENT_TURNS_EXHAUSTED', message: 'm', said: '' } : {};
    };
    const { patch } = await healed({ agent });
    expect(tiers).toEqual(['small', 'small', 'medium']);
    expect(problemsOf({ context: patch })[0]?.attempts[0]).toMatchObject({ number: 1, tier: 'medium' });
  });
});

describe('an attempt after a rollback', () => {
  const versionFor = async (kind: 'feedback' | 'proof' | 'scenario'): Promise<string | undefined> => {
    const tasks = [taskOf('T-001', { kind, status: 'in_progress' })];
    const { asked } = await healed({ agent: () => ({}), more: { isRolledBack: true, tasks } });
    return asked[0]?.promptVersion?.replace(/@.*/, '');
  };

  it('does its task again', async () => {
    expect([await versionFor('feedback'), await versionFor('scenario')]).toEqual(['redo', 'redo']);
  });

  it('heals a proof as before: there is no task to do again, only what is missing', async () => {
    expect(await versionFor('proof')).toBe('heal');
  });
});

describe('an attempt whose conversation is too long for its model', () => {
  const tooLong = {
    kind: 'failed',
    code: 'MODEL_CONTEXT_EXCEEDED',
    message: 'too long',
    said: '',
    commit: 'now',
  } as const;

  it('climbs all tiers and then counts as failed, so that the ladder goes on', async () => {
    const verify = () => verifiedAs('failed', { failed: 1 }, 'not ok 1 - a');
    const { type, patch, asked } = await healed({ agent: () => tooLong, verify });
    expect([type, asked.map(({ tier }) => tier)]).toEqual(['attempt:failed', ['small', 'medium', 'large']]);
    expect(problemsOf({ context: patch })[0]?.attempts).toMatchObject([
      { outcome: 'failed', tried: expect.stringContaining('too long') as string },
    ]);
  });
});

describe('an attempt that rewrites the script of a verify command', () => {
  it('counts here, and the proof runs the old script', async () => {
    const before = { 'package.json': '{"scripts":{"test":"node --test"}}' };
    const after = { 'package.json': '{"scripts":{"test":"true"}}' };
    const world = { changed: ['package.json'], files: after, filesBefore: before };
    expect((await healed({ agent: () => ({}), ...world })).type).toBe('problem:fixed');
    const { parts } = fakeParts(world);
    const settings = await readBaseSettings(parts, new Visit({}).activity, WORKTREE, {
      commit: 'healed',
      baseline: verifiedAs('passed'),
      changed: sortChangedFiles({ files: [fileOf('package.json')] }),
    });
    expect(settings.map(({ path }) => path)).toEqual(['package.json']);
    expect(settings[0]?.content).toContain('"test": "node --test"');
  });
});
