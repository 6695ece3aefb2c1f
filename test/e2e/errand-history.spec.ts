import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ArtifactContent, Project } from '#contracts';
import { byTurn, eventually } from '#testing';
import { ErrandWorld, gitIn, GOOD_WORK } from './errand-world.js';

let world: ErrandWorld;
beforeAll(async () => {
  world = await ErrandWorld.open();
  world.errands.use(byTurn(GOOD_WORK));
});
afterAll(() => world.close());

/** An errand that has done its work and waits for a person, with its worktree still there. */
async function atTheGate(): Promise<Project> {
  const { id } = await world.start(await world.repository(), { verify: ['true'], parameters: { attempts: 0 } });
  return world.api.untilStatus(id, 'waiting', 60_000);
}

const seqOf = async (id: string, state: string): Promise<number> =>
  (await world.api.checkpoints(id)).findLast((link) => link.state === state)?.seq ?? 0;

const filesOn = (project: Project): Promise<string> =>
  gitIn(project.repo?.path ?? '', 'ls-tree', '--name-only', project.workspace?.branch ?? '');

describe('the past of an errand', () => {
  it('can be gone back to: files as they were, the work done again, paid for again', async () => {
    const { id } = await atTheGate();
    const calls = world.errands.calls.length;
    const seq = await seqOf(id, 'WORKING');
    await world.api.must('POST', `/v1/projects/${id}/checkpoints/${String(seq)}/restore`);
    const restored = await world.api.project(id);
    expect(restored).toMatchObject({ state: 'WORKING', status: 'paused' });
    expect(restored.workspace?.headCommit).toBe(restored.workspace?.baseCommit);
    const worktree = join(world.dataDir, 'worktrees', id);
    expect(await gitIn(worktree, 'status', '--porcelain')).toBe('');
    await world.api.command(id, 'RESUME');
    await world.api.untilStatus(id, 'waiting', 60_000);
    expect(world.errands.calls.length - calls).toBe(GOOD_WORK.length);
    await world.api.must('POST', `/v1/projects/${id}/gates/unproven`, { decision: 'accept' });
    const ended = await world.api.untilStatus(id, 'completed', 30_000);
    expect(await filesOn(ended)).toContain('theme.mjs');
    const log = await world.api.must<ArtifactContent>('GET', `/v1/projects/${id}/artifacts/decisions.log`);
    const decided = [`restored checkpoint ${String(seq)}`, 'commanded RESUME', 'decided accept at unproven'];
    expect(log.content).toMatch(new RegExp(decided.join('[^\\n]*\\n[^\\n]*')));
    expect(await world.api.verify(id)).toMatchObject({ valid: true });
  });

  it('is vouched for by its files too: a tail that was cut off the database is missed', async () => {
    const { id } = await atTheGate();
    await world.api.must('POST', `/v1/projects/${id}/gates/unproven`, { decision: 'accept' });
    const { repo, name, checkpoint } = await world.api.untilStatus(id, 'completed', 30_000);
    expect(await world.api.verify(id)).toMatchObject({ valid: true });
    const file = join(repo?.path ?? '', '.qralph/projects', name, 'checkpoints/latest.json');
    const anchor = await eventually('its end is in its files', async () => {
      const last = JSON.parse(await readFile(file, 'utf8')) as { seq: number };
      return last.seq === checkpoint.seq ? last : undefined;
    });
    await writeFile(file, JSON.stringify({ ...anchor, seq: anchor.seq + 5 }));
    expect(await world.api.verify(id)).toMatchObject({ valid: false, firstBad: { seq: anchor.seq + 5 } });
  });

  it('can be forked: a branch, a worktree and a budget of its own, set up anew', async () => {
    const origin = await atTheGate();
    const seq = await seqOf(origin.id, 'WORKING');
    const fork = await world.api.must<Project>('POST', `/v1/projects/${origin.id}/checkpoints/${String(seq)}/fork`);
    const waiting = await world.api.untilStatus(fork.id, 'waiting', 60_000);
    expect(waiting.workspace?.branch).toBe(`qralph/${fork.name}`);
    expect(waiting.workspace?.baseCommit).toBe(origin.workspace?.baseCommit);
    expect(await world.typesOf(fork.id)).toContain('workspace.set-up');
    await world.api.must('POST', `/v1/projects/${fork.id}/gates/unproven`, { decision: 'accept' });
    expect(await filesOn(await world.api.untilStatus(fork.id, 'completed', 30_000))).toContain('theme.mjs');
    expect(await filesOn(origin)).not.toContain('theme.mjs');
    expect((await world.api.project(origin.id)).budget).toEqual(origin.budget);
    expect(Number((await world.api.project(fork.id)).budget?.usd.used)).toBeGreaterThan(0);
  });

  it('outlives its worktree: one that is gone is made again from the checkpoint', async () => {
    const { id } = await atTheGate();
    await rm(join(world.dataDir, 'worktrees', id), { recursive: true });
    await world.api.must('POST', `/v1/projects/${id}/gates/unproven`, { decision: 'accept' });
    expect(await filesOn(await world.api.untilStatus(id, 'completed', 30_000))).toContain('theme.mjs');
  });

  it('is paused between two effects of the agent, and goes on from there', async () => {
    const before = world.errands.calls.length;
    world.errands.use(async (call) => ({ ...(await byTurn(GOOD_WORK)(call)), afterMs: 700 }));
    const { id } = await world.start(await world.repository());
    await world.api.until(id, 'works', ({ state }) => state === 'WORKING', 60_000);
    await world.api.command(id, 'PAUSE');
    await world.api.untilStatus(id, 'paused', 20_000);
    const paused = world.errands.calls.length;
    expect(paused - before).toBeLessThan(GOOD_WORK.length);
    await world.api.command(id, 'RESUME');
    await world.api.untilStatus(id, 'completed', 60_000);
    expect(world.errands.calls.length - before).toBe(GOOD_WORK.length);
    world.errands.use(byTurn(GOOD_WORK));
  });

  it('ends in time when it is aborted in the middle of a call, which is called off and settled', async () => {
    world.errands.use(() => ({ text: 'never', fault: { kind: 'silence', afterEvents: 1 } }));
    const { id } = await world.start(await world.repository());
    await world.api.until(id, 'asks the model', (project) => Number(project.budget?.usd.reserved) > 0, 60_000);
    const began = performance.now();
    await world.api.command(id, 'ABORT');
    await world.api.untilStatus(id, 'aborted', 15_000);
    expect(performance.now() - began).toBeLessThan(15_000);
    const { budget } = await world.api.until(id, 'settles', (project) => Number(project.budget?.usd.reserved) === 0);
    expect(Number(budget?.usd.used)).toBeGreaterThan(0);
    world.errands.use(byTurn(GOOD_WORK));
  });
});
