import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HealPattern, HealProblem, ProjectTask } from '#contracts';
import { FLAWED_GREETER, GREETER } from '../../apps/orchestrator/src/demo/demo-repository.js';
import {
  CHECK_FILE,
  checked,
  did,
  inTurn,
  json,
  planned,
  reviewed,
  RIGHT,
  runs,
  type Says,
  scoped,
  type TeamScript,
  THEME_TEST,
  writes,
  wrong,
} from './coding-team.js';
import { type CodingCase, CodingWorld } from './coding-world.js';
import { gitIn } from './errand-world.js';
import { byConversation } from './heal-cases.js';

let world: CodingWorld;
beforeAll(async () => {
  world = await CodingWorld.open();
});
afterAll(() => world.close());

const QUICK = { agents: { pin: ['sde-iii', 'ux-designer', 'docs-writer'], count: 3 } };
const STRANGER = 'greets a stranger where there is no name';
const GREETING = GREETER['greeting.mjs'] ?? '';
/** Another text than the old one: an attempt that only takes its task back leaves no pattern. */
const REPAIRED_GREETING = `${GREETING}export default greeting;\n`;
const BROKEN_GREETING = "export const greeting = () => 'moo';\n";
const README = 'The toggle is done.\n';
const greets = (name: string): string => `export const greeting = (name) => \`Hello, \${name || '${name}'}!\`;\n`;

const start = (
  word: string,
  script: TeamScript,
  more: Readonly<Record<string, unknown>> = {},
  files?: Readonly<Record<string, string>>,
) => world.start(word, script, { ...QUICK, ...more }, files);

const work = (files: Readonly<Record<string, string>>): Says => inTurn(writes(files), did('it is done'));
const problems = async (of: CodingCase) => (await of.read<{ data: HealProblem[] }>('problems')).data;
const attempts = async (of: CodingCase): Promise<readonly string[]> =>
  (await problems(of)).flatMap((problem) =>
    problem.attempts.map(({ tier, outcome, why }) => `${tier} ${outcome}: ${why ?? ''}`),
  );
const commits = async ({ repo, project }: CodingCase): Promise<readonly string[]> =>
  (await gitIn(repo, 'log', '--reverse', '--format=%s', `HEAD..qralph/${project.name}`)).split('\n');
const filesOf = ({ repo, project }: CodingCase): Promise<string> =>
  gitIn(repo, 'ls-tree', '-r', '--name-only', `qralph/${project.name}`);

describe.concurrent('a bug fix whose test is red before the change', () => {
  it('climbs the ladder until that test passes, and fixes a bug once that reviewers report too', async () => {
    const one = await start(
      'ladder',
      {
        review: () =>
          reviewed([
            {
              priority: 'P0',
              title: 'An empty name is greeted as nobody',
              file: 'greeting.mjs',
              relation: 'is-request',
            },
          ]),
        scope: () =>
          scoped({
            parts: [
              { title: 'greeting of an empty name greets a stranger', interface: 'greeting', failingTests: [STRANGER] },
            ],
            steps: [{ title: 'Greet a stranger', detail: '', parts: [1], findings: ['F-001'], check: 'node --test' }],
          }),
        inspect: () =>
          json({
            parts: [{ part: 1, isDone: true, why: 'it greets' }],
            findings: [{ id: 'F-001', isFixed: true, why: 'it greets' }],
            tests: [],
          }),
        execute: work({ 'greeting.mjs': greets('anybody') }),
        plan: () => planned({ title: 'all tests pass', command: 'node --test' }),
        heal: byConversation(
          ...['somebody', 'nobody', 'friend', 'reader'].map((name) => work({ 'greeting.mjs': greets(name) })),
          work({ 'greeting.mjs': greets('stranger') }),
        ),
      },
      { request: 'Greet a stranger if the name is empty, see toggle for ladder' },
      FLAWED_GREETER,
    );
    await one.completed();
    expect(await one.states()).not.toContain('BLOCKED');
    expect(await attempts(one)).toEqual([
      `small failed: still failing: ${STRANGER}`,
      `small failed: still failing: ${STRANGER}`,
      `medium failed: still failing: ${STRANGER}`,
      `medium failed: still failing: ${STRANGER}`,
      'large fixed: ',
    ]);
    expect(one.asked('check-author')).toEqual([]);
    expect(await commits(one)).toHaveLength(1);
    expect((await one.findings())[0]?.outcome.kind).toBe('fixed');
    const summary = await one.page('SUMMARY.md');
    expect(summary).toContain('- proven: yes');
    expect(summary).toContain(`The test "${STRANGER}" failed before and passes now.`);
  });
});

