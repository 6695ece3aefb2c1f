import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ArtifactContent } from '#contracts';
import type { Reply } from '#testing';
import { did, inTurn, reviewed, RIGHT, runs, type Says, THEME_TEST, writes, wrong } from './coding-team.js';
import { ErrandWorld, gitIn } from './errand-world.js';
import { breaks, byConversation, DEADLINE_MS, type HealCase, HealCases, heals } from './heal-cases.js';

let world: ErrandWorld;
let cases: HealCases;
beforeAll(async () => {
  // Processes that outlive their command end with a sandbox that hides processes.
  world = await ErrandWorld.open({ QRALPH_ALLOW_UNSANDBOXED: 'on' });
  cases = new HealCases(world);
});
afterAll(() => world.close());

const says = (...replies: readonly Reply[]): Says => inTurn(...replies, did('it works now, trust me'));
const MOO = 'export const greeting = () => "moo";\n';
const ends = says(writes({ 'greeting.mjs': `process.exit(0);\n${MOO}`, 'theme.mjs': RIGHT, 'theme.test.mjs': THEME_TEST })); // prettier-ignore
const UNRUN = /No verify command runs these new test files: theme\.test\.mjs/;
const GREETS = 'export const greeting = (name) => `Hello, ${name}!`;\n';

async function attemptsOf(one: HealCase): Promise<string[]> {
  const [problem] = await one.problems();
  return (problem?.attempts ?? []).map(({ outcome, why }) => `${outcome}: ${why ?? ''}`);
}

describe.concurrent('what is no fix', () => {
  it('a test that is gone, one that is skipped, another test script: each is said, and the next one knows', async () => {
    const script = JSON.stringify({ name: 'greeter', private: true, type: 'module', scripts: { test: 'true' } });
    const one = await cases.start(
      {
        execute: breaks,
        heal: byConversation(
          says(runs('rm theme.test.mjs')),
          says(writes({ 'package.json': script })),
          says(writes({ 'theme.test.mjs': THEME_TEST.replace('test(', 'test.skip(') })),
          says(),
          heals,
        ),
      },
      { verify: ['npm test'] },
    );
    await one.completed();
    expect(await attemptsOf(one)).toEqual([
      'failed: tests were removed or skipped, and the request does not ask for that: theme.test.mjs; light becomes dark',
      'failed: the verify commands reported tests before, and report none now',
      'failed: tests were removed or skipped, and the request does not ask for that: theme.test.mjs',
      'failed: the task had to be done again, and nothing was changed',
      'fixed: ',
    ]);
    expect(one.heals()[1]?.prompt).toContain('and the request does not ask for that: theme.test.mjs');
    expect(await one.onBranch('package.json', 'theme.test.mjs')).toEqual([
      expect.stringContaining('node --test'),
      THEME_TEST.trimEnd(),
    ]);
  });

  it.each<readonly [what: string, execute: Says, verify: string, doubt: RegExp]>([
    ['a new test that no command runs', heals, 'echo all 12 tests passed', UNRUN],
    ['a new test that the command filters out', heals, 'node --test --test-name-pattern=nobody', UNRUN],
    [
      'a test file that ends before its tests',
      ends,
      'node --test',
      /This ran before the change and no longer runs: .*greeting\.test\.mjs/,
    ],
    [
      'an agent that changed nothing',
      says(),
      'node --test',
      /"toggle gives the other theme" still fails after 1 attempt/,
    ],
  ])('%s never gets to acceptance by itself', async (_, execute, verify, doubt) => {
    const parameters = { healAttempts: 1 };
    const one = await cases.start({ execute, heal: says() }, { verify: [verify], parameters });
    const { cause, why } = await one.blocked();
    expect([cause, why]).toEqual(['problem', expect.stringMatching(doubt)]);
    expect(await one.states()).not.toContain('UAT');
    await one.api.command(one.id, 'ABORT');
  });

  it('a healer that only says that it works never gets there either', async () => {
    const one = await cases.start({ execute: breaks, heal: says() }, { parameters: { healAttempts: 2 } });
    const { cause } = await one.blocked();
    expect([cause, await attemptsOf(one)]).toEqual([
      'problem',
      Array(2).fill('failed: nothing was changed; still failing: light becomes dark'),
    ]);
    expect(await one.states()).not.toContain('UAT');
    await one.api.command(one.id, 'ABORT');
  });
});

