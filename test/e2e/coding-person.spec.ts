import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Reply } from '#testing';
import {
  did, inTurn, planned, reviewed, RIGHT, runs, type Says, type TeamScript, THEME_TEST, wrong, writes,
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
  it('is committed and proven where a proof was missing', async () => {
    const one = await start('proof', { execute: UNTESTED }, { verify: ['node --test theme.test.mjs || [ ! -e theme.test.mjs ]'] }); // prettier-ignore
    expect((await one.blocked()).cause).toBe('unproven');
    await changes(one, { 'theme.test.mjs': THEME_TEST });
    await one.decide('resolve');
    await one.completed();
    expect((await commits(one)).at(-1)).toBe(OWN);
    expect(await one.page('SUMMARY.md')).toContain('- proven: yes');
    expect(await onBranch(one, 'theme.test.mjs')).toBe(THEME_TEST.trimEnd());
  });

  it('is not accepted as it is: what fails is asked about again, and what passes is proven', async () => {
    const one = await start('own', { execute: inTurn(did('nothing to do')) });
    expect(await one.blocked()).toMatchObject({ cause: 'unproven', why: expect.stringContaining('nothing was changed') as string }); // prettier-ignore
    await changes(one, { 'theme.mjs': wrong(), 'theme.test.mjs': THEME_TEST });
    await one.api.command(one.id, 'RETRY');
    expect((await one.blocked(2)).why).toContain('the tests fail');
    await changes(one, { 'theme.mjs': RIGHT });
    await one.api.command(one.id, 'RETRY');
    await one.completed();
    expect(await commits(one)).toEqual([OWN, OWN]);
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
    const one = await start('note', { execute: UNTESTED, plan }, { verify: ['true'] });
    expect((await one.blocked()).cause).toBe('unproven');
    await changes(one, { 'note.txt': 'by a person\n' });
    await one.decide('proceed');
    await one.completed();
    expect((await one.told('uat.evidence')).map(({ exitCode }) => exitCode)).toEqual([0]);
    expect(await onBranch(one, 'note.txt')).toBe('by a person');
    expect(await one.page('SUMMARY.md')).toContain('- proven: no');
  });

  it('is kept where set-up needed it, and is no part of the baseline', async () => {
    // With the file it would run no test at all, and the baseline be none.
    const verify = ['if [ -e ready.txt ] && [ ! -e theme.mjs ]; then echo nothing; else node --test; fi'];
    const one = await start('ready', {}, { setup: ['cat ready.txt'], verify });
    expect((await one.blocked()).cause).toBe('setup');
    await changes(one, { 'ready.txt': 'ready\n' });
    await one.decide('resolve');
    await one.completed();
    expect(await onBranch(one, 'ready.txt')).toBe('ready');
    expect(await one.page('SUMMARY.md')).toContain('- tests before: passed, 1 passed');
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
    expect((await one.told('uat.evidence')).map(({ exitCode }) => exitCode)).toEqual([7, 0]);
  });
});

describe.concurrent('what a person changed for a project that goes no further', () => {
  it('can be found after ABORT: the summary says where', async () => {
    const one = await start('halted', { execute: inTurn(did('nothing to do')) });
    await one.blocked();
    await changes(one, { 'by-hand.txt': 'an hour of work\n' });
    await one.api.command(one.id, 'ABORT');
    await one.api.untilStatus(one.id, 'aborted', 60_000);
    const kept = /^- git show ([0-9a-f]{40})$/m.exec(await one.page('SUMMARY.md'))?.[1] ?? '';
    expect(await gitIn(one.repo, 'show', `${kept}:by-hand.txt`)).toBe('an hour of work');
  });
});

describe.concurrent('a request that is said to be done', () => {
  it('is not proven by what was changed for a finding', async () => {
    const one = await start('idle', {
      review: () => reviewed([{ priority: 'P1', title: 'There is no note', file: 'greeting.mjs' }]),
      execute: (asked) =>
        asked.prompt.includes('Priority P1.')
          ? inTurn(writes({ 'note.txt': 'a note\n' }), did('a note'))(asked)
          : did('done, it works'),
    });
    const { cause, why } = await one.blocked();
    expect([cause, why]).toEqual(['unproven', expect.stringContaining('the request is said to need nothing more, and nothing was changed for it')]); // prettier-ignore
    await one.api.command(one.id, 'ABORT');
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
      expect(summary).toContain('- proven: not fully');
      expect(summary).toContain('S-001 The request is fulfilled: waived');
    },
  );
});
