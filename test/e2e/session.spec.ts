import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Project, ProjectSummary } from '#contracts';
import { tokensAtMost } from '#models';
import { eventually, type Reply } from '#testing';
import { did, inTurn } from './coding-team.js';
import { type CodingCase, CodingWorld } from './coding-world.js';
import { gitIn } from './errand-world.js';

let world: CodingWorld;
let release: (reply: Reply) => void = () => undefined;
const held = new Promise<Reply>((resolve) => {
  release = resolve;
});

const QUICK = { agents: { pin: ['sde-iii', 'ux-designer', 'docs-writer'], count: 3 } };
const folderOf = ({ id }: CodingCase): string => join(world.world.dataDir, 'worktrees', id);
const pageOf = ({ repo, project }: CodingCase, name = 'STATE.md'): string =>
  join(repo, '.qralph', 'projects', project.name, name);
const textOf = (file: string): Promise<string> => readFile(file, 'utf8').catch(() => '');
const summaryOf = (one: CodingCase): Promise<ProjectSummary> => one.read<ProjectSummary>('summary');
const currentIn = async ({ repo }: CodingCase): Promise<Readonly<Record<string, unknown>>> =>
  JSON.parse(await readFile(join(repo, '.qralph', 'current-project.json'), 'utf8')) as Record<string, unknown>;

/** Polls a page until it says this. */
const says = (one: CodingCase, words: RegExp): Promise<string> =>
  eventually(
    `STATE.md of ${one.project.name} says ${String(words)}`,
    async () => {
      const page = await textOf(pageOf(one));
      return words.test(page) ? page : undefined;
    },
    { deadlineMs: 60_000, everyMs: 100 },
  );

let running: CodingCase;
let blocked: CodingCase;

beforeAll(async () => {
  world = await CodingWorld.open();
  running = await world.start('hanging', { execute: () => held }, QUICK);
  const idle = inTurn(did('nothing to do'));
  blocked = await world.start('idling', { execute: idle, heal: idle }, QUICK);
  await blocked.blocked();
  await eventually('the implementer is asked', async () => running.asked('implementer').length > 0 || undefined, {
    deadlineMs: 60_000,
    everyMs: 100,
  });
});
afterAll(async () => {
  release({ fault: { kind: 'status', status: 400, words: 'over' } });
  await world.close();
});