describe.concurrent('what a person has to see', () => {
  it('the same error for the third time: put off, and the rest is accepted', async () => {
    let tasks = 0;
    const one = await cases.start((mark) => ({
      review: () =>
        reviewed(
          ['one', 'two'].map((name) => ({
            priority: 'P1',
            title: `Write note ${name} down, ${mark}`,
            file: `${name}.txt`,
          })),
        ),
      execute: (asked) => {
        if (asked.call.turn === 0) tasks += 1;
        return says(writes({ 'greeting.mjs': MOO, [`note-${String(tasks)}.txt`]: 'noted\n' }))(asked);
      },
      // Another text than the old one: an attempt that only takes its task back leaves no pattern.
      heal: says(writes({ 'greeting.mjs': `${GREETS}export default greeting;\n` })),
      plan: () => ({
        text: JSON.stringify({
          scenarios: [{ title: 'notes', steps: 'look', command: 'grep -q noted note-1.txt note-2.txt' }],
        }),
      }),
    }));
    const { cause, why } = await one.blocked();
    expect([cause, why]).toEqual(['breaker-signature', expect.stringContaining('the same error came up 3 times')]);
    const problems = await one.problems();
    expect(new Set(problems.map(({ signature }) => signature)).size).toBe(1);
    expect(problems.map(({ status, attempts }) => `${status} ${String(attempts.length)}`)).toEqual([
      'fixed 1',
      'fixed 1',
      'open 0',
    ]);
    expect(problems[1]?.attempts[0]?.usedPattern).toBe(true);
    expect(one.heals()).toHaveLength(2);
    await one.decide('defer');
    await one.completed();
    expect((await one.problems())[2]).toMatchObject({
      status: 'deferred',
      reason: expect.stringContaining('3 times') as string,
    });
    // What a person put off is neither healed nor asked about again.
    expect(await one.problems()).toHaveLength(3);
    const { content } = await one.read<ArtifactContent>('artifacts/SUMMARY.md');
    expect(content).toContain('- proven: no');
    expect(content).toContain('A person put off: Add toggle(theme).');
  });

  it('three processes that outlived their command', async () => {
    const stubborn = `sh -c 'trap "" TERM; exec sleep 60' > /dev/null 2>&1 < /dev/null &`;
    const one = await cases.start(
      {
        execute: says(runs(`${stubborn} ${stubborn} ${stubborn} sleep 0.3`), writes({ 'greeting.mjs': MOO })),
        heal: heals,
      },
      { sandbox: 'none' },
    );
    const { cause, why } = await one.blocked();
    expect([cause, why]).toEqual(['breaker-orphans', expect.stringContaining('3 processes still run')]);
    expect(one.heals()).toEqual([]);
    await one.api.command(one.id, 'ABORT');
  });

  it.each([
    ['tokens', { tokens: 300_000 }, { tokens: 900_000 }, 290_000],
    ['usd', { usd: '0.90', tokens: 5_000_000 }, { usd: '9.00' }, 950_000],
  ] as const)(
    'a cap of %s: a person raises it, and the attempt begins anew on clean files',
    async (name, budget, raised, input) => {
      const dear = { ...runs('rm theme.test.mjs'), usage: { input } };
      const one = await cases.start({ execute: breaks, heal: byConversation(says(dear), says(), heals) }, { budget });
      const { cause, why } = await one.blocked();
      expect([cause, why]).toEqual([
        'budget',
        expect.stringMatching(
          new RegExp(`The budget is too small: .* of [\\d.]+ ${name} are used[^]*raise the budget`, 'i'),
        ),
      ]);
      expect(await one.api.refusal('POST', `/v1/projects/${one.id}/commands`, { command: 'RETRY' })).toMatchObject({
        code: 'COMMAND_NOT_ALLOWED',
      });
      await one.api.must('POST', `/v1/projects/${one.id}/budget`, raised);
      await one.completed();
      expect(await attemptsOf(one)).toEqual([
        'failed: nothing was changed; still failing: light becomes dark',
        'fixed: ',
      ]);
      expect((await one.states()).join(' ')).toContain('SELF_HEAL BLOCKED SELF_HEAL');
    },
  );

  it('an environment that refuses: no model is asked', async () => {
    const refuses =
      "import { test } from 'node:test';\n\ntest('writes', () => { throw new Error(\"EACCES: permission denied, open '/etc/greeter'\"); });\n";
    const one = await cases.start({ execute: says(writes({ 'writes.test.mjs': refuses })) });
    const { cause, why } = await one.blocked();
    expect([cause, why]).toEqual([
      'never-healed',
      expect.stringMatching(/the environment refuses it: .*EACCES: permission denied/),
    ]);
    expect(one.heals()).toEqual([]);
    await one.decide('defer');
    // Nothing else was to be done, and nothing was accepted.
    expect(await one.api.untilStatus(one.id, 'aborted', DEADLINE_MS)).toMatchObject({ state: 'TEAM_SHUTDOWN' });
  });

  it('a fix that touches secrets: it is taken back, whatever the person decides', async () => {
    const leaky: Says = (asked) =>
      asked.call.turn === 0
        ? writes({ '.env': 'TOKEN=1\n' })
        : heals({ ...asked, call: { ...asked.call, turn: asked.call.turn - 1 } });
    const one = await cases.start({ execute: breaks, heal: byConversation(leaky, heals) });
    const { cause, why } = await one.blocked();
    expect([cause, why]).toEqual(['never-healed', expect.stringContaining('.env')]);
    await one.decide('resolve');
    const { workspace } = await one.completed();
    expect(await attemptsOf(one)).toEqual([expect.stringMatching(/^failed: .*\.env/), 'fixed: ']);
    expect(await gitIn(one.repo, 'log', '--name-only', '--format=', workspace?.branch ?? '')).not.toContain('.env');
  });
});

