import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type {
  ArtifactContent,
  Finding,
  HealAttempt,
  HealPattern,
  HealProblem,
  MemoryEntry,
  ProjectTask,
} from '#contracts';
import { did, inTurn, planned, reviewed, RIGHT, runs, type Says, writes } from './coding-team.js';
import { ErrandWorld } from './errand-world.js';
import { breaks, byConversation, type HealCase, HealCases, heals, healsWrongly } from './heal-cases.js';

let world: ErrandWorld;
let cases: HealCases;
beforeAll(async () => {
  world = await ErrandWorld.open();
  cases = new HealCases(world);
});
afterAll(() => world.close());

const SMALL = 'claude-haiku-5-5';
const MEDIUM = 'claude-sonnet-5-5';
const LARGE = 'claude-opus-5-5';
const LADDER = [SMALL, SMALL, MEDIUM, MEDIUM, LARGE];
const COLOURS = ['red', 'green', 'blue', 'white'];

/** Fails so often, then it is right. */
const healsAt = (attempt: number): Says => byConversation(...COLOURS.slice(0, attempt - 1).map(healsWrongly), heals);

/** The model that the provider was asked for, that the ledger has, and that the problem shows: one and the same. */
async function modelsOf(one: HealCase, { attempts }: HealProblem): Promise<(string | null)[]> {
  const shown = attempts.map(({ model }) => model);
  expect(one.heals().map(({ call }) => call.model)).toEqual(shown);
  const calls = await one.ledger();
  const begun = calls.filter(({ attempt }, nth) => attempt !== calls[nth - 1]?.attempt);
  expect(begun.map(({ model }) => model)).toEqual(shown);
  return shown;
}

/** Each attempt shows what it changed, what the verify commands said of it, what it cost and why it was none. */
function expectKept(attempts: readonly HealAttempt[]): void {
  for (const [nth, { diff, output, costUsd, why, tried, outcome, rolledBack }] of attempts.entries()) {
    const isLast = nth === attempts.length - 1;
    expect([outcome, why]).toEqual(isLast ? ['fixed', null] : ['failed', 'still failing: light becomes dark']);
    expect(diff).toContain(isLast ? "'dark' : 'light'" : `"${COLOURS[nth] ?? ''}"`);
    expect(output).toMatch(isLast ? /pass 2[^]*fail 0/ : /fail 1/);
    expect(Number(costUsd)).toBeGreaterThan(0);
    expect(tried).toContain(isLast ? 'the other theme' : COLOURS[nth]);
    expect(rolledBack).toBe(nth === 2 && !isLast);
  }
}

