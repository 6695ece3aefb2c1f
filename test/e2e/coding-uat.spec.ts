import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ProjectTask } from '#contracts';
import type { Reply } from '#testing';
import {
  type Asked, did, inTurn, json, planned, RIGHT, type Says, type TeamScript, THEME_TEST, TOGGLES, wrong, writes,
} from './coding-team.js'; // prettier-ignore
import { type CodingCase, CodingWorld } from './coding-world.js';
import { gitIn } from './errand-world.js';

let world: CodingWorld;
beforeAll(async () => {
  world = await CodingWorld.open();
});
afterAll(() => world.close());

const QUICK = { agents: { pin: ['sde-iii', 'ux-designer', 'docs-writer'], count: 3 } };
/** What the implementer says of its own work, which no tester may hear. */
const BOAST = 'Both themes work, I tried them: BOAST-8190';
/** Right for the test that comes with it, and wrong where somebody goes back. */
const HALF = "export const toggle = (theme) => (theme === 'light' ? 'dark' : 'purple');\n";
const BACK =
  "node --input-type=module -e \"import { toggle } from './theme.mjs'; console.log('back to ' + toggle('dark')); process.exit(toggle('dark') === 'light' ? 0 : 7)\"";

const isAboutScenario = ({ prompt }: Asked): boolean => prompt.includes('An acceptance scenario that failed');
const builds = (theme: string) => inTurn(writes({ 'theme.mjs': theme, 'theme.test.mjs': THEME_TEST }), did(BOAST));
/** Builds the half of it, and then does something about what did not hold. */
const halfThen =
  (mends: Says): Says =>
  (asked) =>
    isAboutScenario(asked) ? mends(asked) : builds(HALF)(asked);
const NOTHING: Says = () => did('I see nothing to do');
const IDLE = halfThen(NOTHING);
const BOTH = () =>
  planned({ title: 'light becomes dark', command: TOGGLES }, { title: 'and back again', command: BACK });
const reports = (verdict: 'pass' | 'fail', command: string, observation = 'theme.mjs does it'): Reply =>
  json({ verdict, command, observation });

const start = (word: string, script: TeamScript, parameters: Readonly<Record<string, number>> = {}) =>
  world.start(word, script, { ...QUICK, parameters });
/** With one scenario that names no command: a tester finds out. */
const tested = (word: string, test: Says) =>
  start(word, { execute: builds(RIGHT), plan: () => planned({ title: 'light becomes dark' }), test }, { uatRounds: 0 });
/** SUMMARY.md if a person left a scenario out. */
const NOT_FULLY = '- proven: no: it is not fully proven, because a person skipped or waived some scenarios';

const verdicts = async (of: CodingCase): Promise<readonly string[]> =>
  [...(await of.page('UAT.md')).matchAll(/^- verdict: ([\w ]+)$/gm)].map(([, verdict]) => verdict ?? '');

/** Tasks of which nobody says what became of them. */
const open = async (of: CodingCase): Promise<readonly ProjectTask[]> => {
  const { data } = await of.read<{ data: ProjectTask[] }>('tasks');
  return data.filter(({ status }) => status === 'pending' || status === 'in_progress');
};

describe.concurrent('a scenario that fails', () => {
  it('is mended as a task, and everything is tried again on the new tree', async () => {
    const mended = await start('mended', { execute: halfThen(inTurn(writes({ 'theme.mjs': RIGHT }), did('and back'))), plan: BOTH }); // prettier-ignore
    await mended.completed();
    const states = await mended.states();
    expect(states.slice(states.indexOf('UAT') + 1)).toContain('EXECUTING');
    const { data: tasks } = await mended.read<{ data: ProjectTask[] }>('tasks');
    const scenario = tasks.find(({ kind }) => kind === 'scenario');
    expect(scenario).toMatchObject({ status: 'completed', title: expect.stringContaining('and back again') as string });
    expect(scenario?.commit).toMatch(/^[0-9a-f]{40}$/);
    const evidence = await mended.told('uat.evidence');
    expect(evidence.map(({ exitCode }) => exitCode)).toEqual([0, 0, 7, 7, 0, 0, 0, 0]);
    const trees = evidence.map(({ tree }) => tree);
    expect(new Set(trees.slice(0, 4)).size).toBe(1);
    expect(new Set(trees.slice(4)).size).toBe(1);
    expect(trees[4]).not.toBe(trees[0]);
    const page = await mended.page('UAT.md');
    expect(await verdicts(mended)).toEqual(['passed', 'passed']);
    expect(page.match(/^- tree: (.*)$/gm)).toEqual([`- tree: ${String(trees[4])}`, `- tree: ${String(trees[4])}`]);
    expect(page).toContain('the service ran the command below; exit code 0');
    expect(page).toContain(`      $ ${BACK}\n      back to light`);
    expect(await mended.page('SUMMARY.md')).toContain('- proven: yes');
  });

  it('is healed if the implementer does nothing: the healer gets its command and output', async () => {
    const healed = await start('healed', { execute: IDLE, plan: BOTH });
    await healed.completed();
    expect(await healed.states()).not.toContain('BLOCKED');
    const [healer] = healed.asked('healer');
    expect(healer?.prompt).toContain('Add dark mode toggle for healed');
    expect(healer?.prompt).toContain('back to purple');
    expect(await verdicts(healed)).toEqual(['passed', 'passed']);
    expect(await healed.page('SUMMARY.md')).toContain('- proven: yes');
  });

  it('is for a person if nobody can heal it: it may be tried again, and waived, and then is not fully proven', async () => {
    const waived = await start('waived', { execute: IDLE, heal: NOTHING, plan: BOTH }, { healAttempts: 1 });
    const { cause, why } = await waived.blocked();
    expect(cause).toBe('problem');
    expect(why).toContain('"and back again" still fails after 1 attempt');
    expect(why).toContain('back to purple');
    await waived.api.command(waived.id, 'RETRY');
    expect((await waived.blocked(2)).cause).toBe('problem');
    await waived.decide('proceed');
    await waived.completed();
    expect(await verdicts(waived)).toEqual(['passed', 'waived']);
    expect(await open(waived)).toEqual([]);
    const summary = await waived.page('SUMMARY.md');
    expect(summary).toContain(NOT_FULLY);
    expect(summary).toContain('and back again (S-002): waived');
    const decisions = (await waived.page('decisions.log')).split('\n').map((line) => line.slice(25));
    expect(decisions.filter((line) => line.startsWith('a human'))).toEqual([
      'a human commanded RETRY',
      'a human decided proceed at resolve-problem',
    ]);
    expect(decisions).toContain('the service went from BLOCKED to UAT: resolve-problem:proceed');
  });

  it('may be put off, and is told in DEFERRED.md', async () => {
    const deferred = await start('deferred', { execute: IDLE, heal: NOTHING, plan: BOTH }, { healAttempts: 1 });
    await deferred.blocked();
    const paid = deferred.asked('implementer').length;
    await deferred.decide('defer');
    await deferred.completed();
    expect(deferred.asked('implementer')).toHaveLength(paid);
    expect(await open(deferred)).toEqual([]);
    expect(await deferred.states()).toContain('FUTURE_REQ');
    expect(await verdicts(deferred)).toEqual(['passed', 'waived']);
    const page = await deferred.page('DEFERRED.md');
    expect(page).toContain('DEFER-001');
    expect(page).toContain('and back again');
    expect(await deferred.page('SUMMARY.md')).toContain(NOT_FULLY);
  });
});

