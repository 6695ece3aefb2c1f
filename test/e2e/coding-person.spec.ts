import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Reply } from '#testing';
import {
  did, inTurn, json, planned, reviewed, RIGHT, runs, type Says, type TeamScript, THEME_TEST, wrong, writes,
} from './coding-team.js'; // prettier-ignore
import { type CodingCase, CodingWorld } from './coding-world.js';
import { gitIn } from './errand-world.js';

let world: CodingWorld;
beforeAll(async () => {
  world = await CodingWorld.open();
});
afterAll(() => world.close());

const QUICK = { agents: { pin: ['sde-iii', 'ux-designer', 'docs-writer'], count: 3 } };
const OUTAGE: Reply = { fault: { kind: 'status', status: 400, words: 'this model is gone' } };
const OWN = 'Changed by a person while the project waited';
const IDLE = inTurn(did('nothing to do'));
/** An author that cannot write a check. */
const NO_CHECK: Says = () =>
  json({ checks: [{ part: 1, title: 'the toggle', files: [], command: null, why: 'no command can tell' }] });
const UNTESTED = inTurn(writes({ 'theme.mjs': RIGHT }), did('toggle(theme)'));

const start = (word: string, script: TeamScript, more: Readonly<Record<string, unknown>> = {}) =>
  world.start(word, script, { ...QUICK, ...more });

/** A person works in the worktree while the project waits. */
async function changes(of: CodingCase, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await writeFile(join(world.world.dataDir, 'worktrees', of.id, path), text);
  }
}

async function commits({ repo, project }: CodingCase): Promise<readonly string[]> {
  return (await gitIn(repo, 'log', '--reverse', '--format=%s', `HEAD..qralph/${project.name}`)).split('\n');
}

const onBranch = ({ repo, project }: CodingCase, path: string): Promise<string> =>
  gitIn(repo, 'show', `qralph/${project.name}:${path}`);

describe.concurrent('what a person changes while the project is blocked', () => {
  it('is committed and judged again if no check could be written; only a person can accept that', async () => {
    const one = await start('proof', { execute: UNTESTED, check: NO_CHECK });
    const first = await one.blocked();
    expect(first.cause).toBe('unproven');
    expect(first.why).toContain('What was asked: Add dark mode toggle for proof');
    expect(first.why).toContain('has no check by another agent');
    expect(first.why).toContain('Likely best answer:');
    await changes(one, { 'theme.test.mjs': THEME_TEST });
    await one.api.command(one.id, 'RETRY');
    expect((await one.blocked(2)).cause).toBe('unproven');
    expect((await commits(one)).at(-1)).toBe(OWN);
    await one.decide('resolve');
    await one.completed();
    expect(await one.page('SUMMARY.md')).toContain('- proven: no: a person accepted it without proof');
    expect(await onBranch(one, 'theme.test.mjs')).toBe(THEME_TEST.trimEnd());
  });

  it('is not accepted as it is: what fails is asked about again, and what passes is proven', async () => {
    const one = await start('own', { execute: IDLE, heal: IDLE }, { parameters: { healAttempts: 1 } });
    expect(await one.blocked()).toMatchObject({
      cause: 'problem',
      why: expect.stringContaining('"toggle gives the other theme" still fails after 1 attempt.') as string,
    });
    await changes(one, { 'theme.mjs': wrong(), 'theme.test.mjs': THEME_TEST });
    await one.api.command(one.id, 'RETRY');
    expect((await one.blocked(2)).why).toContain('light becomes dark');
    await changes(one, { 'theme.mjs': RIGHT });
    await one.api.command(one.id, 'RETRY');
    await one.completed();
    expect(await commits(one)).toEqual([expect.stringMatching(/^T-004: /)]);
    expect(await onBranch(one, 'theme.mjs')).toBe(RIGHT.trimEnd());
    expect(await one.page('SUMMARY.md')).toContain('- proven: yes');
  });

  it('is what the next agent finds where one could not go on', async () => {
    let isGone = true;
    const execute: Says = (asked) => {
      if (isGone) return OUTAGE;
      return inTurn(runs('cat note.txt'), writes({ 'theme.mjs': RIGHT, 'theme.test.mjs': THEME_TEST }), did('toggle'))(asked); // prettier-ignore
    };
    const one = await start('found', { execute });
    expect((await one.blocked()).cause).toBe('agent');
    await changes(one, { 'note.txt': 'A-PERSON-WROTE-THIS\n' });
    isGone = false;
    await one.decide('resolve');
    await one.completed();
    expect(one.asked('implementer').some(({ call }) => JSON.stringify(call.body).includes('A-PERSON-WROTE-THIS'))).toBe(
      true,
    );
    expect(await onBranch(one, 'note.txt')).toBe('A-PERSON-WROTE-THIS');
  });

  it('is no part of what is accepted unless it is on the branch', async () => {
    const note = `node -e "process.exit(require('fs').existsSync('note.txt') ? 0 : 1)"`;
    const plan = () => planned({ title: 'there is a note', command: note });
    const one = await start('note', { execute: UNTESTED, check: NO_CHECK, plan }, { verify: ['true'] });
    expect((await one.blocked()).cause).toBe('unproven');
    await changes(one, { 'note.txt': 'by a person\n' });
    await one.decide('proceed');
    await one.completed();
    expect((await one.told('uat.evidence')).map(({ exitCode }) => exitCode)).toEqual([0, 0]);
    expect(await onBranch(one, 'note.txt')).toBe('by a person');
    expect(await one.page('SUMMARY.md')).toContain('- proven: no');
  });

  it('does not help set-up, which needs a fresh checkout to work; the file is kept, and the text says what to do', async () => {
    const one = await start('ready', {}, { setup: ['cat ready.txt'] });
    expect((await one.blocked()).cause).toBe('setup');
    await changes(one, { 'ready.txt': 'ready\n' });
    await one.decide('resolve');
    const { cause, why } = await one.blocked(2);
    expect(cause).toBe('setup');
    expect(why).toContain('commit the files that the set-up needs, or name them in `copy`');
    await one.api.command(one.id, 'ABORT');
    await one.api.untilStatus(one.id, 'aborted', 60_000);
    const kept = /^- git show ([0-9a-f]{40})$/m.exec(await one.page('SUMMARY.md'))?.[1] ?? '';
    expect(await gitIn(one.repo, 'show', `${kept}:ready.txt`)).toBe('ready');
  });

  it('is proven, and then tried, where acceptance had failed', async () => {
    const half = "export const toggle = (theme) => (theme === 'light' ? 'dark' : 'purple');\n";
    const back =
      "node --input-type=module -e \"import { toggle } from './theme.mjs'; process.exit(toggle('dark') === 'light' ? 0 : 7)\"";
    const execute = inTurn(writes({ 'theme.mjs': half, 'theme.test.mjs': THEME_TEST }), did('toggle'));
    const plan = () => planned({ title: 'and back again', command: back });
    const one = await start('back', { execute, plan }, { parameters: { uatRounds: 0 } });
    expect((await one.blocked()).cause).toBe('uat');
    await changes(one, { 'theme.mjs': RIGHT });
    await one.decide('resolve');
    await one.completed();
    expect((await commits(one)).at(-1)).toBe(OWN);
    expect(await one.page('SUMMARY.md')).toContain('- proven: yes');
    expect((await one.told('uat.evidence')).map(({ exitCode }) => exitCode)).toEqual([7, 7, 0, 0]);
  });
});

