import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ProjectCosts } from '#contracts';
import { byTurn, eventually, type ModelCall } from '#testing';
import { ErrandWorld, gitIn, GOOD_WORK } from '../e2e/errand-world.js';
import { processesOf } from '../e2e/shipped.js';

/** Where the process pulls its own plug: each effect of the tool loop, begun and not journalled, and after the fact. */
const KILLS = [
  { step: 'work-planner/1/tools', moment: 'effect-ran' },
  { step: 'work-planner/put-back', moment: 'effect-ran' },
  { step: 'work-planner/on-base-1/1', moment: 'effect-started' },
  { step: 'implementer/1/chat', moment: 'effect-ran' },
  { step: 'implementer/2/chat', moment: 'effect-started' },
  { step: 'implementer/2/tools', moment: 'effect-started' },
  { step: 'implementer/2/tools', moment: 'effect-ran' },
  { step: 'implementer/3/tools', moment: 'effect-ran' },
  { step: 'verify', moment: 'effect-ran' },
  { step: 'commit', moment: 'effect-ran' },
] as const;

let world: ErrandWorld;
beforeAll(async () => {
  world = await ErrandWorld.open();
});
afterAll(() => world.close());

const callsOf = async (id: string): Promise<ProjectCosts['data']> =>
  (await world.api.must<ProjectCosts>('GET', `/v1/projects/${id}/costs`)).data;

/** How often each turn of a conversation was asked for. */
const turnsOf = (calls: readonly ModelCall[]): number[] =>
  GOOD_WORK.map((_, turn) => calls.filter((call) => call.turn === turn).length);

describe('kill -9 in the middle of an errand', () => {
  it.each(KILLS)('at $moment of $step: no finished call is paid again, and the result is the same', async (kill) => {
    world.errands.use(byTurn(GOOD_WORK));
    const before = world.errands.calls.length;
    await world.service.kill('SIGTERM');
    await world.restart({ killAt: { machine: 'errand', ...kill } });
    const repo = await world.repository();
    const { id } = await world.start(repo);
    expect(await world.service.ended).toBe('SIGKILL');
    await world.restart();
    const ended = await world.api.untilStatus(id, 'completed', 90_000);

    const asked = turnsOf(world.errands.calls.slice(before));
    const isChatUnknown = kill.step.endsWith('/chat');
    const cut = Number(/\/(\d+)\/chat/.exec(kill.step)?.[1] ?? 0) - 1;
    // Only the call whose end nobody knows may be sent a second time.
    expect(asked.map((times, turn) => times > 1 && turn !== cut)).not.toContain(true);
    const lost = (await callsOf(id)).filter(({ status }) => status === 'lost');
    if (isChatUnknown) expect(lost.length).toBeLessThanOrEqual(1);
    else expect([lost, asked]).toEqual([[], GOOD_WORK.map(() => 1)]);

    const branch = ended.workspace?.branch ?? '';
    expect(await gitIn(repo, 'ls-tree', '--name-only', branch)).toBe(
      ['greeting.mjs', 'greeting.test.mjs', 'package.json', 'theme.mjs', 'theme.test.mjs'].join('\n'),
    );
    expect(await gitIn(repo, 'rev-list', '--count', `${ended.workspace?.baseCommit ?? ''}..${branch}`)).toBe('1');
    expect(await world.api.verify(id)).toMatchObject({ valid: true });
  });

  it('while a command of the agent runs: nothing of it lives on, and the turn is done again whole', async () => {
    const slow = {
      name: 'run',
      input: { command: '(setsid sh -c "trap \'\' TERM; sleep 300" &) ; echo once >> log.txt; sleep 300' },
    };
    let isFirst = true;
    world.errands.use((call) => {
      if (call.turn !== 2) return byTurn(GOOD_WORK)(call);
      return { toolCalls: [isFirst ? slow : { name: 'run', input: { command: 'echo once >> log.txt' } }] };
    });
    const { id } = await world.start(await world.repository(), { verify: ['node --test'] });
    const sleepers = (): string[] => processesOf(world.folder.path).filter((line) => line.includes('sleep 300'));
    // The shell that is still to start it has the same words on its command line.
    const isAsleep = (): boolean => sleepers().some((line) => /^\d+ sleep 300\s*$/.test(line));
    await eventually('the command sleeps', isAsleep, { deadlineMs: 60_000 });
    isFirst = false;
    await world.service.kill('SIGKILL');
    await eventually('nothing of it is left', () => sleepers().length === 0, { deadlineMs: 10_000 });
    await world.restart();
    // The answer was journalled: the same command runs again, in a worktree without the line that it had written.
    await eventually('the command sleeps again', isAsleep, { deadlineMs: 60_000 });
    await world.api.command(id, 'ABORT');
    await world.api.untilStatus(id, 'aborted', 20_000);
    await eventually('nothing of it is left', () => sleepers().length === 0, { deadlineMs: 10_000 });
    const registered = async (): Promise<number> =>
      (await world.api.must<{ data: unknown[] }>('GET', '/v1/processes')).data.length;
    await eventually('no process is registered', async () => (await registered()) === 0, { deadlineMs: 10_000 });
  });
});