describe.concurrent('a problem in coding mode', () => {
  it.each([1, 3])('is mended at attempt %i by the model that the ladder has for it', async (last) => {
    const one = await cases.start({ execute: breaks, heal: healsAt(last) });
    await one.completed();
    const [problem, ...others] = await one.problems();
    expect([others, problem?.status, problem?.title]).toEqual([[], 'fixed', 'light becomes dark']);
    expect(await modelsOf(one, problem!)).toEqual(LADDER.slice(0, last));
    expectKept(problem?.attempts ?? []);
    expect(await one.onBranch('theme.mjs')).toEqual([RIGHT.trimEnd()]);
  });

  it('goes back to the last good tree at the third failure in a row, and its attempts go on counting', async () => {
    const looks: Says = (asked) =>
      asked.call.turn === 0
        ? runs('ls')
        : healsWrongly('white')({ ...asked, call: { ...asked.call, turn: asked.call.turn - 1 } });
    const broken = inTurn(writes({ 'greeting.mjs': 'export const greeting = () => "moo";\n' }), did('greeting'));
    const one = await cases.start((mark) => ({
      review: () => reviewed([{ priority: 'P1', title: `There is no toggle, ${mark}`, file: 'theme.mjs' }]),
      execute: (asked) => (asked.prompt.includes('Priority P1.') ? breaks : broken)(asked),
      heal: byConversation(...['red', 'green', 'blue'].map(healsWrongly), looks, heals, restoresGreeting),
    }));
    await one.completed();
    const [first, second] = await one.problems();
    expect(await modelsOf(one, { ...first!, attempts: [...first!.attempts, ...second!.attempts] })).toEqual([
      ...LADDER,
      SMALL,
    ]);
    expectKept(first?.attempts ?? []);
    const [told, ...more] = await one.events('heal.rolled-back');
    const { workspace } = await one.api.project(one.id);
    expect([told, more]).toEqual([
      { problem: 'P-001', commit: workspace?.baseCommit, checkpoint: expect.any(Number) as number },
      [],
    ]);
    const checkpoints = await one.api.checkpoints(one.id);
    const inHealing = checkpoints.filter(({ state }) => state === 'SELF_HEAL').map(({ seq }) => seq);
    expect(inHealing.length).toBeGreaterThanOrEqual(5);
    expect(Math.min(...inHealing)).toBeGreaterThan(told?.['checkpoint'] as number);
    expect((await one.states()).join(' ')).toContain(`EXECUTING ${'SELF_HEAL '.repeat(5)}EXECUTING`);

    const fourth = one
      .asked()
      .filter(({ role, prompt }) => role === 'healer' && prompt.includes('Attempt 3') && !prompt.includes('Attempt 4'));
    expect(fourth[0]?.prompt).toContain('Three attempts in a row failed, so the change of this task was taken back');
    expect(fourth[1]?.prompt).toContain('greeting.test.mjs\\n');
    expect(fourth[1]?.prompt).not.toContain('theme.test.mjs\\n');
    expect(one.heals().at(-1)?.prompt).not.toContain('so the change of this task was taken back');
  });

  it('blocks after five attempts; a person sends it back, and the sixth mends it', async () => {
    const one = await cases.start({
      execute: breaks,
      heal: byConversation(...[...COLOURS, 'black'].map(healsWrongly), heals),
    });
    const { cause, why } = await one.blocked();
    expect(cause).toBe('problem');
    expect(why).toMatch(/^The test "light becomes dark" still fails after 5 attempts\./);
    expect((await one.problems())[0]?.attempts).toHaveLength(5);
    const robot = await keyOf('service');
    expect(
      await one.api.with(robot).refusal('POST', `/v1/projects/${one.id}/commands`, { command: 'RETRY' }),
    ).toMatchObject({ code: 'HUMAN_REQUIRED' });
    await one.api.command(one.id, 'RETRY');
    await one.completed();
    const [problem] = await one.problems();
    expect(problem?.attempts.at(-1)).toMatchObject({ number: 6, outcome: 'fixed', tier: 'large', model: LARGE });
    expect((await one.states()).join(' ')).toContain('BLOCKED SELF_HEAL EXECUTING');
  });

  it('that a person mended is fixed without another call of a model', async () => {
    const one = await cases.start({ execute: breaks, heal: healsWrongly('red') }, { parameters: { healAttempts: 1 } });
    await one.blocked();
    await writeFile(join(world.dataDir, 'worktrees', one.id, 'theme.mjs'), RIGHT);
    const calls = one.heals().length;
    await one.decide('resolve');
    await one.completed();
    expect(one.heals()).toHaveLength(calls);
    expect((await one.problems())[0]).toMatchObject({ status: 'fixed', attempts: [{ outcome: 'failed' }] });
    expect(await one.onBranch('theme.mjs')).toEqual([RIGHT.trimEnd()]);
  });

  it('can be put off: the rest is carried out and accepted, and DEFERRED.md says what was tried', async () => {
    const one = await cases.start(
      (mark) => ({
        review: () => reviewed([{ priority: 'P1', title: `There is no toggle, ${mark}`, file: 'theme.mjs' }]),
        execute: (asked) => (asked.prompt.includes('Priority P1.') ? breaks : heals)(asked),
        heal: byConversation(...COLOURS.map(healsWrongly)),
      }),
      { parameters: { healAttempts: 2 } },
    );
    await one.blocked();
    await one.decide('defer');
    await one.completed();
    expect(await one.states()).toEqual(
      expect.arrayContaining(['BLOCKED', 'FUTURE_REQ', 'EXECUTING', 'UAT', 'COMPLETE']),
    );
    const { content } = await one.read<ArtifactContent>('artifacts/DEFERRED.md');
    expect(content).toContain('## DEFER-001: light becomes dark');
    expect(content).toMatch(
      /- attempt 1, claude-haiku-5-5: toggle gives red — failed: still failing[^]*- attempt 2, claude-haiku-5-5: toggle gives green/,
    );
    expect(content).toMatch(/### Last error[^]* {4}.*light becomes dark/);
    // What the last attempt came to, not what was found first.
    expect(content).toMatch(/### Last error[^]*'green'/);
    const [problem] = await one.problems();
    expect(problem).toMatchObject({
      status: 'deferred',
      reason: expect.stringContaining('after 2 attempts') as string,
    });
    const { data: findings } = await one.read<{ data: Finding[] }>('findings');
    expect(findings[0]?.outcome).toMatchObject({ kind: 'deferred', commit: null });
    expect(await workOf(one)).toEqual(['finding deferred', 'request completed']);
  });

  it('can be left behind: a person goes on with what is done', async () => {
    const tested = inTurn(
      writes({ 'note.test.mjs': "import { test } from 'node:test';\n\ntest('a note', () => undefined);\n" }),
      did('a note'),
    );
    const one = await cases.start(
      (mark) => ({
        review: () => reviewed([{ priority: 'P1', title: `There is no note, ${mark}`, file: 'greeting.mjs' }]),
        execute: (asked) => (asked.prompt.includes('Priority P1.') ? tested : breaks)(asked),
        heal: healsWrongly('red'),
        plan: () => planned({ title: 'there is a note', command: 'node --test note.test.mjs' }),
      }),
      { parameters: { healAttempts: 1 } },
    );
    await one.blocked();
    await one.decide('proceed');
    await one.completed();
    expect(await workOf(one)).toEqual(['finding completed', 'request deferred']);
    expect((await one.states()).join(' ')).toMatch(/BLOCKED UAT/);
    await expect(one.onBranch('theme.mjs')).rejects.toThrow('theme.mjs');
    const { content } = await one.read<ArtifactContent>('artifacts/DEFERRED.md');
    expect(content).toContain('toggle gives red');
  });

  it('that another project on the repository has mended is mended at once, by the small model, with its pattern', async () => {
    const first = await cases.start({ execute: breaks, heal: healsAt(2) });
    await first.completed();
    const second = await cases.start({ execute: breaks, heal: heals }, { repo: first.repo });
    await second.completed();
    const [[known], [problem]] = [await first.problems(), await second.problems()];
    expect(problem).toMatchObject({ status: 'fixed', signature: known?.signature });
    expect(problem?.attempts).toMatchObject([
      { number: 1, tier: 'small', model: SMALL, usedPattern: true, outcome: 'fixed' },
    ]);
    const { data: patterns } = await second.api.must<{ data: HealPattern[] }>(
      'GET',
      `/v1/patterns?repo=${encodeURIComponent(first.repo)}`,
    );
    expect(patterns).toMatchObject([{ signature: known?.signature, successes: 2, failures: 0, tier: 'small' }]);
    expect(patterns[0]?.diff).toContain("'dark' : 'light'");
    expect(await first.events('heal.pattern-found')).toEqual([]);
    expect(await second.events('heal.pattern-found')).toEqual([
      { problem: 'P-001', signature: known?.signature, pattern: patterns[0]?.id },
    ]);
    const [asked] = second.heals();
    expect(asked?.prompt).toMatch(/A fix that worked before[^]*'dark' : 'light'/);
    expect(asked?.prompt).toMatch(/Do not repeat[^]*toggle gives red/);
    const { data: memory } = await second.api.must<{ data: MemoryEntry[] }>(
      'GET',
      `/v1/memory?repo=${encodeURIComponent(first.repo)}&limit=50`,
    );
    const learnt = memory.map(({ kind }) => kind).filter((kind) => kind !== 'architectural_decision');
    expect(learnt.sort()).toEqual(['error_pattern', 'failed_approach', 'successful_workaround']);
  });
});

const restoresGreeting: Says = inTurn(
  writes({ 'greeting.mjs': 'export const greeting = (name) => `Hello, ${name}!`; // once more\n' }),
  did('greets by name'),
);

async function workOf(one: HealCase): Promise<string[]> {
  const { data } = await one.read<{ data: ProjectTask[] }>('tasks');
  return data.filter(({ kind }) => kind !== 'review').map(({ kind, status }) => `${kind} ${status}`);
}

async function keyOf(principal: 'human' | 'service'): Promise<string> {
  const scopes = ['projects:read', 'projects:write'];
  const { key } = await world.api.must<{ key: string }>('POST', '/v1/api-keys', { name: 'robot', principal, scopes });
  return key;
}
