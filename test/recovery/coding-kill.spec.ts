import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GREETER } from '../../apps/orchestrator/src/demo/demo-repository.js';
import { type CodingCase, CodingWorld } from '../e2e/coding-world.js';
import { did, inTurn, json, reviewed, RIGHT, type TeamScript, THEME_TEST, writes } from '../e2e/coding-team.js';
import { gitIn } from '../e2e/errand-world.js';

interface Kill {
  readonly state: 'SCOPING' | 'EXECUTING';
  readonly step: string;
  readonly moment: 'effect-started' | 'effect-ran';
}

/** The end of such a call is unknown after the kill. It may be sent once more. */
const CHATS: readonly Kill[] = [
  { state: 'SCOPING', step: 'work-planner/1/chat', moment: 'effect-ran' },
  { state: 'SCOPING', step: 'check-author-1/2/chat', moment: 'effect-started' },
  { state: 'EXECUTING', step: 'fix-reviewer/1/chat', moment: 'effect-ran' },
  { state: 'EXECUTING', step: 'inspect/1/chat', moment: 'effect-ran' },
];

/** The service's own steps, in the order in which a project reaches them. They run again, and no agent does. */
const STEPS: readonly Kill[] = [
  { state: 'SCOPING', step: 'check-author-1/1/tools', moment: 'effect-ran' },
  { state: 'SCOPING', step: 'check-author-1/kept-files', moment: 'effect-ran' },
  { state: 'SCOPING', step: 'check-author-1/put-back', moment: 'effect-ran' },
  { state: 'SCOPING', step: 'check-author-1/on-base-1/1', moment: 'effect-started' },
  { state: 'SCOPING', step: 'check-author-1/on-base-1/2', moment: 'effect-ran' },
  { state: 'EXECUTING', step: 'check/C-001', moment: 'effect-ran' },
  { state: 'EXECUTING', step: 'diff-of-result', moment: 'effect-ran' },
  { state: 'EXECUTING', step: 'result/C-001/2', moment: 'effect-started' },
];

/** One finding to fix first, and one that is the request: so a fix is looked at, and the result is inspected. */
const scriptOf = (word: string): TeamScript => ({
  review: () =>
    reviewed([
      { priority: 'P1', title: 'greeting.mjs has no comment', body: `Needed by the toggle for ${word}` },
      { priority: 'P1', title: 'There is no toggle', relation: 'is-request' },
    ]),
  execute: ({ prompt, call }) => {
    if (call.turn > 0) return did('done');
    const isComment = prompt.includes('A reviewer found this');
    return writes(isComment ? { 'NOTES.md': 'A greeting.\n' } : { 'theme.mjs': RIGHT, 'theme.test.mjs': THEME_TEST });
  },
  inspect: inTurn(
    json({
      parts: [{ part: 1, isDone: true, why: 'the toggle is there' }],
      findings: ['F-001', 'F-002'].map((id) => ({ id, isFixed: true, why: 'the toggle is there' })),
      tests: [],
    }),
  ),
});

/** The words of a request decide which team is chosen: here all requests have the same team. */
const TEAM = { agents: { pin: ['sde-iii', 'ux-designer', 'docs-writer'], count: 3 } };

let world: CodingWorld;
let undisturbed: Outcome;
beforeAll(async () => {
  world = await CodingWorld.open();
  const one = await world.start('reference', scriptOf('reference'), TEAM);
  await one.completed();
  undisturbed = await outcomeOf('reference', one);
});
afterAll(() => world.close());

interface Outcome {
  readonly calls: Readonly<Record<string, number>>;
  readonly files: string;
  readonly checks: unknown;
  readonly commits: number;
  readonly isProven: unknown;
}

async function outcomeOf(word: string, one: CodingCase): Promise<Outcome> {
  const { checkpoint, workspace } = await one.api.project(one.id);
  const { snapshot } = await one.api.checkpoint(one.id, checkpoint.seq);
  const { checks, isProven } = (snapshot as { context: { checks: unknown; isProven: unknown } }).context;
  const branch = workspace?.branch ?? '';
  const commits = await gitIn(one.repo, 'rev-list', '--count', `${workspace?.baseCommit ?? ''}..${branch}`);
  const files = await gitIn(one.repo, 'ls-tree', '-r', '--format=%(path) %(objectname)', branch);
  return { calls: callsOf(word), files, checks, commits: Number(commits), isProven };
}

/** How often each turn of each agent was asked for. */
function callsOf(word: string): Readonly<Record<string, number>> {
  const names = world.asked(word).map(({ role, agent, call }) => [role, agent, `turn ${String(call.turn)}`].join(' '));
  return Object.fromEntries([...Map.groupBy(names, (name) => name)].map(([name, all]) => [name, all.length]));
}

const sum = (calls: Readonly<Record<string, number>>): number =>
  Object.values(calls).reduce((total, times) => total + times, 0);