describe.concurrent('a check by another agent', () => {
  it('fails before and passes after the change; the implementer never sees it, and no commit has it', async () => {
    const one = await start('checked', { execute: work({ 'theme.mjs': RIGHT }) });
    await one.completed();
    expect(await one.states()).not.toContain('BLOCKED');
    const summary = await one.page('SUMMARY.md');
    expect(summary).toContain('- proven: yes');
    expect(summary).toContain('The check "toggle gives the other theme" failed before and passes now.');
    for (const { prompt } of one.asked('implementer')) expect(prompt).not.toContain('qralph-checks');
    expect(await filesOf(one)).not.toContain('qralph-checks');
  });

  it('is not taken if it passes without the change: a larger model writes another one', async () => {
    const hollow = inTurn(writes({ '.qralph-checks/toggle.mjs': "console.log('fine');\n" }), checked());
    const real = inTurn(writes({ '.qralph-checks/toggle.mjs': CHECK_FILE }), checked());
    const one = await start('hollow', { check: byConversation(hollow, real) });
    await one.completed();
    const [first, second, ...more] = one.asked('check-author').filter(({ call }) => call.turn === 0);
    expect(more).toEqual([]);
    expect(second?.prompt).toContain('It passes before the change, so it proves nothing.');
    expect(second?.call.model).not.toBe(first?.call.model);
    expect(await one.page('SUMMARY.md')).toContain('- proven: yes');
  });

  it('sends a wrong change without tests to SELF_HEAL', async () => {
    const one = await start('wrong', { execute: work({ 'theme.mjs': wrong() }) });
    await one.completed();
    expect((await problems(one)).map(({ title, status }) => `${title}: ${status}`)).toEqual([
      'toggle gives the other theme: fixed',
    ]);
    const [healer] = one.asked('healer');
    expect(healer?.prompt).toContain('node .qralph-checks/toggle.mjs');
    expect(await one.page('SUMMARY.md')).toContain('- proven: yes');
  });

  it('is written again once if a third agent rules that it is wrong', async () => {
    const strict = CHECK_FILE.replace("toggle('light'), 'dark'", "toggle('light'), 'DARK'");
    const claims: Says = ({ call }) =>
      call.turn === 0
        ? writes({ 'theme.mjs': RIGHT })
        : json({ outcome: 'done', summary: 'toggle', wrongCheck: 'Nobody asked for capital letters.' });
    const one = await start('ruled', {
      check: byConversation(
        inTurn(writes({ '.qralph-checks/toggle.mjs': strict }), checked()),
        inTurn(writes({ '.qralph-checks/toggle.mjs': CHECK_FILE }), checked()),
      ),
      execute: claims,
      heal: claims,
      rule: () => json({ isCheckWrong: true, isDemanded: true, why: 'The request names no capital letters.' }),
    });
    await one.completed();
    expect(await one.states()).not.toContain('BLOCKED');
    expect(await one.told('check.ruled')).toMatchObject([{ check: 'C-001', isWrong: true }]);
    expect(await one.page('SUMMARY.md')).toContain('- proven: yes');
  });
});