describe('SKIP and RETRY', () => {
  it('count as attempts, and the next one begins on clean files', async () => {
    const hangs: Says = ({ call }) =>
      call.turn === 0
        ? writes({ 'litter.txt': 'half done\n', 'theme.mjs': wrong('grey') })
        : { ...did('too late'), afterMs: 600_000 };
    const looks: Says = (asked) =>
      asked.call.turn === 0 ? runs('ls') : heals({ ...asked, call: { ...asked.call, turn: asked.call.turn - 1 } });
    const one = await cases.start({ execute: breaks, heal: byConversation(hangs, hangs, looks) });
    for (const [nth, command] of (['SKIP', 'RETRY'] as const).entries()) {
      await one.api.until(
        one.id,
        'hangs',
        () => one.asked().filter(({ role, call }) => role === 'healer' && call.turn === 1).length > nth,
        DEADLINE_MS,
      );
      await one.api.command(one.id, command);
    }
    await one.completed();
    const [problem] = await one.problems();
    expect(problem?.attempts).toMatchObject([
      { number: 1, outcome: 'skipped', tier: 'small' },
      { number: 2, outcome: 'skipped', tier: 'small', why: 'a person asked for the next attempt' },
      { number: 3, outcome: 'fixed', tier: 'medium', model: 'claude-sonnet-5-5' },
    ]);
    const listing = one
      .asked()
      .find(({ role, call }) => role === 'healer' && call.turn === 1 && call.model === 'claude-sonnet-5-5');
    expect(listing?.prompt).toContain('theme.test.mjs\\n');
    expect(listing?.prompt).not.toContain('litter.txt');
    expect(problem?.attempts[2]?.diff).not.toContain('grey');
  });
});