describe('kill -9 while the request is planned, and while its result is proven', () => {
  it('has a reference run without a kill, which takes all of these steps', () => {
    expect(undisturbed.isProven).toBe(true);
    expect(undisturbed.checks).toMatchObject([{ id: 'C-001', part: 1, red: { kind: 'assertion' }, dropped: null }]);
    const roles = Object.keys(undisturbed.calls).map((name) => name.split(' ')[0]);
    expect(new Set(roles)).toEqual(
      new Set(['reviewer', 'work-planner', 'check-author', 'implementer', 'fix-reviewer', 'inspector', 'planner']),
    );
  });

  it.each([
    { at: 'every step of the service', word: 'steps', kills: STEPS, repeated: 0 },
    { at: 'a call of each agent', word: 'chats', kills: CHATS, repeated: CHATS.length },
  ])('pays no agent twice and keeps the checks, killed at $at', async ({ word, kills, repeated }) => {
    await world.world.service.kill('SIGTERM');
    const [first, ...rest] = kills;
    await world.world.restart({ killAt: { machine: 'qralph-coding', moment: 'effect-ran', ...first } });
    const one = await world.start(word, scriptOf(word), TEAM);
    expect(await world.world.service.ended).toBe('SIGKILL');
    for (const kill of rest) expect(await killedAgain(kill), kill.step).toBe('SIGKILL');
    await world.world.restart();
    await one.completed();
    const { calls, ...outcome } = await outcomeOf(word, one);
    const { calls: expected, ...result } = undisturbed;
    expect(outcome).toEqual(result);
    expect(Object.keys(calls).toSorted()).toEqual(Object.keys(expected).toSorted());
    expect(sum(calls) - sum(expected)).toBeLessThanOrEqual(repeated);
    expect(await one.api.verify(one.id)).toMatchObject({ valid: true });
  });
});

/** A finding that is not part of the request. Its fix passes all tests, but changes one of them without a reason. */
const scriptWithAside = (word: string): TeamScript => ({
  review: () =>
    reviewed([{ priority: 'P1', title: `The greeting shouts, beside the toggle for ${word}`, relation: 'aside' }]),
  execute: ({ prompt, call }) => {
    if (call.turn > 0) return did('done');
    if (!prompt.includes('A reviewer found this')) return writes({ 'theme.mjs': RIGHT, 'theme.test.mjs': THEME_TEST });
    const quiet = (file: 'greeting.mjs' | 'greeting.test.mjs'): string => (GREETER[file] ?? '').replace('!', '.');
    return writes({ 'greeting.mjs': quiet('greeting.mjs'), 'greeting.test.mjs': quiet('greeting.test.mjs') });
  },
});

describe('kill -9 while a fix beside the request is taken back', () => {
  let expected: Outcome;
  beforeAll(async () => {
    const one = await world.start('beside', scriptWithAside('beside'), TEAM);
    await one.completed();
    expected = await outcomeOf('beside', one);
    expect(await subjectsOf(one)).toEqual(['T-004: Add toggle(theme)']);
  });

  it.each(['effect-started', 'effect-ran'] as const)(
    'leaves only the commit of the request, killed at %s',
    async (moment) => {
      const word = `aside-${moment}`;
      await world.world.service.kill('SIGTERM');
      const kill = { state: 'EXECUTING', step: 'take-asides-back', moment } as const;
      await world.world.restart({ killAt: { machine: 'qralph-coding', ...kill } });
      const one = await world.start(word, scriptWithAside(word), TEAM);
      expect(await world.world.service.ended).toBe('SIGKILL');
      await world.world.restart();
      await one.completed();
      expect(await outcomeOf(word, one)).toEqual(expected);
      expect(await subjectsOf(one)).toEqual(['T-004: Add toggle(theme)']);
      expect(await one.states()).not.toContain('BLOCKED');
      expect(await one.page('DEFERRED.md')).toContain('The result was not proven with it, so its fix was taken back.');
      expect(await one.api.verify(one.id)).toMatchObject({ valid: true });
    },
  );
});

/** The commits of the branch, by their subjects. */
async function subjectsOf({ api, id, repo }: CodingCase): Promise<readonly string[]> {
  const { workspace } = await api.project(id);
  const range = `${workspace?.baseCommit ?? ''}..${workspace?.branch ?? ''}`;
  return (await gitIn(repo, 'log', '--format=%s', range)).split('\n');
}

/** Starts the service again with the next fuse. It may blow before the process says that it is ready. */
async function killedAgain(kill: Kill): Promise<string> {
  try {
    await world.world.restart({ killAt: { machine: 'qralph-coding', ...kill } });
    return await world.world.service.ended;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return message.startsWith('ended (SIGKILL)') ? 'SIGKILL' : message;
  }
}