describe.concurrent('what is never proven', () => {
  it('an implementer that changes the README only, and healers that do the same', async () => {
    const lie = work({ 'README.md': README });
    const heal = byConversation(lie, work({ 'README.md': `${README}Really.\n` }));
    const one = await start('liar', { execute: lie, heal }, { parameters: { healAttempts: 2 } });
    const { cause, why } = await one.blocked();
    expect(cause).toBe('problem');
    expect(why).toContain('toggle gives the other theme');
    expect(await one.states()).not.toContain('UAT');
    expect((await attempts(one)).map((attempt) => attempt.split(':')[0])).toEqual(['small failed', 'small failed']);
    await one.api.command(one.id, 'ABORT');
    await one.api.untilStatus(one.id, 'aborted', 60_000);
    expect(await one.page('SUMMARY.md')).not.toContain('- proven: yes');
  });

  it('a healer that takes the change back, all of it or all but a comment', async () => {
    const undo = inTurn(runs('rm theme.mjs theme.test.mjs'), writes({ 'greeting.mjs': GREETING }), did('it passes'));
    const comment = inTurn(
      runs('rm theme.test.mjs'),
      writes({ 'greeting.mjs': GREETING, 'theme.mjs': '// The toggle comes later.\n' }),
      did('it passes'),
    );
    const one = await start('undo', {
      execute: work({ 'theme.mjs': RIGHT, 'theme.test.mjs': THEME_TEST, 'greeting.mjs': BROKEN_GREETING }),
      heal: byConversation(undo, comment, work({ 'greeting.mjs': REPAIRED_GREETING })),
    });
    await one.completed();
    const all = await attempts(one);
    expect(all.map((attempt) => attempt.split(':')[0])).toEqual(['small failed', 'small failed', 'medium fixed']);
    expect(await filesOf(one)).toContain('theme.test.mjs');
    expect(await one.page('SUMMARY.md')).toContain('- proven: yes');
    const patterns = `/v1/patterns?repo=${encodeURIComponent(one.repo)}`;
    const { data } = await one.api.must<{ data: HealPattern[] }>('GET', patterns);
    expect(data).toMatchObject([{ successes: 1 }]);
    expect(data[0]?.diff).not.toContain('theme');
  });

  it('a change that removes an old test: the ladder climbs until the test is back', async () => {
    const one = await start('removed', {
      execute: inTurn(
        runs('rm greeting.test.mjs'),
        writes({ 'theme.mjs': RIGHT, 'theme.test.mjs': THEME_TEST }),
        did('toggle'),
      ),
      heal: byConversation(
        work({ 'README.md': README }),
        work({ 'NOTES.md': README }),
        work({ 'greeting.test.mjs': GREETER['greeting.test.mjs'] ?? '' }),
      ),
    });
    await one.completed();
    expect(await one.states()).not.toContain('BLOCKED');
    expect((await attempts(one)).map((attempt) => attempt.split(':')[0])).toEqual([
      'small failed',
      'small failed',
      'medium fixed',
    ]);
    expect((await problems(one))[0]?.attempts[0]?.why).toContain('greeting.test.mjs');
    expect(await filesOf(one)).toContain('greeting.test.mjs');
    expect(await one.page('SUMMARY.md')).toContain('- proven: yes');
  });
});

describe.concurrent('a finding that is aside', () => {
  it('comes after the request, is taken back if its fix is not confirmed, and asks nobody', async () => {
    const title = 'The greeting has no farewell, toggle for aside';
    const one = await start('aside', {
      review: () => reviewed([{ priority: 'P1', title, file: 'greeting.mjs', relation: 'aside' }]),
      look: () => json({ isFixed: false, why: 'It is only a comment.' }),
      execute: (asked) =>
        asked.prompt.includes('Priority P1.')
          ? work({ 'farewell.mjs': '// Goodbye.\n' })(asked)
          : work({ 'theme.mjs': RIGHT, 'theme.test.mjs': THEME_TEST })(asked),
    });
    await one.completed();
    expect(await one.states()).not.toContain('BLOCKED');
    expect(await one.states()).not.toContain('SELF_HEAL');
    const { data: tasks } = await one.read<{ data: ProjectTask[] }>('tasks');
    expect(tasks.filter(({ kind }) => kind !== 'review').map(({ kind, status }) => `${kind} ${status}`)).toEqual([
      'request completed',
      'finding deferred',
    ]);
    expect(await filesOf(one)).not.toContain('farewell');
    expect(await one.page('DEFERRED.md')).toContain('It is only a comment.');
    expect(await one.page('SUMMARY.md')).toContain('- proven: yes');
  });
});