describe.concurrent('what a person changed for a project that goes no further', () => {
  it('can be found after ABORT: the summary says where', async () => {
    const one = await start('halted', { execute: IDLE, heal: IDLE }, { parameters: { healAttempts: 1 } });
    await one.blocked();
    await changes(one, { 'by-hand.txt': 'an hour of work\n' });
    await one.api.command(one.id, 'ABORT');
    await one.api.untilStatus(one.id, 'aborted', 60_000);
    const kept = /^- git show ([0-9a-f]{40})$/m.exec(await one.page('SUMMARY.md'))?.[1] ?? '';
    expect(await gitIn(one.repo, 'show', `${kept}:by-hand.txt`)).toBe('an hour of work');
  });
});

describe.concurrent('a request that is said to be done', () => {
  it('is not proven by what was changed for a finding: its check fails, and it is healed', async () => {
    const one = await start('idle', {
      review: () => reviewed([{ priority: 'P1', title: 'There is no note, toggle for idle', file: 'greeting.mjs' }]),
      execute: (asked) =>
        asked.prompt.includes('Priority P1.')
          ? inTurn(writes({ 'note.txt': 'a note\n' }), did('a note'))(asked)
          : did('done, it works'),
    });
    await one.completed();
    expect(await one.states()).not.toContain('BLOCKED');
    expect(one.asked('healer')[0]?.prompt).toContain('toggle gives the other theme');
    expect(await commits(one)).toEqual([expect.stringMatching(/^F-001: /), expect.stringMatching(/^T-005: /)]);
    expect(await onBranch(one, 'theme.mjs')).toBe(RIGHT.trimEnd());
    expect(await one.page('SUMMARY.md')).toContain('- proven: yes');
  });
});

describe.concurrent('acceptance that nobody can plan', () => {
  it.each(['defer', 'proceed'])(
    'does not hold a project for ever: %s, and it is not called whole',
    async (decision) => {
      const one = await start(`gone-${decision}`, { plan: () => OUTAGE });
      expect((await one.blocked()).cause).toBe('agent');
      await one.decide(decision);
      await one.completed();
      const summary = await one.page('SUMMARY.md');
      expect(summary).toContain(
        '- proven: no: it is not fully proven, because a person skipped or waived some scenarios',
      );
      expect(summary).toContain('The request is fulfilled (S-001): waived');
    },
  );
});
