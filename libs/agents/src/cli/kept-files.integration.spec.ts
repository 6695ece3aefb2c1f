import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AgentStage, sampleTask } from '#testing';
import type { AgentTask } from '../agent.port.js';
import { openCliWorld } from './cli-world.fixture.js';
import { around, closesWorlds, opened, played } from './played-cli.fixture.js';

closesWorlds();

/** Larger than what is kept of one file; no byte of it is on the disk. */
const GIANT = `writeFileSync('giant.bin', ''); require('node:fs').truncateSync('giant.bin', 101 * 1024 * 1024);`;

describe('a CLI that leaves a file too large to be kept', () => {
  it('has failed by name, the worktree as it was, and is not paid again', async () => {
    const { outcome, stage, startCommit, worktree, ledger } = await played(around({ last: GIANT }));
    expect(outcome).toMatchObject({ kind: 'failed', code: 'AGENT_FILES_REFUSED', commit: startCommit });
    expect(outcome.kind === 'failed' && outcome.message).toMatch(
      /cannot be kept: giant\.bin.*at most 100 MB.*\.gitignore/,
    );
    expect(['giant.bin', 'made.txt'].filter((name) => existsSync(join(worktree.folder, name)))).toEqual([]);
    expect([stage.errors, ledger.ends()]).toEqual([[], ['done', 'done']]);
    const ended = stage.events.filter(({ type }) => type === 'agent.finished').map(({ data }) => data);
    expect(ended).toMatchObject([{ outcome: 'failed', code: 'AGENT_FILES_REFUSED' }]);
  });

  it('and failed besides says both', async () => {
    const { outcome, startCommit } = await played(around({ last: `${GIANT} process.exit(3);` }));
    expect(outcome).toMatchObject({ kind: 'failed', code: 'AGENT_FAILED', commit: startCommit });
    expect(outcome.kind === 'failed' && outcome.message).toMatch(/ended with 3.*cannot be kept: giant\.bin/);
  });
});

/** One answer is paid: it wants a file written. The next call would go past the cap. */
async function capped({ first = '', access = 'write' }: { first?: string; access?: AgentTask['access'] } = {}) {
  const world = await openCliWorld(around({ first }));
  opened.push(world);
  const { server, ledger, worktree, startCommit, runtime } = world;
  const input = { file_path: `${worktree.folder}/made.txt`, content: 'made\n' };
  server.use(() => {
    ledger.capNanoUsd = 1n;
    return { toolCalls: [{ name: 'Write', input }] };
  });
  const stage = new AgentStage(runtime, sampleTask({ access }), { worktree, startCommit });
  const inFolder = (): string | null => {
    const file = join(worktree.folder, 'made.txt');
    return existsSync(file) ? readFileSync(file, 'utf8') : null;
  };
  return { ...world, stage, inFolder };
}

describe('a CLI that meets the cap', () => {
  it('keeps what was paid for, and tells so', async () => {
    const { stage, fileAt, inFolder, ledger } = await capped();
    await stage.drive();
    const { outcome } = stage;
    expect(outcome).toMatchObject({ kind: 'over-budget', breaker: { name: 'usd' } });
    expect([outcome.kind === 'over-budget' && (await fileAt(outcome.commit, 'made.txt')), inFolder()]).toEqual([
      'made\n',
      'made\n',
    ]);
    expect(ledger.ends()).toContain('done');
    const told = stage.events.filter(({ type }) => /^(?:budget|agent\.finished)/.test(type));
    expect(told).toMatchObject([{ type: 'budget.exceeded' }, { data: { outcome: 'over-budget' } }]);
  });

  it('says where its files stand, whenever its worker dies', async () => {
    const whole = await capped();
    await whole.stage.drive();
    for (let at = 1; at <= whole.stage.store.writes; at += 1) {
      const { stage, fileAt, inFolder } = await capped();
      await stage.drive(at);
      await stage.drive();
      const { outcome } = stage;
      expect(outcome, `died at write ${String(at)}`).toMatchObject({ kind: 'over-budget' });
      if (outcome.kind === 'over-budget') expect(await fileAt(outcome.commit, 'made.txt')).toBe(inFolder());
    }
  });

  it('changes nothing where it may only read', async () => {
    const { stage, startCommit, inFolder } = await capped({ access: 'read' });
    await stage.drive();
    expect(stage.outcome).toMatchObject({ kind: 'over-budget', commit: startCommit });
    expect(inFolder()).toBeNull();
  });

  it('is taken back where its files are too large, and the history says why', async () => {
    const { stage, startCommit, inFolder } = await capped({ first: GIANT });
    await stage.drive();
    expect(stage.outcome).toMatchObject({ kind: 'over-budget', commit: startCommit });
    expect(inFolder()).toBeNull();
    const ended = stage.events.filter(({ type }) => type === 'agent.finished').map(({ data }) => data);
    expect(ended).toMatchObject([{ outcome: 'over-budget', code: 'WORKTREE_TOO_LARGE' }]);
  });
});

/** Its first call writes a file and is paid; the next one meets a rate limit; who knows of that goes on. */
async function limited() {
  const world = await openCliWorld(around({}));
  opened.push(world);
  const { server, worktree, startCommit, runtime } = world;
  const input = { file_path: `${worktree.folder}/made.txt`, content: 'made\n' };
  const limit = { kind: 'status', status: 429, words: 'slow down', headers: { 'retry-after': '30' } } as const;
  server.use(({ turn, body }) => {
    if (JSON.stringify(body).includes('You have begun this before')) return { text: 'It is made.' };
    return turn === 0 ? { toolCalls: [{ name: 'Write', input }] } : { fault: limit };
  });
  const stage = new AgentStage(runtime, sampleTask(), { worktree, startCommit }, 2);
  return { ...world, stage };
}

describe('a CLI that has to wait for its provider', () => {
  it('goes on from its files, told that it was cut off, and pays for nothing again', async () => {
    const { stage, server, fileAt, ledger } = await limited();
    await stage.drive();
    expect(stage.outcomes).toMatchObject([{ kind: 'waits', reason: 'rate-limit' }, { kind: 'finished' }]);
    const { outcome } = stage;
    expect(outcome.kind === 'finished' && (await fileAt(outcome.commit, 'made.txt'))).toBe('made\n');
    expect(ledger.ends().filter((end) => end === 'done')).toHaveLength(2);
    expect(JSON.stringify(server.calls.at(-1)?.body)).toContain('You have begun this before');
  });

  it('goes on from its files whenever its worker dies', async () => {
    const whole = await limited();
    await whole.stage.drive();
    for (let at = 1; at <= whole.stage.store.writes; at += 1) {
      const { stage, fileAt } = await limited();
      await stage.drive(at);
      await stage.drive();
      const { outcome } = stage;
      expect(outcome, `died at write ${String(at)}`).toMatchObject({ kind: 'finished' });
      if (outcome.kind === 'finished') expect(await fileAt(outcome.commit, 'made.txt')).toBe('made\n');
    }
  });
});