describe('whoever comes back', () => {
  it('finds in three lines where it stands, as JSON and as text, and what the files say', async () => {
    const summary = await summaryOf(blocked);
    expect(summary.headline[0]).toContain(`${blocked.project.name} (coding): BLOCKED, blocked`);
    expect(summary.waitingFor).toMatchObject({ who: 'person', answer: expect.stringContaining(`/v1/projects/${blocked.id}/gates/resolve-problem`) as string }); // prettier-ignore
    expect(tokensAtMost(JSON.stringify(summary))).toBeLessThan(2_000);
    const body = await blocked.api.text(`/v1/projects/${blocked.id}/summary`, { accept: 'text/markdown' });
    expect(body.split('\n')[0]).toBe(summary.headline[0]);
    expect(await says(blocked, /\| status \| blocked \|/)).toMatch(
      /## Next session\n\nThe project waits for your decision/,
    );
    expect(await currentIn(blocked)).toMatchObject({ project_id: blocked.project.name, phase: 'BLOCKED', status: 'blocked', others: [] }); // prettier-ignore
    expect((await summaryOf(running)).waitingFor).toBeNull();
  });

  it('finds STATE.md again after kill -9, though it was deleted, with what nobody knows', async () => {
    await world.world.service.kill('SIGKILL');
    for (const one of [running, blocked]) await rm(pageOf(one));
    await rm(join(blocked.repo, '.qralph', 'current-project.json'));
    await writeFile(join(folderOf(blocked), 'by-hand.txt'), 'an hour of work\n');
    await world.world.restart();
    const [ran, waited] = await Promise.all([says(running, /STATUS UNKNOWN/), says(blocked, /STATUS UNKNOWN/)]);
    expect(ran).toMatch(/STATUS UNKNOWN: the effect .* nobody knows whether it happened/);
    expect(ran).toContain('the worker stopped');
    expect(waited).toContain('STATUS UNKNOWN: by-hand.txt: not as the newest checkpoint has it');
    expect(waited).toContain('- added by-hand.txt');
    expect(waited).toMatch(/## Next session\n\nThe project waits for your decision/);
    await eventually('the current project is named', async () => (await textOf(join(blocked.repo, '.qralph', 'current-project.json'))) !== '' || undefined); // prettier-ignore
    expect(await currentIn(blocked)).toMatchObject({ project: blocked.id });
    // While the worker that shows it again holds the project, its files are no riddle.
    const { uncommitted } = await eventually('the summary names the file', async () => {
      const summary = await summaryOf(blocked);
      return summary.unknown.items[0]?.what.includes('by-hand.txt') ? summary : undefined;
    });
    expect(uncommitted.files).toContain('added by-hand.txt');
  });

  it('brings state and files back together, and loses nothing that a person left', async () => {
    const checkpoints = await blocked.api.checkpoints(blocked.id);
    const entered = Math.min(...checkpoints.flatMap(({ seq, state }) => (state === 'REVIEWING' ? [seq] : [])));
    await blocked.api.must('POST', `/v1/projects/${blocked.id}/checkpoints/${String(entered)}/restore`);
    const { commit } = await blocked.api.checkpoint(blocked.id, entered);
    expect(await gitIn(folderOf(blocked), 'status', '--porcelain')).toBe('');
    expect(await gitIn(blocked.repo, 'rev-parse', `qralph/${blocked.project.name}`)).toBe(commit);
    const [{ kept = '' } = {}] = (await blocked.told('checkpoint.restored')) as readonly { kept?: string }[];
    expect(await gitIn(blocked.repo, 'show', `${kept}:by-hand.txt`)).toBe('an hour of work');
    const page = await says(blocked, new RegExp(`restored checkpoint ${String(entered)}; what was in the worktree is kept as commit ${kept}`)); // prettier-ignore
    expect(page).toMatch(/\| state \| REVIEWING \|\n\| status \| paused \|/);
    expect((await summaryOf(blocked)).headline[1]).toBe('Waits for a person: It is paused.');
    expect(await currentIn(blocked)).toMatchObject({ phase: 'REVIEWING', status: 'paused' });
  });

  it('forks with a branch, a worktree and a team of its own', async () => {
    const all = await blocked.api.checkpoints(blocked.id);
    const last = Math.max(...all.flatMap(({ seq, state }) => (state === 'BLOCKED' ? [seq] : [])));
    const fork = await blocked.api.must<Project>('POST', `/v1/projects/${blocked.id}/checkpoints/${String(last)}/fork`);
    expect(fork).toMatchObject({
      status: 'blocked',
      workspace: { branch: `qralph/${fork.name}` },
      team: { name: `qralph-${fork.name}` },
    });
    expect(await gitIn(blocked.repo, 'rev-parse', '--verify', `qralph/${fork.name}`)).toMatch(/^[0-9a-f]{40}$/);
    const forked = await eventually('the fork is shown', async () => (await textOf(join(blocked.repo, '.qralph', 'projects', fork.name, 'STATE.md'))) || undefined, { deadlineMs: 30_000, everyMs: 100 }); // prettier-ignore
    expect(forked).toContain(`| forked from | checkpoint ${String(last)} of ${blocked.project.name} |`);
    await eventually('the fork is the current project', async () => (await currentIn(blocked))['project'] === fork.id || undefined); // prettier-ignore
    expect((await currentIn(blocked))['others']).toMatchObject([{ project: blocked.id, status: 'paused' }]);
    await blocked.api.command(fork.id, 'ABORT');
    await blocked.api.untilStatus(fork.id, 'aborted', 60_000);
    await eventually('the other one is current again', async () => (await currentIn(blocked))['project'] === blocked.id || undefined); // prettier-ignore
  });
});