describe.concurrent('a tester', () => {
  it('makes no work for the implementer if it comes to no verdict: its scenario is not decided', async () => {
    const mute = await tested('mute', () => ({ text: 'It works, I think.' }));
    await mute.completed();
    expect(await mute.states()).not.toContain('BLOCKED');
    expect(await verdicts(mute)).toEqual(['not decided']);
    const { data: tasks } = await mute.read<{ data: ProjectTask[] }>('tasks');
    expect(tasks.filter(({ kind }) => kind === 'scenario')).toEqual([]);
    expect(await mute.page('UAT.md')).toContain('No tester came to a verdict');
    expect(await mute.page('SUMMARY.md')).toMatch(
      /- proven: yes\n[^]*S-001 .* was not decided: No tester came to a verdict/,
    );
  });

  it('is not believed where its command fails when the service runs it', async () => {
    const liar = await tested('liar', () => reports('pass', 'node -e "console.log(40 + 2); process.exit(3)"'));
    expect((await liar.blocked()).why).toContain('the service ran the command: exit code 3');
    const page = await liar.page('UAT.md');
    expect(page).toContain('- verdict: failed');
    expect(page).toMatch(/exit code 3\n\n {6}\$ node -e .*\n {6}42\n/);
    await liar.api.command(liar.id, 'ABORT');
  });

  it('hears nothing of who wrote the code, and changes nothing', async () => {
    const litters = inTurn(writes({ 'theme.mjs': wrong(), 'litter.txt': 'x' }), reports('pass', TOGGLES));
    const deaf = await tested('deaf', litters);
    const ended = await deaf.completed();
    const heard = [...deaf.asked('planner'), ...deaf.asked('tester')];
    expect(heard.length).toBeGreaterThanOrEqual(3);
    for (const { prompt } of heard) expect(prompt).not.toMatch(/BOAST|I tried them/);
    expect(deaf.asked('implementer').some(({ prompt }) => prompt.includes('Your task'))).toBe(true);
    expect(await deaf.told('uat.evidence')).toMatchObject([
      { command: TOGGLES, exitCode: 0 },
      { command: TOGGLES, exitCode: 0 },
    ]);
    expect(await gitIn(deaf.repo, 'ls-tree', '--name-only', ended.workspace?.branch ?? '')).not.toContain('litter');
    expect(await deaf.page('SUMMARY.md')).toContain('- proven: yes');
  });

  it('is skipped with its scenario, which then is not proven', async () => {
    const plan = () => planned({ title: 'light becomes dark' }, { title: 'and back again', command: BACK });
    const test: Says = () => ({ text: 'too late', afterMs: 100_000 });
    const skipped = await start('skipped', { execute: builds(RIGHT), plan, test });
    await skipped.api.until(
      skipped.id, 'a tester is at work', ({ state }) => state === 'UAT' && skipped.asked('tester').length > 0, 120_000,
    ); // prettier-ignore
    await skipped.api.command(skipped.id, 'SKIP');
    await skipped.completed();
    expect(await verdicts(skipped)).toEqual(['skipped', 'passed']);
    expect(await skipped.page('UAT.md')).toContain('- because: a person skipped it');
    expect(await skipped.page('SUMMARY.md')).toContain(NOT_FULLY);
  });
});
